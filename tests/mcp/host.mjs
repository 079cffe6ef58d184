// An agent as the plugin sees it: collects what the plugin gives.
import { atEnd } from "../at-end.mjs";


/** Connects a plugin to an agent that only collects. It is closed after the test. */
export function connect(t, plugin, { locale = "en" } = {}) {
  const host = {
    locale,
    workspace: undefined,
    tools: [],
    notices: [],
    problems: [],
    logger: { debug: (message, fields) => host.problems.push(`${message} ${JSON.stringify(fields)}`) },
    provide: ({ tools = [] }) => (host.tools = tools),
    notice: (code, message) => host.notices.push({ code, message }),
  };
  const connection = plugin.connect(host);
  let isOpen = true;
  host.close = () => {
    if (isOpen) connection.close();
    isOpen = false;
  };
  atEnd(t, host.close);
  host.ready = (signal = new AbortController().signal) => connection.ready(signal);
  host.names = () => host.tools.map(({ name }) => name);
  host.tool = (name) => host.tools.find((tool) => tool.name === name);
  host.call = (name, args = {}, { signal = new AbortController().signal, onUpdate = () => {} } = {}) => host.tool(name).execute("c1", args, signal, onUpdate);
  return host;
}

/** Resolves when `holds()` is true after a change of the plugin. */
export function until(plugin, holds) {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      stop();
      resolve();
    };
    const stop = plugin.subscribe(look);
    look();
  });
}
