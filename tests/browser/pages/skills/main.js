// The page of skills: an agent without a document, and plugins beside it.
import { Agent, init } from "copydesk";
import { skills } from "copydesk/skills";
import { memoryWorkspace } from "copydesk/workspace";
import { fakeHost, never, until } from "../../../skills/host.mjs";

/** Connects a host to sources and waits as an agent does before a request. */
async function connected(list, options = {}) {
  const plugin = skills(list, { locale: "en", ...options });
  const host = fakeHost();
  const connection = plugin.connect(host);
  await connection.ready(never);
  return { plugin, host, connection };
}

await init();
Object.assign(window, { Agent, connected, memoryWorkspace, skills, until, ready: true });
