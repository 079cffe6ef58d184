/** What the chat shows before a conversation: a greeting, and prompts that fit the document and the files. */
import type { Editor } from "@tiptap/core";
import { hunksOf } from "copydesk/tiptap";
import { h } from "../dom";
import { editModeOf, isBlank } from "../editor";
import { messages } from "../locale";
import type { Session } from "../session";
import { suggestions } from "./suggestions";

/** Milliseconds without a change of the document until the suggestions of the demo model are drawn. */
const DELAY = 200;
const MOST_SUGGESTIONS = 5;

export class Welcome {
  readonly element = h("div", { class: "welcome" });
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last search for suggestions of the demo model. */
  private search = 0;

  constructor(
    private editor: Editor,
    private session: Session,
    private send: (text: string) => void,
  ) {
    // The runs of the demo model fit whole texts.
    editor.on("update", () => session.demo && this.element.isConnected && this.drawLater());
  }

  /** Draws it for the present document and files. */
  draw(): void {
    const { editor, session } = this;
    const m = messages();
    if (!session.demo) return this.show(suggestions(editor, m, session.fileCount));
    // The first look does not wait for the demo model.
    if (isBlank(editor) && !hunksOf(editor).length && !session.fileCount) this.show(suggestions(editor, m, null));
    this.drawLater();
  }

  private drawLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.drawRuns(), DELAY);
  }

  /** Shows the prompts that have a recorded run. */
  private async drawRuns(): Promise<void> {
    const search = ++this.search;
    const texts = await this.session.demoSuggestions().catch((error: unknown) => {
      // Without the network there are none.
      console.warn(error);
      return [];
    });
    if (search === this.search && this.session.demo) this.show(texts.slice(0, MOST_SUGGESTIONS));
  }

  private show(texts: readonly string[]): void {
    const m = messages();
    // Mostly the same as before.
    const drawn = [m.lang, editModeOf(), ...texts].join("\n");
    if (drawn === this.element.dataset.drawn) return;
    this.element.dataset.drawn = drawn;
    const items = texts.map((text) => {
      const button = h("button", { type: "button", class: "suggestion" }, text);
      button.addEventListener("click", () => this.send(text));
      return h("li", {}, button);
    });
    this.element.replaceChildren(
      h("h3", {}, m.welcomeTitle),
      h("p", {}, m.welcomeText[editModeOf()]),
      h("ul", { class: "suggestions" }, ...items),
    );
  }
}
