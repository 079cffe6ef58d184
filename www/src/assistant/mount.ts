/** The tab of what the assistant works with: rules, skills and servers. */
import { h } from "../dom";
import { localize } from "../locale";
import {
  assistantWords,
  defineAssistantPanels,
  type RulesPanel,
  type ServersPanel,
  type SkillsPanel,
} from "../panels/assistant";
import type { Extras } from "./extras";

const SECTIONS = ["rules", "skills", "servers"] as const;

export function mountAssistant(panel: HTMLElement, extras: Extras): void {
  defineAssistantPanels();
  const rules = document.createElement("copydesk-rules") as RulesPanel;
  const skills = document.createElement("copydesk-skills") as SkillsPanel;
  const servers = document.createElement("copydesk-servers") as ServersPanel;
  [rules.items, skills.items, servers.items] = [extras.rules, extras.sources, extras.servers];
  rules.addEventListener("items-change", () => extras.setRules(rules.items));
  skills.addEventListener("items-change", () => extras.setSources(skills.items));
  servers.addEventListener("items-change", () => extras.setServers(servers.items));
  // The list shows a failure.
  skills.addEventListener("look", (event) => void extras.look((event as CustomEvent<string>).detail));
  servers.addEventListener("reconnect", (event) => void extras.reconnect((event as CustomEvent<string>).detail));
  const show = () => {
    skills.states = extras.skillStates;
    servers.states = extras.serverStates;
  };
  extras.subscribe(show);
  show();
  const elements = { rules, skills, servers };
  const headings = SECTIONS.map((name) => h("h3", { class: "assistant-heading", id: `assistant-${name}` }));
  SECTIONS.forEach((name, at) =>
    panel.append(h("section", { "aria-labelledby": `assistant-${name}` }, headings[at], elements[name])),
  );
  localize((m) => {
    const words = assistantWords(m.lang);
    SECTIONS.forEach((name, at) => (headings[at]!.textContent = words[name]));
  });
}
