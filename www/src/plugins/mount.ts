/** The tab with the skills, the servers and the rules. Loaded when it is shown first. */
import "copydesk/ui/rules";
import "copydesk/ui/servers";
import "copydesk/ui/skills";
import type { ChangeDetail, CopydeskEvents } from "copydesk/ui";
import { wordsFor } from "copydesk/ui/words";
import { h } from "../dom";
import { localize, locale } from "../locale";
import type { Additions } from "copydesk/additions";

export interface MountOptions {
  additions: Additions;
  /** Gives the agent the files of the user, where skills may be. */
  useFiles: () => Promise<unknown>;
  openFile: (detail: CopydeskEvents["open-file"]["detail"]) => void;
}

export function mountAdditions(panel: HTMLElement, { additions, useFiles, openFile }: MountOptions): void {
  const skills = document.createElement("copydesk-skills");
  const servers = document.createElement("copydesk-servers");
  const rules = document.createElement("copydesk-rules");
  const sections = (["rules", "skills", "servers"] as const).map((name) => {
    const heading = h("h3", { class: "side-section-name" });
    localize(() => (heading.textContent = wordsFor(locale())[name].label));
    return h("section", { class: "side-section" }, heading, { skills, servers, rules }[name]);
  });
  panel.classList.add("edits");
  panel.inert = panel.closest(".app.read-only") !== null;
  panel.append(...sections);

  skills.addEventListener("sources-change", ({ detail }) =>
    apply(detail, async (sources) => {
      if (sources.some(({ source }) => !/^(?:[a-z][a-z0-9+.-]*:|git@|\/|\.)/i.test(source))) await useFiles();
      await additions.setSources(sources);
    }),
  );
  servers.addEventListener("servers-change", ({ detail }) => apply(detail, (value) => additions.setServers(value)));
  rules.addEventListener("rules-change", ({ detail }) => apply(detail, async (value) => additions.setRules(value)));
  skills.addEventListener("source-refresh", ({ detail }) => void additions.refresh(detail.id));
  servers.addEventListener("server-reconnect", ({ detail }) => void additions.reconnect(detail.name));
  rules.addEventListener("rule-file-change", ({ detail }) => {
    void additions.decideRuleFile(detail.file, detail.isUsed);
  });
  rules.addEventListener("open-file", ({ detail }) => openFile(detail));

  const draw = () => {
    const state = additions.getSnapshot();
    [skills.sources, skills.states] = [state.sources, state.sourceStates];
    [servers.servers, servers.states, servers.keepsKeys] = [state.servers, state.serverStates, state.keepsKeys];
    [rules.rules, rules.files] = [state.rules, state.ruleFiles];
  };
  additions.subscribe(draw);
  draw();
}

/** Applies a change; the reason of a failure is shown in the panel. */
function apply<T>({ value, waitUntil }: ChangeDetail<T>, run: (value: T) => Promise<void>): void {
  waitUntil(run(value));
}
