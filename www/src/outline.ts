/** The outline: the sections of the document, with the one that the reader is in. */
import type { Editor } from "@tiptap/core";
import { h, languageOf } from "./dom";
import { watchOf } from "./document-watch";
import { localize, messages } from "./locale";
import { scrollToElement, sectionsOf, type Section } from "copydesk/assistant";

export function mountOutline(panel: HTMLElement, editor: Editor, scroller: HTMLElement, onSelect: () => void): void {
  const nav = h("nav", {});
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(list, empty, length);
  panel.append(nav);
  const watch = watchOf(editor);
  let starts: { section: Section; heading: HTMLElement | null; button: HTMLButtonElement }[] = [];
  let current: HTMLButtonElement | null = null;

  function draw() {
    const m = messages();
    const found = sectionsOf(editor);
    nav.setAttribute("aria-label", m.outline);
    empty.textContent = m.noSections;
    empty.hidden = found.length > 0;
    starts = [];
    current = null;
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
    drawLength();
    markCurrent();
  }

  function drawLength() {
    length.textContent = editor.isEmpty ? "" : messages().wordCount(watch.words);
  }

  /** Marks the last section that begins above the reader's line. Sections are in the order of the page. */
  function markCurrent() {
    const top = scroller.getBoundingClientRect().top + 120;
    let [first, last] = [0, starts.length - 1];
    while (first < last) {
      const middle = (first + last + 1) >> 1;
      const start = starts[middle]!;
      if (!start.heading?.isConnected) start.heading = start.section.find();
      if (start.heading && start.heading.getBoundingClientRect().top <= top) first = middle;
      else last = middle - 1;
    }
    const button = starts[first]?.button ?? null;
    if (button !== current) {
      current?.removeAttribute("aria-current");
      button?.setAttribute("aria-current", "location");
      current = button;
    }
    if (current) keepInView(nav.closest<HTMLElement>(".outline") ?? nav, current);
  }

  watch.follow(({ structure }) => {
    if (structure) draw();
    else drawLength();
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
