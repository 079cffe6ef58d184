/** `<copydesk-review-bar>`. */

import { css, html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import { reviewBar } from "../review/bar.js";
import { reviewState } from "../review/state.js";
import { CopydeskElement, define } from "./element.js";
import { barStyle } from "./shared-styles.js";
import { base } from "./styles.js";

/**
 * How many changes wait, with buttons for the previous, the next and the current one, and for all. It is hidden, and has no
 * attribute `data-pending`, while there is nothing to review.
 *
 * @tagname copydesk-review-bar
 * @slot - Before the bar.
 * @csspart bar - The bar.
 * @csspart steps - The count with the buttons beside it.
 * @csspart previous - The button for the previous change.
 * @csspart count - How many changes wait.
 * @csspart next - The button for the next change.
 * @csspart view - The choice of a view: marked, original, final.
 * @csspart open - How many conflicts are open.
 * @csspart one - The two buttons for the current change.
 * @csspart accept - The button that accepts the current change.
 * @csspart reject - The button that rejects it.
 * @csspart every - The two buttons for all changes.
 * @csspart accept-all - The button that accepts all changes.
 * @csspart reject-all - The button that rejects them.
 */
export class CopydeskReviewBar extends CopydeskElement {
  static override properties: PropertyDeclarations = { editor: { attribute: false } };
  static override styles = [
    base,
    barStyle,
    css`
      :host {
        display: block;
        container-type: inline-size;
      }
      :host(:not([data-pending])) {
        display: none;
      }
      .copydesk-bar {
        margin-inline: auto;
        --copydesk-surface: var(--_surface);
        --copydesk-ink: var(--_ink);
        --copydesk-line: var(--_line);
        --copydesk-insert: var(--_insert);
        --copydesk-delete: var(--_delete);
        --copydesk-conflict: var(--_warning);
        font-family: inherit;
      }
      @container (max-width: 40em) {
        /* Each change has these two buttons itself. */
        .copydesk-bar > .copydesk-one {
          display: none;
        }
        .copydesk-bar {
          display: flex;
          flex-wrap: wrap;
          justify-content: space-between;
          gap: 0 calc(2px * var(--_density));
          padding: calc(2px * var(--_density));
          font-size: calc(12.5 * var(--_px));
        }
        .copydesk-bar button {
          padding: 0 calc(7px * var(--_density));
        }
      }
    `,
  ];

  /** The editor, with the extension `Copydesk`. */
  declare editor: Editor | undefined;
  #shown: Editor | undefined;
  #remove: (() => void) | undefined;

  protected override missing(): string | null {
    return this.editor ? null : "needs the property `editor`, a TipTap editor with the extension Copydesk.";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#show(undefined);
  }

  protected override updated(): void {
    this.#show(this.isConnected ? this.mounted(this.editor) : undefined);
    const bar = this.shadowRoot?.querySelector<HTMLElement>(".copydesk-bar");
    if (bar) bar.inert = this.disabled;
  }

  protected override render(): TemplateResult {
    return html`<slot></slot>`;
  }

  #show(editor: Editor | undefined): void {
    if (editor === this.#shown) return;
    this.#remove?.();
    this.#shown = editor;
    this.#remove = undefined;
    if (!editor) return;
    const isPending = () => !editor.isDestroyed && !!reviewState(editor.state)?.hunks.length;
    const follow = () => this.toggleAttribute("data-pending", isPending());
    const remove = reviewBar(editor, this.renderRoot as ShadowRoot);
    for (const part of this.renderRoot.querySelectorAll(".copydesk-bar, .copydesk-bar :is(button, select, span)"))
      part.setAttribute("part", part.className.replace(/copydesk-/g, ""));
    follow();
    editor.on("transaction", follow);
    this.#remove = () => {
      editor.off("transaction", follow);
      remove();
    };
  }
}

define("copydesk-review-bar", CopydeskReviewBar);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-review-bar": CopydeskReviewBar;
  }
}
