/** The outline: the sections of the document, with the one that the reader is in. */
import type { Editor } from "@tiptap/core";
import { hunksOf } from "copydesk/tiptap";
import { isBlank, scrollToElement } from "./editor";
import { h, languageOf } from "./dom";
import { localize, messages } from "./locale";

export function mountOutline(nav: HTMLElement, editor: Editor, scroller: HTMLElement, onSelect: () => void): void {
  const heading = h("h2", { class: "outline-heading" });
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(heading, list, empty, length);
  let starts: { heading: HTMLElement; button: HTMLButtonElement }[] = [];

  function draw() {
    const m = messages();
    const found = sectionsOf(editor);
    heading.textContent = m.outline;
    empty.textContent = m.noSections;
    empty.hidden = found.length > 0;
    length.textContent = editor.isEmpty ? "" : m.wordCount(countWords(editor.getText()));
    starts = [];
    const entries = found.map(({ number, title, element, state }) => {
      const button = h(
        "button",
        { type: "button", class: `${number ? "outline-entry" : "outline-title"} ${state}`, lang: title ? languageOf(title) : undefined },
        number > 0 && h("span", { class: "outline-number" }, String(number)),
        h("span", { class: "outline-name" }, title || (number ? "…" : m.introduction)),
      );
      button.addEventListener("click", () => {
        scrollToElement(editor, element);
        onSelect();
      });
      starts.push({ heading: element, button });
      return h("li", {}, button);
    });
    list.replaceChildren(...entries);
    markCurrent();
  }

  function markCurrent() {
    const top = scroller.getBoundingClientRect().top + 120;
    let current: HTMLButtonElement | undefined;
    for (const { heading, button } of starts) {
      if (!current || heading.getBoundingClientRect().top <= top) current = button;
    }
    for (const { button } of starts) {
      if (button === current) button.setAttribute("aria-current", "location");
      else button.removeAttribute("aria-current");
    }
    if (current) keepInView(nav, current);
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: unknown;
  editor.on("transaction", ({ transaction }) => {
    if (!transaction.docChanged && shown === hunksOf(editor)) return;
    shown = hunksOf(editor);
    clearTimeout(timer);
    timer = setTimeout(draw, 60);
  });
  let scheduled = false;
  scroller.addEventListener("scroll", () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      markCurrent();
    });
  });
  localize(draw);
}

/** Scrolls the outline, and nothing else, so far that an entry is in view. */
function keepInView(nav: HTMLElement, entry: HTMLElement): void {
  const [frame, box] = [nav.getBoundingClientRect(), entry.getBoundingClientRect()];
  const margin = Math.min(60, frame.height / 4);
  if (box.top < frame.top + margin) nav.scrollTop -= frame.top + margin - box.top;
  else if (box.bottom > frame.bottom - margin) nav.scrollTop += box.bottom - frame.bottom + margin;
}

interface Section {
  /** 0 for the introduction. */
  number: number;
  title: string;
  element: HTMLElement;
  /** Pending changes of the section as a whole. */
  state: "proposed" | "deleted" | "";
}

/** Returns the sections as the page shows them: those of the document and the proposed ones. */
function sectionsOf(editor: Editor): Section[] {
  const page = editor.view.dom;
  const blocks = [...page.querySelectorAll<HTMLElement>(":scope > *, :scope > .copydesk-proposal > .copydesk-insertion > *")].filter(
    (block) => !block.matches(".copydesk-proposal, .copydesk-preview, .highlight-gap"),
  );
  const found: Section[] = [];
  let number = 0;
  for (const element of blocks) {
    const isIntroduction = number === 0 && (element.localName === "h1" ? !found[0]?.title : !found.length && !isBlank(editor));
    if (element.localName !== "h2" && !isIntroduction) continue;
    const state = element.closest(".copydesk-proposal") ? "proposed" : element.matches(".copydesk-deletion") ? "deleted" : "";
    if (element.localName === "h2") {
      if (state !== "deleted") number++;
      found.push({ number, title: titleOf(element), element, state });
    } else found[0] = { number: 0, title: element.localName === "h1" ? titleOf(element) : "", element, state };
  }
  return found;
}

/** Returns the text of a heading with its pending changes applied. */
function titleOf(heading: HTMLElement): string {
  const copy = heading.cloneNode(true) as HTMLElement;
  for (const extra of copy.querySelectorAll("del, .copydesk-controls")) extra.remove();
  return copy.textContent?.trim() ?? "";
}

/** Counts the words of Latin text and the characters of Chinese text. */
function countWords(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
