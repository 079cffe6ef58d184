/**
 * The message field: it grows with its text, and Enter sends. While the assistant works, its button stops the run, and messages
 * are sent after the current step.
 */
import { h, set } from "../dom";
import { icon } from "../icons";
import { localize, messages } from "../locale";

export interface ComposerOptions {
  /** An element at the end of the line below the field. */
  footer: HTMLElement;
  send: (text: string) => void;
  stop: () => void;
}

export class Composer {
  readonly element: HTMLFormElement;
  readonly field = h("textarea", { rows: "1", id: "composer", enterkeyhint: "send", autocomplete: "off" });
  private button = h("button", { type: "submit", class: "send" });
  private sendLater = h("button", { type: "button", class: "send-later", hidden: true }, icon("send"));
  private hint = h("p", { class: "composer-hint" });
  private working = false;
  private hasConversation = false;
  private last = "";

  constructor(private options: ComposerOptions) {
    const label = h("label", { for: "composer", class: "visually-hidden" });
    this.element = h(
      "form",
      { class: "composer" },
      h("div", { class: "composer-box" }, label, this.field, this.sendLater, this.button),
      h("div", { class: "composer-foot" }, this.hint, options.footer),
    );
    localize((m) => {
      label.textContent = m.composer;
      this.draw();
    });
    this.field.addEventListener("input", () => this.resize());
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    this.sendLater.addEventListener("click", () => {
      this.submit();
      this.field.focus();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.working) this.options.stop();
      else this.submit();
    });
  }

  setWorking(working: boolean): void {
    this.working = working;
    if (working) this.hasConversation = true;
    this.draw();
  }

  setHasConversation(hasConversation: boolean): void {
    this.hasConversation = hasConversation;
    this.draw();
  }

  fill(text: string): void {
    this.field.value = text;
    this.resize();
    this.field.focus();
    this.field.setSelectionRange(text.length, text.length);
  }

  /** Restores a message that was not sent, before the text that was written since. */
  restore(text: string): void {
    this.fill([text, this.field.value].filter((part) => part.trim()).join("\n"));
  }

  private submit(): void {
    const text = this.field.value.trim();
    if (!text) return;
    this.last = text;
    this.field.value = "";
    this.resize();
    this.options.send(text);
  }

  private onKey(event: KeyboardEvent): void {
    // Enter that confirms a composition of an input method must not send. (229: Safari ends the composition first.)
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "ArrowUp" && !this.field.value && this.last) {
      event.preventDefault();
      this.fill(this.last);
    }
  }

  private resize(): void {
    const hasText = this.field.value.trim() !== "";
    this.element.classList.toggle("has-text", hasText);
    this.sendLater.hidden = !(this.working && hasText);
    // The second button makes the field narrower.
    if (this.field.isConnected) {
      this.field.style.height = "auto";
      this.field.style.height = `${Math.min(this.field.scrollHeight, 200)}px`;
    }
    const m = messages();
    this.hint.textContent = !this.working ? m.hintIdle : hasText ? m.hintLater : m.hintWorking;
  }

  private draw(): void {
    const m = messages();
    const name = this.working ? m.stop : m.send;
    set(this.button, { "aria-label": name, title: name, "data-mode": this.working ? "stop" : "send" });
    set(this.sendLater, { "aria-label": m.sendLater, title: m.sendLater });
    this.field.placeholder = this.working
      ? m.placeholderWorking
      : this.hasConversation
        ? m.placeholderMore
        : m.placeholderEmpty;
    this.resize();
    this.button.replaceChildren(this.working ? h("span", { class: "stop-square" }) : icon("send"));
  }
}
