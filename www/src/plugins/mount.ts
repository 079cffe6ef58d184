/** The tab with the skills, the servers and the rules. Loaded when it is shown first. */
import { h } from "../dom";
import { localize } from "../locale";
import {
  assistantWordsIn,
  defineAssistantPanels,
  type ChangeDetail,
  type OpenFileDetail,
  type RuleFileDetail,
  type RulesPanel,
  type Servers,
  type ServersPanel,
  type SkillsPanel,
} from "../panels/assistant";
import type { Rule } from "copydesk";
import type { SkillSource } from "copydesk/skills";
import type { Additions } from "./additions";

export interface MountOptions {
  additions: Additions;
  /** Gives the agent the files of the user, where skills may be. */
  useFiles: () => Promise<unknown>;
  openFile: (detail: OpenFileDetail) => void;
}

export function mountAdditions(panel: HTMLElement, { additions, useFiles, openFile }: MountOptions): void {
  defineAssistantPanels();
  const skills = document.createElement("copydesk-skills") as SkillsPanel;
  const servers = document.createElement("copydesk-servers") as ServersPanel;
  const rules = document.createElement("copydesk-rules") as RulesPanel;
  const sections = (["rules", "skills", "servers"] as const).map((name) => {
    const heading = h("h3", { class: "side-section-name" });
    localize((m) => (heading.textContent = assistantWordsIn(m.lang)[name]));
    return h("section", { class: "side-section" }, heading, { skills, servers, rules }[name]);
  });
  panel.classList.add("edits");
  panel.inert = panel.closest(".app.read-only") !== null;
  panel.append(...sections);

  listen<SkillSource[]>(skills, "sources-change", async ({ value }) => {
    if (value.some(({ source }) => !/^(?:[a-z][a-z0-9+.-]*:|git@|\/|\.)/i.test(source))) await useFiles();
    await additions.setSources(value);
  });
  listen<Servers>(servers, "servers-change", ({ value }) => additions.setServers(value));
  listen<Rule[]>(rules, "rules-change", async ({ value }) => additions.setRules(value));
  panel.addEventListener("source-refresh", (event) => void additions.refresh(detailOf<{ id: string }>(event).id));
  panel.addEventListener(
    "server-reconnect",
    (event) => void additions.reconnect(detailOf<{ name: string }>(event).name),
  );
  panel.addEventListener("rule-file-change", (event) => {
    const { file, isUsed } = detailOf<RuleFileDetail>(event);
    void additions.decideRuleFile(file, isUsed);
  });
  panel.addEventListener("open-file", (event) => openFile(detailOf<OpenFileDetail>(event)));

  const draw = () => {
    [skills.sources, skills.states] = [additions.sources, additions.sourceStates];
    [servers.servers, servers.states] = [additions.servers, additions.serverStates];
    servers.keepsKeys = additions.keepsKeys;
    [rules.rules, rules.files] = [additions.rules, additions.ruleFiles];
  };
  additions.subscribe(draw);
  draw();
}

function detailOf<T>(event: Event): T {
  return (event as CustomEvent<T>).detail;
}

/** Applies the changes of a panel; the reason of a failure is shown there. */
function listen<T>(panel: HTMLElement, type: string, apply: (detail: ChangeDetail<T>) => Promise<void>): void {
  panel.addEventListener(type, (event) => {
    const detail = detailOf<ChangeDetail<T>>(event);
    detail.waitUntil(apply(detail));
  });
}
