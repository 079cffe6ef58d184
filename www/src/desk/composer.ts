/**
 * The field where a person asks: it grows, and Enter sends. While the desk works its button is the stop button, and what is sent is
 * heard after the step under way.
 */
import { h, set } from "../dom";
import { icon } from "../icons";
import { inWords, words } from "../words";

export interface ComposerHooks {
  /** Stands at the end of the line below the field. */
  beside: HTMLElement;
  send: (text: string) => void;
  stop: () => void;
}

export class Composer {
  readonly element: HTMLFormElement;
  readonly field = h("textarea", { rows: "1", id: "composer", enterkeyhint: "send", autocomplete: "off" });
  private button = h("button", { type: "submit", class: "send" });
  private later = h("button", { type: "button", class: "later", hidden: true }, icon("send"));
  private hint = h("p", { class: "composer-hint" });
  private working = false;
  private begun = false;
  private last = "";

  constructor(private hooks: ComposerHooks) {
    const label = h("label", { for: "composer", class: "sr" });
    this.element = h("form", { class: "composer" }, h("div", { class: "composer-box" }, label, this.field, this.later, this.button), h("div", { class: "composer-foot" }, this.hint, hooks.beside));
    inWords((w) => {
      label.textContent = w.composer;
      this.draw();
    });
    this.field.addEventListener("input", () => this.grow());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.later.addEventListener("click", () => {
      this.submit();
      this.field.focus();
    });
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.working) this.hooks.stop();
      else this.submit();
    });
  }

  setWorking(working: boolean): void {
    this.working = working;
    if (working) this.begun = true;
    this.draw();
  }

  setBegun(begun: boolean): void {
    this.begun = begun;
    this.draw();
  }

  fill(text: string): void {
    this.field.value = text;
    this.grow();
    this.field.focus();
    this.field.setSelectionRange(text.length, text.length);
  }

  /** Gives back what was sent and not heard. What was written since comes after it. */
  giveBack(text: string): void {
    this.fill([text, this.field.value].filter((part) => part.trim()).join("\n"));
  }

  private submit(): void {
    const text = this.field.value.trim();
    if (!text) return;
    this.last = text;
    this.field.value = "";
    this.grow();
    this.hooks.send(text);
  }

  private key(event: KeyboardEvent): void {
    // Enter that chooses a word of an input method must not send. (229: Safari ends the composition first.)
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "ArrowUp" && !this.field.value && this.last) {
      event.preventDefault();
      this.fill(this.last);
    }
  }

  private grow(): void {
    const hasText = this.field.value.trim() !== "";
    this.element.classList.toggle("has-text", hasText);
    this.later.hidden = !(this.working && hasText);
    // The field is narrower beside two buttons.
    if (this.field.isConnected) {
      this.field.style.height = "auto";
      this.field.style.height = `${Math.min(this.field.scrollHeight, 200)}px`;
    }
    const w = words();
    this.hint.textContent = !this.working ? w.hintIdle : hasText ? w.hintLater : w.hintWorking;
  }

  private draw(): void {
    const w = words();
    const name = this.working ? w.stop : w.send;
    set(this.button, { "aria-label": name, title: name, "data-mode": this.working ? "stop" : "send" });
    set(this.later, { "aria-label": w.sendLater, title: w.sendLater });
    this.field.placeholder = this.working ? w.placeholderWorking : this.begun ? w.placeholderMore : w.placeholderEmpty;
    this.grow();
    this.button.replaceChildren(this.working ? h("span", { class: "stop-square" }) : icon("send"));
  }
}
