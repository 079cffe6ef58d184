/** `<copydesk-approval>`. */

import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Assistant } from "../assistant/controller.js";
import type { ToolCallState } from "../assistant/run.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { ChatElement } from "./chat-element.js";
import { define } from "./element.js";
import { base } from "./styles.js";
import { describeCall } from "./tool-text.js";

/**
 * The buttons that allow or deny a call; nothing for a call that does not wait.
 *
 * @tagname copydesk-approval
 * @fires {CustomEvent<{ toolId: string, approved: boolean }>} approval - The user has allowed or denied the call; after `preventDefault()` it waits still.
 * @csspart allow - The button that allows the call.
 * @csspart deny - The button that denies it.
 */
export class CopydeskApproval extends ChatElement {
  static override properties: PropertyDeclarations = {
    call: { attribute: false },
    assistant: { attribute: false },
  };
  static override styles = [
    base,
    css`
      .row-approval {
        display: flex;
        flex-wrap: wrap;
        gap: calc(8px * var(--_density));
      }
      @media (max-width: 699px) {
        .button {
          padding: calc(8px * var(--_density)) calc(16px * var(--_density));
          font-size: calc(14 * var(--_px));
        }
      }
    `,
  ];

  /** The call that waits. */
  declare call: ToolCallState | undefined;
  declare assistant: Assistant | undefined;

  protected override missing(): string | null {
    return this.call && this.assistant ? null : "needs the properties `call` and `assistant`.";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { call, m } = this;
    if (call?.state !== "approval") return nothing;
    const button = (act: string, approved: boolean) =>
      html`<button
        type="button"
        class="button small ${approved ? "" : "plain"}"
        part=${approved ? "allow" : "deny"}
        aria-label=${m.actionOnCall(act, describeCall(call, m))}
        ?disabled=${this.disabled}
        @click=${onPress(() => this.#decide(approved))}
        @keydown=${ignoreHeld}
      >
        ${act}
      </button>`;
    return html`<div class="row-approval" role="group" aria-label=${describeCall(call, m)} lang=${m.lang}>
      ${button(m.allow, true)} ${button(m.deny, false)}
    </div>`;
  }

  #decide(approved: boolean): void {
    const { call, assistant } = this;
    if (!call) return;
    const hadFocus = this.focused !== null;
    if (!this.emit("approval", { toolId: call.toolId, approved }, true)) return;
    if (hadFocus) this.dispatchEvent(new CustomEvent("decision"));
    assistant?.approve(call.toolId, approved);
  }
}

define("copydesk-approval", CopydeskApproval);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-approval": CopydeskApproval;
  }
}
