/** The outline: the sections of the document, with the one that the reader is in. */
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { Hunk, NodeJSON } from "copydesk";
import { hunksOf, hunksRevision } from "copydesk/tiptap";
import { isBlank, scrollToElement } from "./editor";
import { h, languageOf } from "./dom";
import { localize, messages } from "./locale";

export function mountOutline(nav: HTMLElement, editor: Editor, scroller: HTMLElement, onSelect: () => void): void {
  const heading = h("h2", { class: "outline-heading" });
  const list = h("ol", { class: "outline-list" });
  const empty = h("p", { class: "outline-empty" });
  const length = h("p", { class: "outline-length" });
  nav.append(heading, list, empty, length);
  let starts: { section: Section; heading: HTMLElement | null; button: HTMLButtonElement }[] = [];

  function draw() {
    const m = messages();
    const found = sectionsOf(editor);
    heading.textContent = m.outline;
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
    if (current) keepInView(nav, current);
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

interface Section {
  /** 0 for the introduction. */
  number: number;
  title: string;
  /** Returns its first element in the page. */
  find: () => HTMLElement | null;
  /** Pending changes of the section as a whole. */
  state: "proposed" | "deleted" | "";
}

/** Returns the sections with the pending changes applied, and those that would be deleted. */
function sectionsOf(editor: Editor): Section[] {
  const { doc } = editor.state;
  const hunks = hunksOf(editor);
  const found: Section[] = [];
  let number = 0;
  const add = (level: number, state: Section["state"], title: () => string, find: Section["find"]) => {
    const isIntroduction = number === 0 && (level === 1 ? !found[0]?.title : !found.length && !isBlank(editor));
    if (level === 2) {
      if (state !== "deleted") number++;
      found.push({ number, title: title(), find, state });
    } else if (isIntroduction) found[0] = { number: 0, title: level === 1 ? title() : "", find, state };
  };
  const addProposed = (hunk: Hunk) => {
    if (!hunk.block || doc.resolve(hunk.to).depth > 0) return;
    hunk.content.forEach((node, index) =>
      add(
        levelOf(node),
        "proposed",
        () => textOf(node),
        () => proposedBlock(editor, hunk, index),
      ),
    );
  };
  let next = 0;
  doc.forEach((node, offset) => {
    const end = offset + node.nodeSize;
    for (; next < hunks.length && hunks[next]!.to <= offset; next++) addProposed(hunks[next]!);
    const here: Hunk[] = [];
    for (let at = next; at < hunks.length && hunks[at]!.from < end; at++) here.push(hunks[at]!);
    const isDeleted = here.some(({ from, to, conflict }) => from <= offset && to >= end && !conflict);
    add(
      levelOf(node.toJSON()),
      isDeleted ? "deleted" : "",
      () => titleOf(node, offset + 1, isDeleted ? [] : here),
      () => elementAt(editor, offset),
    );
  });
  for (const hunk of hunks.slice(next)) addProposed(hunk);
  return found;
}

/** Returns the level of a heading, and 0 for other blocks. */
function levelOf({ type, attrs }: NodeJSON): number {
  return type === "heading" ? Number(attrs?.level) : 0;
}

function textOf({ text, content }: NodeJSON): string {
  return text ?? (content ?? []).map(textOf).join("");
}

/** Returns the text of a heading whose content begins at `start`, with its pending changes applied. */
function titleOf(heading: Node, start: number, hunks: readonly Hunk[]): string {
  let title = "";
  let at = 0;
  for (const { from, to, content, conflict } of hunks) {
    if (from < start || to > start + heading.content.size) continue;
    title += heading.textBetween(at, conflict ? to - start : from - start) + content.map(textOf).join("");
    at = to - start;
  }
  return (title + heading.textBetween(at, heading.content.size)).trim();
}

function elementAt({ view, state }: Editor, position: number): HTMLElement | null {
  const dom = position < state.doc.content.size ? view.nodeDOM(position) : null;
  return dom instanceof HTMLElement ? dom : null;
}

/** Returns a block of a proposal or, while that is not drawn, the block beside it. */
function proposedBlock(editor: Editor, { id, to }: Hunk, index: number): HTMLElement | null {
  const drawn = editor.view.dom.querySelector(
    `.copydesk-proposal[data-copydesk-hunk="${CSS.escape(id)}"] > .copydesk-insertion`,
  )?.children[index];
  if (drawn instanceof HTMLElement) return drawn;
  return elementAt(editor, to) ?? (editor.view.dom.lastElementChild as HTMLElement | null);
}

/** Counts the words of Latin text and the characters of Chinese text. */
function countWords(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const others =
    text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.filter((word) => !/\p{Script=Han}/u.test(word)).length ?? 0;
  return han + others;
}
