/** `<copydesk-assistant>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import type { AssistantAgentOptions } from "../assistant/agent-options.js";
import type { AttachmentReader } from "../assistant/attachment.js";
import type { Assistant } from "../assistant/controller.js";
import type { EditMode } from "../assistant/edit-mode.js";
import type { Run } from "../assistant/run.js";
import type { AssistantModel } from "../assistant/state.js";
import type { AssistantStorage } from "../assistant/storage.js";
import type { ConversationHeader } from "../assistant/stored.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { AssistantElement } from "./assistant-element.js";
import { assistantStyle } from "./assistant-style.js";
import { acceptDrops, type CopydeskComposer } from "./composer.js";
import type { CopydeskConversation } from "./conversation.js";
import "./conversation.js";
import { dateFormat, define } from "./element.js";
import { icon } from "./icons.js";
import { ownAssistant, type OwnAssistant } from "./own-assistant.js";
import { EXPORTED_OF_COMPOSER, EXPORTED_OF_CONVERSATION } from "./parts.js";
import { placeBelow, returnFocus } from "./popup-place.js";
import { base, popup } from "./styles.js";

/**
 * The whole assistant: conversations, messages, the composer, and everything between them.
 *
 * @tagname copydesk-assistant
 * @fires {CustomEvent<{ text: string, attachments?: readonly Attachment[] }>} message - A message is about to be sent; after `preventDefault()` it is not.
 * @fires {CustomEvent<{ toolId: string, approved: boolean }>} approval - The user has allowed or denied a call; after `preventDefault()` it waits still.
 * @fires {CustomEvent<{ mode: EditMode }>} mode-change - The user has chosen an edit mode.
 * @fires {CustomEvent<{ id: string }>} conversation-change - Another conversation is shown.
 * @fires {CustomEvent} open-settings - The user wants the settings of the model, which are the page's own.
 * @slot head - Buttons at the end of the head.
 * @slot notices - Lines below the head.
 * @slot load-failure - In place of the sentence that says that the wasm could not be loaded.
 * @slot welcome - In place of what is shown before there is a conversation.
 * @slot end - Below the last run.
 * @slot composer-start - Before the message field.
 * @slot composer-foot - Below the message field, before the choices.
 * @slot missing - Shown while `editor` or `agent` is missing.
 * @csspart head - The line with the title.
 * @csspart title - The button that opens the list of conversations.
 * @csspart conversations - The list of conversations.
 * @csspart new - The button for another conversation.
 * @csspart notices - The lines below the head.
 * @csspart conversation - The conversation. Its parts have their names here as well.
 * @csspart foot - What is around the composer.
 * @csspart composer - The composer. Its parts begin with `composer-`: `composer-field`.
 * @csspart empty - Shown while `editor` or `agent` is missing.
 */
export class CopydeskAssistant extends AssistantElement {
  static override properties: PropertyDeclarations = {
    editor: { attribute: false },
    agent: { attribute: false },
    storage: { attribute: false },
    models: { attribute: false },
    readers: { attribute: false },
    modes: { attribute: false },
    suggestions: { attribute: false },
    hasSettings: { type: Boolean, attribute: "has-settings" },
    runFooter: { attribute: false },
    isOnline: { state: true },
    isListOpen: { state: true },
  };
  static override styles = [base, popup, assistantStyle];

  /** The editor, with the extension `Copydesk`. Together with `agent` it makes an assistant of the element's own. */
  declare editor: Editor | undefined;
  /** The options of the agent, or a function that returns them; see `createAssistant`. */
  declare agent: AssistantAgentOptions | (() => AssistantAgentOptions) | undefined;
  /** Where the conversations of the element's own assistant are kept. Default: in memory. */
  declare storage: AssistantStorage | undefined;
  /** The models that the user of the element's own assistant can choose from. */
  declare models: readonly AssistantModel[] | undefined;
  /** Readers of attachments that the package does not read by itself, for the element's own assistant; see `pdf`. */
  declare readers: readonly AttachmentReader[] | undefined;
  /** The edit modes to choose from; fewer than two for no choice. */
  declare modes: readonly EditMode[];
  /** Prompts that are offered before there is a conversation. Default: some that fit the document. */
  declare suggestions: readonly string[] | undefined;
  /** True if the page has settings of the model: failures that they can mend have a button for them. */
  declare hasSettings: boolean;
  /** Returns what is shown below a run: an element, a text, a Lit template or nothing. */
  declare runFooter: ((run: Run) => unknown) | undefined;
  declare private isOnline: boolean;
  declare private isListOpen: boolean;
  #own: OwnAssistant | undefined;
  #network = () => (this.isOnline = navigator.onLine);

  constructor() {
    super();
    this.modes = ["review", "auto", "ask"];
    this.hasSettings = false;
    this.isOnline = globalThis.navigator?.onLine ?? true;
    this.isListOpen = false;
    // Files may be dropped anywhere.
    acceptDrops(this, (files) => this.#composer?.attach(...files));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("online", this.#network);
    addEventListener("offline", this.#network);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.#network);
    removeEventListener("offline", this.#network);
    // An element that only moves is connected again in the same task.
    queueMicrotask(() => !this.isConnected && this.#own?.setConnected(false));
  }

  /** Says a text to users of screen readers. */
  announce(text: string): void {
    void this.updateComplete.then(() => this.#conversation?.announce(text));
  }

  /** Focuses the message field. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.#composer?.focus(options));
  }

  /** The assistant that is shown: the property `assistant`, or the element's own. */
  get controller(): Assistant | undefined {
    return this.assistant ?? this.#own?.assistant;
  }

  protected override get shown(): Assistant | undefined {
    return this.controller;
  }

  protected override missing(): string | null {
    return this.controller || (this.editor && this.agent)
      ? null
      : "needs the properties `editor`, a TipTap editor with the extension Copydesk, and `agent`, the options of the agent; or `assistant`, which `createAssistant` of copydesk/assistant returns.";
  }

  get #conversation(): CopydeskConversation | null {
    return this.shadowRoot?.querySelector("copydesk-conversation") ?? null;
  }

  get #composer(): CopydeskComposer | null {
    return this.shadowRoot?.querySelector("copydesk-composer") ?? null;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    const { agent } = this;
    const editor = this.assistant ? undefined : this.mounted(this.editor);
    const isOther = ["storage", "models", "readers"].some((name) => changed.has(name));
    if (this.assistant || !agent || isOther) this.#disown();
    else if (this.#own && this.#own.editor !== editor) {
      // It belongs to its editor, and waits for an element.
      this.#own.setConnected(false);
      this.#own = undefined;
    }
    if (!this.isConnected) return super.willUpdate(changed);
    if (this.#own) {
      this.#own.setConnected(true);
      if (changed.has("agent")) this.#own.assistant.renew();
    } else if (editor && agent) {
      const optionsNow = (given = this.agent ?? agent) => (typeof given === "function" ? given() : given);
      const { storage, models, readers } = this;
      const onLost = () => this.#own === own && (this.#own = undefined);
      const own = ownAssistant(editor, { agent: () => optionsNow(), storage, models, readers, onLost });
      this.#own = own;
    }
    super.willUpdate(changed);
  }

  override updated(): void {
    this.toggleAttribute("data-has-runs", !!this.state?.runs.length);
  }

  protected override render(): TemplateResult {
    const { state, m, shown } = this;
    if (!state) return this.empty();
    const given = { locale: this.language, words: this.words };
    return html`<div class="chat-head" part="head" lang=${m.lang}>
        ${this.#list()}
        <button
          type="button"
          class="tool new-conversation"
          part="new"
          ?hidden=${!state.runs.length}
          ?disabled=${this.disabled}
          aria-label=${m.newConversation}
          title=${m.newConversation}
          @click=${() => void this.#begin()}
        >
          ${icon("plus")}
        </button>
        <slot name="head"></slot>
      </div>
      <div class="chat-notices" part="notices" lang=${m.lang}>
        <slot name="notices"></slot>
        ${this.isOnline ? nothing : html`<p class="offline-notice">${m.offlineNotice}</p>`}
        ${state.storageProblem ? html`<p class="storage-notice">${m.storageProblems[state.storageProblem]}</p>` : nothing}
        ${state.engine === "failed" ? this.#failed() : nothing}
      </div>
      <copydesk-conversation
        part="conversation"
        exportparts=${EXPORTED_OF_CONVERSATION}
        .assistant=${shown}
        .locale=${given.locale}
        .words=${given.words}
        .disabled=${this.disabled}
        .suggestions=${this.suggestions}
        .hasSettings=${this.hasSettings}
        .runFooter=${this.runFooter}
        >${this.hasSlotted("welcome") ? html`<slot name="welcome" slot="welcome"></slot>` : nothing}<slot
          name="end"
          slot="end"
        ></slot
      ></copydesk-conversation>
      <div class="chat-foot" part="foot">
        <copydesk-composer
          part="composer"
          exportparts=${EXPORTED_OF_COMPOSER}
          .assistant=${shown}
          .locale=${given.locale}
          .words=${given.words}
          .disabled=${this.disabled}
          .modes=${this.modes}
          ><slot name="composer-start" slot="composer-start"></slot
          ><slot name="composer-foot" slot="composer-foot"></slot
        ></copydesk-composer>
      </div>`;
  }

  #failed(): TemplateResult {
    const { m } = this;
    return html`<slot name="load-failure"
      ><p class="load-failure" role="alert">
        ${m.engineFailed}
        <button type="button" class="inline-link" @click=${this.#load}>${m.tryAgain}</button>
      </p></slot
    >`;
  }

  /** Loads the agent again. The focus goes to the field: the button is removed. */
  #load = (): void => {
    void this.shown?.load().catch(() => {});
    this.focus();
  };

  #list(): TemplateResult {
    const { state, m } = this;
    const { conversation, conversations } = state!;
    const { title } = conversation;
    const isShown = title !== "" || conversations.some(({ id }) => id !== conversation.id);
    const named = `${m.conversations}: ${title || m.newConversation}`;
    return html`<h2 class=${isShown ? "visually-hidden" : "chat-title"}>${m.assistant}</h2>
      <span class="conversation-anchor" ?hidden=${!isShown}
        ><button
          type="button"
          class="conversation-title"
          part="title"
          popovertarget="conversations"
          aria-haspopup="dialog"
          aria-expanded=${this.isListOpen}
          aria-label=${named}
          title=${m.conversations}
        >
          <span dir="auto">${title || m.newConversation}</span>${icon("chevron")}
        </button>
        <div
          id="conversations"
          class="popup conversations"
          part="conversations"
          role="dialog"
          popover="auto"
          aria-label=${m.conversations}
          @beforetoggle=${(event: ToggleEvent) => {
            returnFocus(event);
            this.#toggled(event.newState === "open");
          }}
          @toggle=${(event: ToggleEvent) => event.newState === "open" && this.#place(event.currentTarget as HTMLElement)}
        >
          ${this.isListOpen ? this.#items(conversation, conversations) : nothing}
        </div></span
      >`;
  }

  #items(current: ConversationHeader, stored: readonly ConversationHeader[]): TemplateResult {
    const { m } = this;
    const isNew = current.title !== "" && !stored.some(({ id }) => id === current.id);
    const day = dateFormat(this.language, m.lang, { dateStyle: "medium", timeStyle: "short" });
    const items = [...(isNew ? [current] : []), ...stored].map(({ id, title, changed }) => {
      const remove = m.deleteConversation(title);
      return html`<li>
        <button
          type="button"
          class="menu-item"
          aria-current=${id === current.id ? "true" : nothing}
          ?disabled=${this.disabled}
          @click=${() => void this.#open(id)}
        >
          <span class="menu-text"
            ><span dir="auto">${title}</span><span class="menu-hint">${day.format(changed)}</span></span
          ></button
        ><button
          type="button"
          class="tool"
          aria-label=${remove}
          title=${remove}
          ?disabled=${this.disabled}
          @click=${onPress(() => void this.#remove(id))}
          @keydown=${ignoreHeld}
        >
          ${icon("delete")}
        </button>
      </li>`;
    });
    return html`<ul>
      ${items}
    </ul>`;
  }

  /** The items are drawn before the list opens: `toggle` comes a task after it. */
  #toggled(open: boolean): void {
    this.isListOpen = open;
    if (open) this.performUpdate();
  }

  #place(panel: HTMLElement): void {
    placeBelow(panel, this.shadowRoot!.querySelector(".conversation-title")!, 6);
    panel.querySelector<HTMLElement>("button")?.focus();
  }

  #close(): void {
    this.shadowRoot?.querySelector<HTMLElement>("#conversations:popover-open")?.hidePopover();
  }

  async #open(id: string): Promise<void> {
    this.#close();
    await this.shown?.openConversation(id);
    const title = this.shown?.state.conversation.title ?? "";
    this.announce(`${this.m.conversation}: ${title}`);
    this.#changed();
  }

  async #remove(id: string): Promise<void> {
    this.#close();
    await this.shown?.deleteConversation(id);
    this.#changed();
  }

  async #begin(): Promise<void> {
    await this.shown?.newConversation();
    this.#changed();
  }

  #changed(): void {
    const { shown } = this;
    if (shown) this.emit("conversation-change", { id: shown.state.conversation.id });
    this.focus();
  }

  #disown(): void {
    this.#own?.dispose();
    this.#own = undefined;
  }
}

export { suggestions } from "./suggestions.js";

define("copydesk-assistant", CopydeskAssistant);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-assistant": CopydeskAssistant;
  }
}
