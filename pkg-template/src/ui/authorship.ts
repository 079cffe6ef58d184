/** `<copydesk-authorship>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import type { AuthorshipStorage } from "../authorship/extension.js";
import type { Disclosure } from "../authorship/summary.js";
import { authorshipStyle } from "./authorship-style.js";
import { define } from "./element.js";
import { FollowController } from "./follow-controller.js";
import { PanelElement } from "./panel-element.js";
import { base } from "./styles.js";

/** Milliseconds without a change after which the characters are counted again. */
const PAUSE = 250;

/**
 * Who wrote a document: its agents and people, with the numbers of their characters.
 *
 * @tagname copydesk-authorship
 * @slot missing - Shown while `editor` is missing.
 * @csspart list - The list of authors.
 * @csspart agent - An agent.
 * @csspart people - The people, together.
 * @csspart shown - The field that has the text of agents drawn in the document.
 * @csspart sources - The pages that agents had read.
 * @csspart no-agents - Shown while no text is of an agent.
 * @csspart empty - Shown while `editor` is missing.
 */
export class CopydeskAuthorship extends PanelElement {
  static override properties: PropertyDeclarations = { editor: { attribute: false } };
  static override styles = [base, authorshipStyle];

  /** The editor, with the extensions `Copydesk` and `Authorship`. */
  declare editor: Editor | undefined;
  #followed = FollowController.of(
    this,
    () => this.mounted(this.editor),
    (editor) => this.#follow(editor),
  );
  #timer: ReturnType<typeof setTimeout> | undefined;

  protected override missing(): string | null {
    return this.editor ? null : "needs the property `editor`, a TipTap editor with the extension Authorship.";
  }

  get #authorship(): AuthorshipStorage | undefined {
    return this.#followed.current?.[0].storage.authorship;
  }

  protected override render(): TemplateResult {
    const authorship = this.#authorship;
    if (!authorship) return this.empty();
    const m = this.m.authorship;
    const { agents, people, sources } = authorship.disclosure;
    const total = agents.reduce((sum, { characters }) => sum + characters, people);
    return html`<section lang=${this.m.lang} aria-label=${m.label}>
      <ul part="list">
        ${agents.map((agent) => this.#agent(agent, total))} ${this.#row("people", m.people, people, total)}
      </ul>
      <p class="note" part="no-agents" ?hidden=${agents.length > 0}>${m.noAgents}</p>
      <label
        ><input
          type="checkbox"
          part="shown"
          .checked=${authorship.shown}
          ?disabled=${this.disabled}
          @change=${({ target }: Event) => authorship.setShown((target as HTMLInputElement).checked)}
        />${m.show}</label
      >
      <details part="sources" ?hidden=${!sources.length}>
        <summary>${m.sources(sources.length)}</summary>
        <ul class="sources">
          ${sources.map((url) => html`<li>${linkOf(url)}</li>`)}
        </ul>
      </details>
    </section>`;
  }

  #agent({ name, model, provider, characters }: Disclosure["agents"][number], total: number): TemplateResult {
    const about = [name && model, provider].filter(Boolean).join(" · ");
    const { color } = this.#authorship?.ranges.find(({ agent }) => agent.name === name && agent.color)?.agent ?? {};
    return this.#row("agent", name || model || this.m.authorship.agent, characters, total, { about, color });
  }

  #row(
    kind: "agent" | "people",
    name: string,
    characters: number,
    total: number,
    { about, color }: { about?: string; color?: string | undefined } = {},
  ): TemplateResult {
    const m = this.m.authorship;
    const percent = total ? Math.round((100 * characters) / total) : 0;
    // The color was validated when it was read.
    return html`<li class=${kind} part=${kind} style=${color ? `--_author: ${color}` : nothing}>
      <span class="name">${name}</span> <span class="share">${m.share(characters, percent)}</span>
      ${about ? html`<span class="about">${about}</span>` : nothing}
    </li>`;
  }

  #follow(editor: Editor): (() => void) | undefined {
    if (!editor.storage.authorship) return undefined;
    let { shown, ranges } = editor.storage.authorship;
    const changed = ({ transaction }: { transaction: { docChanged: boolean } }) => {
      const now = editor.storage.authorship;
      if (now.shown !== shown) this.requestUpdate();
      else if (!transaction.docChanged && now.ranges.length === ranges.length) return;
      ({ shown, ranges } = now);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.requestUpdate(), PAUSE);
    };
    const ended = () => this.requestUpdate();
    editor.on("transaction", changed).on("destroy", ended).on("unmount", ended);
    return () => {
      clearTimeout(this.#timer);
      editor.off("transaction", changed).off("destroy", ended).off("unmount", ended);
    };
  }
}

/** Returns a link to a page. Any peer of a room may have written its URL. */
function linkOf(url: string): TemplateResult | string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return url;
  return html`<a href=${url} target="_blank" rel="noopener noreferrer">${url}</a>`;
}

define("copydesk-authorship", CopydeskAuthorship);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-authorship": CopydeskAuthorship;
  }
}
