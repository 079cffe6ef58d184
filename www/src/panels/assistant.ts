/** The panels of what the assistant works with, as custom elements: rules, skills and servers. */
import "./panels.css";
import { RulesPanel } from "./rules-panel";
import { ServersPanel } from "./servers-panel";
import { SkillsPanel } from "./skills-panel";

export { assistantWords } from "./assistant-words";
export type { ServerItem } from "./servers-panel";
export { RulesPanel, ServersPanel, SkillsPanel };

const ELEMENTS = {
  "copydesk-rules": RulesPanel,
  "copydesk-skills": SkillsPanel,
  "copydesk-servers": ServersPanel,
};

/** Defines the elements; a second call does nothing. */
export function defineAssistantPanels(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
