/** The lines of a run about skills, servers and rules: those that it began with, and changes while it was under way. */
import { h } from "../dom";
import { icon } from "../icons";
import { localize, type Messages } from "../locale";
import type { RunSetup } from "../plugins/additions";
import type { ServerTool } from "../plugins/tool-names";

/** Returns a line that unfolds, or null if there is nothing to show. */
export function runSetup({ skills, servers, rules }: RunSetup): HTMLElement | null {
  if (!skills.length && !servers.length && !rules.length) return null;
  const text = h("span", {});
  const list = h("ul", {});
  localize((m) => {
    text.textContent = m.plugins.setup(skills.length, servers.length, rules.length);
    const lines = [
      ...rules.map((rule, at) => m.plugins.ruleRow(at + 1, rule)),
      ...skills.map(m.plugins.skillRow),
      ...servers.map(({ name, tools }) => m.plugins.serverRow(name, tools)),
    ];
    list.replaceChildren(...lines.map((line) => h("li", {}, line)));
  });
  return h("details", { class: "run-setup" }, h("summary", {}, icon("skills"), text, icon("chevron")), list);
}

/** Returns what has changed in words: tools have names for people. */
export function settingsNotice(changes: string, serverTool: (name: string) => ServerTool | null, m: Messages): string {
  const inWords = (name: string) => {
    const found = serverTool(name);
    return found ? m.plugins.toolOf(found.server, found.tool) : (m.plugins.tools[name] ?? name);
  };
  // Tools of servers have two underscores in their names; others are those of the package.
  return m.plugins.settingsChanged(changes.replace(/[\w-]*[A-Za-z0-9]_[\w-]+/g, inWords));
}
