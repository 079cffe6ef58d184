/** The outline: the sections of the document, with the one that the reader is in. */
import type { Editor } from "@tiptap/core";
import { hunksRevision } from "copydesk/tiptap";
import { scrollToElement } from "./editor";
import { h, languageOf } from "./dom";
import { localize, messages } from "./locale";
import { sectionsOf, type Section } from "./sections";

export function mountOutline(panel: HTMLElement, editor: Editor, scroller: HTMLElement, onSelect: () => void): void {
  const nav = h("nav", {});
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(list, empty, length);
  panel.append(nav);
  let starts: { section: Section; heading: HTMLElement | null; button: HTMLButtonElement }[] = [];

  function draw() {
    const m = messages();
    const found = sectionsOf(editor);
    nav.setAttribute("aria-label", m.outline);
    empty.textContent = m.noSections;
    empty.hidden = found.length > 0;
    length.textContent = editor.isEmpty ? "" : m.wordCount(countWords(editor.getText()));
    starts = [];
    const entries = found.map((section) => {
      const { number, title, state } = section;
      const button = h(
        "button",
        {
          type: "button",
          class: `${number ? "outline-entry" : "outline-title"} ${state}`,
          lang: title ? languageOf(title) : undefined,
        },
        number > 0 && h("span", { class: "outline-number" }, String(number)),
        h("span", { class: "outline-name" }, title || (number ? "…" : m.introduction)),
      );
      button.addEventListener("click", () => {
        const element = section.find();
        if (element) scrollToElement(editor, element);
        onSelect();
      });
      starts.push({ section, heading: null, button });
      return h("li", {}, button);
    });
    list.replaceChildren(...entries);
    markCurrent();
  }

  function markCurrent() {
    const top = scroller.getBoundingClientRect().top + 120;
    let current: HTMLButtonElement | undefined;
    for (const start of starts) {
      if (!start.heading?.isConnected) start.heading = start.section.find();
      if (!current || (start.heading && start.heading.getBoundingClientRect().top <= top)) current = start.button;
    }
    for (const { button } of starts) {
      if (button === current) button.setAttribute("aria-current", "location");
      else button.removeAttribute("aria-current");
    }
    if (current) keepInView(nav.closest<HTMLElement>(".outline") ?? nav, current);
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = hunksRevision(editor);
  editor.on("transaction", ({ transaction }) => {
    if (!transaction.docChanged && shown === hunksRevision(editor)) return;
    shown = hunksRevision(editor);
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

/** Counts the words of Latin text and the characters of Chinese text. */
function countWords(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others =
    text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
