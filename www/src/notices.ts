/** Sentences about the state of the page, above the document: each with buttons that help. */
import { html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { drawIn } from "./draw";
import type { Messages } from "./locale";

interface Notice {
  text: (m: Messages) => string;
  buttons: { name: (m: Messages) => string; run: () => void }[];
}

export class Notices {
  private shown = new Map<string, Notice>();
  private draw: () => void;

  constructor(element: HTMLElement) {
    this.draw = drawIn(
      element,
      (m) =>
        html`${repeat(
          this.shown,
          ([name]) => name,
          (each) => notice(...each, m),
        )}`,
    );
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
}

function notice(name: string, { text, buttons }: Notice, m: Messages) {
  const button = ({ name, run }: Notice["buttons"][number]) =>
    html`<button type="button" class="button plain small" @click=${run}>${name(m)}</button>`;
  const line = html`<p>${text(m)}</p>`;
  return html`<div class="page-notice" data-notice=${name}>${line}${buttons.map(button)}</div>`;
}
