/** The outline: the sections of the document, kept in step with it, and where the reader is. */
import type { Editor } from "@tiptap/core";
import { hunksOf } from "copydesk/tiptap";
import { isBlank, scrollToElement } from "./editor";
import { h, languageOf } from "./dom";
import { inWords, words } from "./words";

export function mountOutline(nav: HTMLElement, editor: Editor, scroller: HTMLElement, chosen: () => void): void {
  const heading = h("h2", { class: "outline-heading" });
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(heading, list, empty, length);
  let starts: { heading: HTMLElement; button: HTMLButtonElement }[] = [];

  function draw() {
    const now = words();
    const found = sectionsOf(editor);
    heading.textContent = now.outline;
    empty.textContent = now.noSections;
    empty.hidden = found.length > 0;
    length.textContent = editor.isEmpty ? "" : now.lengthOf(countWords(editor.getText()));
    starts = [];
    const entries = found.map(({ number, title, element, state }) => {
      const button = h(
        "button",
        { type: "button", class: `${number ? "outline-entry" : "outline-title"} ${state}`, lang: title ? languageOf(title) : undefined },
        number > 0 && h("span", { class: "outline-number" }, String(number)),
        h("span", { class: "outline-name" }, title || (number ? "…" : now.opening)),
      );
      button.addEventListener("click", () => {
        scrollToElement(editor, element);
        chosen();
      });
      starts.push({ heading: element, button });
      return h("li", {}, button);
    });
    list.replaceChildren(...entries);
    markReader();
  }

  function markReader() {
    const top = scroller.getBoundingClientRect().top + 120;
    let current: HTMLButtonElement | undefined;
    for (const { heading, button } of starts) {
      if (!current || heading.getBoundingClientRect().top <= top) current = button;
    }
    for (const { button } of starts) {
      if (button === current) button.setAttribute("aria-current", "location");
      else button.removeAttribute("aria-current");
    }
  }

  let waiting: ReturnType<typeof setTimeout> | undefined;
  let shown: unknown;
  editor.on("transaction", ({ transaction }) => {
    if (!transaction.docChanged && shown === hunksOf(editor)) return;
    shown = hunksOf(editor);
    clearTimeout(waiting);
    waiting = setTimeout(draw, 60);
  });
  let asked = false;
  scroller.addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      markReader();
    });
  });
  inWords(draw);
}

interface Section {
  /** 0 for the opening. */
  number: number;
  title: string;
  element: HTMLElement;
  /** Whether the section is a proposal, is about to go, or neither. */
  state: "coming" | "going" | "";
}

/** The sections as the page shows them: those of the document, and those that wait for the person. */
function sectionsOf(editor: Editor): Section[] {
  const page = editor.view.dom;
  const blocks = [...page.querySelectorAll<HTMLElement>(":scope > *, :scope > .copydesk-proposal > .copydesk-insertion > *")].filter(
    (block) => !block.matches(".copydesk-proposal, .copydesk-preview, .lit-gap"),
  );
  const found: Section[] = [];
  let number = 0;
  for (const element of blocks) {
    const isOpening = number === 0 && (element.localName === "h1" ? !found[0]?.title : !found.length && !isBlank(editor));
    if (element.localName !== "h2" && !isOpening) continue;
    const state = element.closest(".copydesk-proposal") ? "coming" : element.matches(".copydesk-deletion") ? "going" : "";
    if (element.localName === "h2") {
      if (state !== "going") number++;
      found.push({ number, title: titleOf(element), element, state });
    } else found[0] = { number: 0, title: element.localName === "h1" ? titleOf(element) : "", element, state };
  }
  return found;
}

/** The text of a heading as it would be. */
function titleOf(heading: HTMLElement): string {
  const copy = heading.cloneNode(true) as HTMLElement;
  for (const extra of copy.querySelectorAll("del, .copydesk-controls")) extra.remove();
  return copy.textContent?.trim() ?? "";
}

/** Words of Latin text and characters of Chinese text, as each language counts its length. */
function countWords(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
