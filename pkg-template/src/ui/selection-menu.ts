/** `<copydesk-selection-menu>`. */

import { css, html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import { keymap } from "@tiptap/pm/keymap";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Bubble } from "../actions/bubble.js";
import { agentActions, type AgentAction } from "../actions/ready.js";
import { CopydeskElement, define } from "./element.js";
import { actionsStyle } from "./shared-styles.js";
import { base } from "./styles.js";

/**
 * The menu at a selection, with actions for the agent, and what a run does there.
 *
 * @tagname copydesk-selection-menu
 * @slot - Before the menu.
 * @csspart actions - The panel.
 * @csspart menu - The list of actions.
 * @csspart action - An action.
 * @csspart back - The action that goes back to all actions.
 * @csspart ask - The action that opens the field.
 * @csspart form - The field with its button.
 * @csspart field - The field.
 * @csspart send - The button that asks.
 * @csspart state - What a run does there.
 * @csspart working - The same, while it runs.
 * @csspart answer - The same, when it has ended.
 * @csspart error - The same, when it has failed.
 * @csspart said - Its text.
 * @csspart stop - The button that stops the run.
 * @csspart close - The button that closes the panel.
 */
export class CopydeskSelectionMenu extends CopydeskElement {
  static override properties: PropertyDeclarations = {
    editor: { attribute: false },
    actions: { attribute: false },
    shortcut: {},
  };
  static override styles = [
    base,
    actionsStyle,
    css`
      :host {
        display: contents;
      }
      .copydesk-actions {
        --copydesk-accent: var(--_accent);
        --copydesk-error: var(--_error);
        --copydesk-surface: var(--_surface);
        --copydesk-ink: var(--_ink);
        --copydesk-line: var(--_line);
        font-family: inherit;
        box-shadow: var(--_shadow);
      }
    `,
  ];

  /** The editor, with the extension `Copydesk`, and without the menu of `AgentActions`. */
  declare editor: Editor | undefined;
  /** The actions, or a function that returns those for the present selection. */
  declare actions: readonly AgentAction[] | ((editor: Editor) => readonly AgentAction[]);
  /** The key that moves the focus into the menu, in ProseMirror's notation. Default: `Mod-j`. */
  declare shortcut: string;
  #shown: Editor | undefined;
  #remove: (() => void) | undefined;

  constructor() {
    super();
    this.actions = agentActions;
    this.shortcut = "Mod-j";
  }

  protected override missing(): string | null {
    return this.editor ? null : "needs the property `editor`, a TipTap editor with the extension Copydesk.";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#show(undefined);
  }

  protected override updated(): void {
    this.#show(this.isConnected && !this.disabled ? this.mounted(this.editor) : undefined);
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
    let bubble: Bubble | undefined;
    const element = this;
    const options = {
      actions: () => (typeof this.actions === "function" ? this.actions(editor) : this.actions),
      // Asked with each drawing: the language of the page may change.
      get locale() {
        return element.language;
      },
      menu: true,
      mount: this.renderRoot as ShadowRoot,
    };
    const key = new PluginKey("copydeskSelectionMenu");
    const menu = new Plugin({
      key,
      view: (view) => {
        const shown = (bubble = new Bubble(view, editor, options));
        return { update: (_, before) => shown.update(before), destroy: () => shown.destroy() };
      },
      props: { handleKeyDown: keymap({ [this.shortcut]: () => bubble?.open() ?? false }).props.handleKeyDown! },
    });
    editor.registerPlugin(menu);
    this.#remove = () => void (editor.isDestroyed || editor.unregisterPlugin(key));
  }
}

define("copydesk-selection-menu", CopydeskSelectionMenu);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-selection-menu": CopydeskSelectionMenu;
  }
}
