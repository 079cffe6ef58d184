/** Messages that the user has written while the assistant works, shown above the composer until they are sent. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { localize, messages } from "../locale";

export class Queue {
  readonly element = h("ul", { class: "queue", hidden: true });
  private texts: string[] = [];

  /** `onChange` receives the messages whenever the user adds or removes one. */
  constructor(private onChange: (texts: readonly string[]) => void) {
    localize(() => this.draw());
  }

  add(text: string): void {
    this.texts.push(text);
    this.draw();
    this.onChange(this.texts);
  }

  /** Removes a message that was sent. */
  remove(text: string): void {
    const at = this.texts.indexOf(text);
    if (at >= 0) this.texts.splice(at, 1);
    this.draw();
  }

  /** Empties the queue and returns its messages. */
  clear(): string[] {
    const left = this.texts;
    this.texts = [];
    this.draw();
    if (left.length) this.onChange(this.texts);
    return left;
  }

  private draw(): void {
    const m = messages();
    this.element.hidden = this.texts.length === 0;
    set(this.element, { "aria-label": m.queued });
    const items = this.texts.map((text, at) => {
      const remove = h(
        "button",
        { type: "button", class: "queue-remove", "aria-label": m.removeQueued(text), title: m.removeQueued(text) },
        icon("close"),
      );
      remove.addEventListener("click", () => {
        this.texts.splice(at, 1);
        this.draw();
        this.onChange(this.texts);
      });
      return h(
        "li",
        { class: "queue-item" },
        h("span", { class: "queue-label" }, m.queued),
        h("span", { class: "queue-text" }, text),
        remove,
      );
    });
    this.element.replaceChildren(...items);
  }
}
