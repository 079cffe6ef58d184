/** The outline: the sections of the document, kept in step with it, and where the reader is. */
import type { Editor } from "@tiptap/core";
import { documentOf, scrollTo } from "./editor";
import { h, languageOf } from "./dom";
import { inWords, words } from "./words";

export function mountOutline(nav: HTMLElement, editor: Editor, scroller: HTMLElement, chosen: () => void): void {
  const heading = h("h2", { class: "outline-heading" });
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(heading, list, empty, length);
  let starts: { position: number; button: HTMLButtonElement }[] = [];

  function draw() {
    const sections = documentOf(editor).outline();
    const now = words();
    heading.textContent = now.outline;
    empty.textContent = now.noSections;
    empty.hidden = sections.length > 0;
    const text = editor.getText();
    length.textContent = sections.length ? now.lengthOf(countWords(text)) : "";
    starts = [];
    const entries = sections
      .filter((section) => section.index > 0 || section.title || section.to > section.from)
      .map((section) => {
        const button = h(
          "button",
          { type: "button", class: section.index === 0 ? "outline-title" : "outline-entry", lang: section.title ? languageOf(section.title) : undefined },
          section.index > 0 && h("span", { class: "outline-number" }, String(section.index)),
          h("span", { class: "outline-name" }, section.title || (section.index === 0 ? now.opening : "…")),
        );
        button.addEventListener("click", () => {
          const fresh = documentOf(editor).outline()[section.index];
          if (fresh) scrollTo(editor, fresh.from);
          chosen();
        });
        starts.push({ position: section.from, button });
        return h("li", {}, button);
      });
    list.replaceChildren(...entries);
    markReader();
  }

  function markReader() {
    const top = scroller.getBoundingClientRect().top + 120;
    let current: HTMLButtonElement | undefined;
    for (const { position, button } of starts) {
      const dom = position < editor.state.doc.content.size ? editor.view.nodeDOM(position) : null;
      if (!current || (dom instanceof HTMLElement && dom.getBoundingClientRect().top <= top)) current = button;
    }
    for (const { button } of starts) {
      if (button === current) button.setAttribute("aria-current", "location");
      else button.removeAttribute("aria-current");
    }
  }

  let waiting: ReturnType<typeof setTimeout> | undefined;
  editor.on("update", () => {
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

/** Words of Latin text and characters of Chinese text, as each language counts its length. */
function countWords(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
