/** Above the composer: what the person has said while the desk works, until the desk hears it. */
import { h, set } from "../dom";
import { icon } from "../icons";
import { inWords, words } from "../words";

export class Queue {
  readonly element = h("ul", { class: "queue", hidden: true });
  private texts: string[] = [];

  /** `changed` is told what is left when the person takes something back. */
  constructor(private changed: (texts: readonly string[]) => void) {
    inWords(() => this.draw());
  }

  add(text: string): void {
    this.texts.push(text);
    this.draw();
    this.changed(this.texts);
  }

  /** The desk has heard something. */
  heard(text: string): void {
    const at = this.texts.indexOf(text);
    if (at >= 0) this.texts.splice(at, 1);
    this.draw();
  }

  /** Empties the queue; returns what was in it. */
  take(): string[] {
    const left = this.texts;
    this.texts = [];
    this.draw();
    if (left.length) this.changed(this.texts);
    return left;
  }

  private draw(): void {
    const w = words();
    this.element.hidden = this.texts.length === 0;
    set(this.element, { "aria-label": w.queued });
    const chips = this.texts.map((text, at) => {
      const remove = h("button", { type: "button", class: "queue-drop", "aria-label": w.dropQueued(text), title: w.dropQueued(text) }, icon("close"));
      remove.addEventListener("click", () => {
        this.texts.splice(at, 1);
        this.draw();
        this.changed(this.texts);
      });
      return h("li", { class: "queue-chip" }, h("span", { class: "queue-when" }, w.queued), h("span", { class: "queue-text" }, text), remove);
    });
    this.element.replaceChildren(...chips);
  }
}
