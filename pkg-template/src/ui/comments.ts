/** `<copydesk-comments>`. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { Editor } from "@tiptap/core";
import type { CommentsStorage } from "../comments/extension.js";
import type { Comment, CommentThread } from "../comments/store.js";
import { LONGEST } from "../comments/stored.js";
import { ignoreHeld, onPress } from "../review/presses.js";
import { commentsStyle } from "./comments-style.js";
import { dateFormat, define, languageOf } from "./element.js";
import { FollowController } from "./follow-controller.js";
import { PanelElement } from "./panel-element.js";
import { base } from "./styles.js";

/**
 * The comments of a document, with replies: in its order, then those whose text was deleted, then those that are resolved.
 *
 * @tagname copydesk-comments
 * @slot missing - Shown while `editor` is missing.
 * @csspart new - The field and the button for a comment about the selection.
 * @csspart list - The list of open threads.
 * @csspart thread - A thread.
 * @csspart quote - The button with the text that a thread is about.
 * @csspart comment - A comment.
 * @csspart author - The name of its author.
 * @csspart reply - The field for a reply, in the chosen thread.
 * @csspart send - The button that sends a comment or reply.
 * @csspart resolve - The button that resolves a thread.
 * @csspart reopen - The button that opens it again.
 * @csspart resolved - The resolved threads.
 * @csspart no-comments - Shown while there are no comments.
 * @csspart empty - Shown while `editor` is missing.
 */
export class CopydeskComments extends PanelElement {
  static override properties: PropertyDeclarations = { editor: { attribute: false } };
  static override styles = [base, commentsStyle];

  /** The editor, with the extensions `Copydesk` and `Comments`. */
  declare editor: Editor | undefined;
  #followed = FollowController.of(
    this,
    () => this.mounted(this.editor),
    (editor) => this.#follow(editor),
  );

  protected override missing(): string | null {
    return this.editor ? null : "needs the property `editor`, a TipTap editor with the extension Comments.";
  }

  get #editing(): Editor | undefined {
    return this.#followed.current?.[0];
  }

  get #comments(): CommentsStorage | undefined {
    return this.#editing?.storage.comments;
  }

  protected override render(): TemplateResult {
    const comments = this.#comments;
    if (!comments) return this.empty();
    const m = this.m.comments;
    const threads = comments.threads();
    const open = threads.filter(({ state }) => state === "open");
    const resolved = threads.filter(({ state }) => state === "resolved");
    return html`<section lang=${this.m.lang} aria-label=${m.label}>
      ${this.#newComment()}
      <ul part="list">
        ${open.map((thread) => this.#thread(thread))}
      </ul>
      <p class="note" part="no-comments" ?hidden=${threads.length > 0}>${m.noComments}</p>
      <details part="resolved" ?hidden=${!resolved.length}>
        <summary>${m.resolved(resolved.length)}</summary>
        <ul>
          ${resolved.map((thread) => this.#thread(thread))}
        </ul>
      </details>
    </section>`;
  }

  #newComment(): TemplateResult {
    const m = this.m.comments;
    const { empty = true } = this.#editing?.state.selection ?? {};
    const isOff = this.disabled || empty;
    return html`<form part="new" @submit=${(event: SubmitEvent) => this.#send(event, undefined)}>
      <textarea
        aria-label=${m.new}
        placeholder=${empty ? m.select : m.new}
        maxlength=${LONGEST}
        ?disabled=${isOff}
      ></textarea>
      <div class="actions">
        <button class="button small" part="send" ?disabled=${isOff}>${m.add}</button>
      </div>
    </form>`;
  }

  #thread(thread: CommentThread): TemplateResult {
    const { id, quote, range, state, comments, isResolving } = thread;
    const m = this.m.comments;
    const isCurrent = this.#comments?.current === id;
    const isOpen = state === "open";
    const act = isOpen ? "resolve" : ("reopen" as const);
    return html`<li class="thread" part="thread" data-thread=${id} aria-current=${isCurrent ? "true" : nothing}>
      <button
        type="button"
        class="quote"
        part="quote"
        dir="auto"
        lang=${languageOf(quote)}
        @click=${() => this.#select(id)}
      >
        ${quote || "…"}
      </button>
      <p class="note" ?hidden=${range !== null}>${m.textDeleted}</p>
      ${comments.map((comment) => this.#comment(comment))}
      <p class="note" ?hidden=${!isResolving}>${m.resolving}</p>
      ${
        isCurrent && isOpen
          ? html`<form @submit=${(event: SubmitEvent) => this.#send(event, id)}>
              <textarea part="reply" aria-label=${m.reply} placeholder=${m.reply} maxlength=${LONGEST}></textarea>
              <div class="actions">
                <button class="button small" part="send" ?disabled=${this.disabled}>${m.reply}</button>
              </div>
            </form>`
          : nothing
      }
      <div class="actions">
        <button
          type="button"
          class="button plain small"
          part=${act}
          ?disabled=${this.disabled}
          @click=${onPress((event) => this.#act(act, id, event.currentTarget as HTMLElement))}
          @keydown=${ignoreHeld}
        >
          ${m[act]}
        </button>
      </div>
    </li>`;
  }

  #comment({ author, time, text, state }: Comment): TemplateResult {
    const m = this.m.comments;
    const format = dateFormat(this.language, this.m.lang, { dateStyle: "medium", timeStyle: "short" });
    const date = new Date(time);
    return html`<div class="comment ${state}" part="comment">
      <p class="head">
        <span class="name" part="author">${author.name || m.nobody}</span>
        ${time ? html`<time datetime=${date.toISOString()}>${format.format(date)}</time>` : nothing}
        ${state === "shown" ? nothing : html`<span>${m[state]}</span>`}
      </p>
      <p class="text" dir="auto" lang=${languageOf(text)}>${text}</p>
    </div>`;
  }

  #select(thread: string): void {
    this.#editing?.commands.selectComment(thread);
  }

  /** Resolves or reopens a thread. The focus moves to the next one, or to the list that the thread is in then. */
  #act(act: "resolve" | "reopen", id: string, button: HTMLElement): void {
    const buttons = () => [...this.renderRoot.querySelectorAll<HTMLElement>(`[part=${act}]`)];
    const at = buttons().indexOf(button);
    const hadFocus = this.focused !== null;
    this.#comments?.[act](id);
    setTimeout(() => {
      void this.updateComplete.then(() => {
        if (!hadFocus || this.focused) return;
        const other = act === "resolve" ? "summary" : `[data-thread="${CSS.escape(id)}"] .quote`;
        (buttons()[at] ?? buttons().at(-1) ?? this.renderRoot.querySelector<HTMLElement>(other))?.focus();
      });
    });
  }

  /** Sends what was written: a reply to a thread, or a comment about the selection. */
  #send(event: SubmitEvent, thread: string | undefined): void {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).querySelector("textarea")!;
    const text = field.value.trim();
    const editor = this.#editing;
    if (!text || !editor || this.disabled) return;
    if (thread !== undefined) this.#comments?.reply(thread, { text });
    else if (!editor.commands.addComment(text)) return;
    field.value = "";
  }

  #follow(editor: Editor): (() => void) | undefined {
    if (!editor.storage.comments) return undefined;
    const changed = () => this.requestUpdate();
    const end = editor.storage.comments.subscribe(changed);
    editor.on("selectionUpdate", changed).on("destroy", changed).on("unmount", changed);
    return () => {
      end();
      editor.off("selectionUpdate", changed).off("destroy", changed).off("unmount", changed);
    };
  }
}

define("copydesk-comments", CopydeskComments);

declare global {
  interface HTMLElementTagNameMap {
    "copydesk-comments": CopydeskComments;
  }
}
