/** Sentences about the state of the page, above the document: each with buttons that help. */
import { h } from "./dom";
import { localize, messages, type Messages } from "./locale";

interface Notice {
  text: (m: Messages) => string;
  buttons: { name: (m: Messages) => string; run: () => void }[];
}

export class Notices {
  readonly element = h("div", { class: "page-notices", role: "status" });
  private shown = new Map<string, Notice>();

  constructor() {
    localize(() => this.draw());
  }

  /** Shows a notice instead of the one with the same name. */
  show(name: string, text: Notice["text"], buttons: Notice["buttons"] = []): void {
    this.shown.set(name, { text, buttons });
    this.draw();
  }

  /** Shows a notice that the user closes. */
  tell(name: string, text: Notice["text"]): void {
    this.show(name, text, [{ name: (m) => m.close, run: () => this.remove(name) }]);
  }

  /** Shows a notice of what failed and can be tried again. */
  failed(name: string, text: Notice["text"], run: () => void): void {
    this.show(name, text, [{ name: (m) => m.tryAgain, run }]);
  }

  remove(name: string): void {
    if (this.shown.delete(name)) this.draw();
  }

  private draw(): void {
    const m = messages();
    const lines = [...this.shown].map(([name, { text, buttons }]) => {
      const made = buttons.map(({ name, run }) => {
        const button = h("button", { type: "button", class: "button plain small" }, name(m));
        button.addEventListener("click", run);
        return button;
      });
      return h("div", { class: "page-notice", "data-notice": name }, h("p", {}, text(m)), ...made);
    });
    this.element.replaceChildren(...lines);
  }
}
