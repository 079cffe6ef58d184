/** The tab with the skills, the servers and the rules. Loaded when it is shown first. */
import "copydesk/ui/rules";
import "copydesk/ui/servers";
import "copydesk/ui/skills";
import type { ChangeDetail, CopydeskEvents } from "copydesk/ui";
import { wordsFor } from "copydesk/ui/words";
import { html, type TemplateResult } from "lit";
import { drawIn } from "../draw";
import { locale } from "../locale";
import type { Additions } from "copydesk/additions";

export interface MountOptions {
  additions: Additions;
  /** Gives the agent the files of the user, where skills may be. */
  useFiles: () => Promise<unknown>;
  openFile: (detail: CopydeskEvents["open-file"]["detail"]) => void;
}

export function mountAdditions(panel: HTMLElement, { additions, useFiles, openFile }: MountOptions): void {
  const setSources = ({ detail }: CopydeskEvents["sources-change"]) =>
    apply(detail, async (sources) => {
      if (sources.some(({ source }) => !/^(?:[a-z][a-z0-9+.-]*:|git@|\/|\.)/i.test(source))) await useFiles();
      await additions.setSources(sources);
    });
  const setServers = ({ detail }: CopydeskEvents["servers-change"]) =>
    apply(detail, (value) => additions.setServers(value));
  const setRules = ({ detail }: CopydeskEvents["rules-change"]) =>
    apply(detail, async (value) => additions.setRules(value));
  const refresh = ({ detail }: CopydeskEvents["source-refresh"]) => void additions.refresh(detail.id);
  const reconnect = ({ detail }: CopydeskEvents["server-reconnect"]) => void additions.reconnect(detail.name);
  const decide = ({ detail }: CopydeskEvents["rule-file-change"]) =>
    void additions.decideRuleFile(detail.file, detail.isUsed);
  const open = ({ detail }: CopydeskEvents["open-file"]) => openFile(detail);

  const draw = drawIn(panel, () => {
    const state = additions.getSnapshot();
    const words = wordsFor(locale());
    const section = (name: "rules" | "skills" | "servers", element: TemplateResult) =>
      html`<section class="side-section">
        <h3 class="side-section-name">${words[name].label}</h3>
        ${element}
      </section>`;
    return html`${section(
      "rules",
      html`<copydesk-rules
        .rules=${state.rules}
        .files=${state.ruleFiles}
        @rules-change=${setRules}
        @rule-file-change=${decide}
        @open-file=${open}
      ></copydesk-rules>`,
    )}${section(
      "skills",
      html`<copydesk-skills
        .sources=${state.sources}
        .states=${state.sourceStates}
        @sources-change=${setSources}
        @source-refresh=${refresh}
      ></copydesk-skills>`,
    )}${section(
      "servers",
      html`<copydesk-servers
        .servers=${state.servers}
        .states=${state.serverStates}
        .keepsKeys=${state.keepsKeys}
        @servers-change=${setServers}
        @server-reconnect=${reconnect}
      ></copydesk-servers>`,
    )}`;
  });
  additions.subscribe(draw);
}

/** Applies a change; the reason of a failure is shown in the panel. */
function apply<T>({ value, waitUntil }: ChangeDetail<T>, run: (value: T) => Promise<void>): void {
  waitUntil(run(value));
}
