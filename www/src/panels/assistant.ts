/** The panels for what the assistant can do, as custom elements: skills, servers and rules. */
import "./panels.css";
import "./assistant.css";
import { RulesPanel } from "./rules-panel";
import { ServersPanel } from "./servers-panel";
import { SkillsPanel } from "./skills-panel";

export type { ChangeDetail } from "./assistant-panel";
export { assistantWordsIn } from "./assistant-words";
export type { OpenFileDetail } from "./element";
export type { RuleFile, RuleFileDetail } from "./rules-panel";
export type { Servers } from "./servers-panel";
export { RulesPanel, ServersPanel, SkillsPanel };

const ELEMENTS = {
  "copydesk-skills": SkillsPanel,
  "copydesk-servers": ServersPanel,
  "copydesk-rules": RulesPanel,
};

/** Defines the elements; a second call does nothing. */
export function defineAssistantPanels(): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}
