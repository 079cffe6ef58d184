/** `<copydesk-diff>`. */

import { css, html, type PropertyDeclarations, type TemplateResult } from "lit";
import { define } from "./element.js";
import { PanelElement } from "./panel-element.js";
import { panelStyle } from "./panel-styles.js";
import { base } from "./styles.js";
import { comparedLines, type ComparedLine } from "./text-diff.js";

/**
 * The differences of two texts: lines that were removed, added or stayed, with the changed words in them.
 *
 * @tagname copydesk-diff
 * @slot missing - Shown while `oldText` or `newText` is missing.
 * @csspart diff - The differences, which scroll.
 * @csspart removed - Lines that are only in the text before.
 * @csspart added - Lines that are only in the text after.
 * @csspart word - A word that is only in one of both.
 * @csspart gap - The number of lines that stayed and are not shown.
 * @csspart empty - Shown while `oldText` or `newText` is missing.
 */
export class CopydeskDiff extends PanelElement {
  static override properties: PropertyDeclarations = {
    oldText: { attribute: false },
    newText: { attribute: false },
    label: {},
    lines: { state: true },
  };
  static override styles = [
    base,
    panelStyle,
    css`
      .diff {
        max-height: 45vh;
        padding: calc(6px * var(--_density)) calc(8px * var(--_density));
        overflow: auto;
        border: 1px solid var(--_line);
        border-radius: calc(0.75 * var(--_radius));
        background: var(--_surface);
      }
      .diff > * {
        display: block;
        margin: 0;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      ins,
      del {
        padding-inline-start: calc(6px * var(--_density));
        border-inline-start: 2px solid;
        color: var(--_insert);
        text-decoration: none;
      }
      del {
        border-inline-start-style: dashed;
        color: var(--_delete);
      }
      ins > mark {
        text-decoration: underline;
      }
      del > mark {
        text-decoration: line-through;
      }
      .diff > .gap {
        padding: calc(2px * var(--_density)) 0;
        color: var(--_muted);
        font-size: calc(12 * var(--_px));
      }
    `,
  ];

  /** The text before. */
  declare oldText: string | undefined;
  /** The text after. */
  declare newText: string | undefined;
  /** The name of the differences for screen readers. */
  declare label: string | undefined;
  declare private lines: readonly ComparedLine[];
  #asked = 0;

  constructor() {
    super();
    this.lines = [];
  }

  protected override missing(): string | null {
    return this.#hasTexts ? null : "needs the properties `oldText` and `newText`, two texts.";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("oldText") || changed.has("newText")) void this.#compare();
  }

  protected override render(): TemplateResult {
    const { m, label } = this;
    if (!this.#hasTexts) return this.empty();
    return html`<div
      class="diff"
      part="diff"
      tabindex="0"
      role="group"
      lang=${m.lang}
      aria-label=${label ?? m.diff.label}
    >
      ${this.lines.map((line) => this.#line(line))}
    </div>`;
  }

  get #hasTexts(): boolean {
    return typeof this.oldText === "string" && typeof this.newText === "string";
  }

  #line({ kind, parts, count }: ComparedLine): TemplateResult {
    if (kind === "gap") return html`<p class="gap" part="gap" .textContent=${this.m.diff.unchanged(count ?? 0)}></p>`;
    const content = parts.map(({ text, isChanged }) => (isChanged ? html`<mark part="word">${text}</mark>` : text));
    if (kind === "same") return html`<p>${content}</p>`;
    return kind === "added" ? html`<ins part="added">${content}</ins>` : html`<del part="removed">${content}</del>`;
  }

  async #compare(): Promise<void> {
    const asked = ++this.#asked;
    const { oldText: before, newText: after } = this;
    if (typeof before !== "string" || typeof after !== "string") return;
    const lines = await comparedLines(before, after).catch((error: unknown) => {
      console.warn(error);
      // Without the library both texts are shown as they are.
      return [wholeLine("removed", before), wholeLine("added", after)];
    });
    if (asked === this.#asked) this.lines = lines;
  }
}

function wholeLine(kind: "removed" | "added", text: string): ComparedLine {
  return { kind, parts: [{ text, isChanged: false }] };
}

define("copydesk-diff", CopydeskDiff);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-diff": CopydeskDiff;
  }
}
