/** The sections of the document, with its pending changes applied. */
import type { Editor } from "@tiptap/core";
import { Fragment, type Node } from "@tiptap/pm/model";
import type { Hunk, NodeJSON } from "copydesk";
import { hunksOf } from "../review/hunks.js";
import { isBlank } from "./ranges.js";

export interface Section {
  /** 0 for the introduction. */
  number: number;
  title: string;
  /** Returns its first element in the page. */
  find: () => HTMLElement | null;
  /** Pending changes of the section as a whole. */
  state: "proposed" | "deleted" | "";
  /** Its blocks, without those that would be deleted. */
  blocks: Node[];
}

/** Returns the sections with the pending changes applied, and those that would be deleted. */
export function sectionsOf(editor: Editor): Section[] {
  const { doc } = editor.state;
  const hunks = hunksOf(editor);
  const found: Section[] = [];
  let number = 0;
  const add = (node: Node, state: Section["state"], title: () => string, find: Section["find"]) => {
    const level = levelOf(node);
    const isIntroduction = number === 0 && (level === 1 ? !found[0]?.title : !found.length && !isBlank(editor));
    if (level === 2) {
      if (state !== "deleted") number++;
      found.push({ number, title: title(), find, state, blocks: [] });
    } else if (isIntroduction) {
      const blocks = found[0]?.blocks ?? [];
      found[0] = { number: 0, title: level === 1 ? title() : "", find, state, blocks };
    }
    if (state !== "deleted") found.at(-1)?.blocks.push(node);
  };
  /** Hunks that change the form of blocks and no text: the index of the first one, and the blocks as they will be. */
  const formed = new Map<Hunk, { first: number; blocks: Fragment }>();
  for (const hunk of hunks) {
    const { block, kind, conflict, originalText, newText, from, to, content } = hunk;
    if (!block || kind !== "edit" || conflict || originalText !== newText || doc.resolve(to).depth > 0) continue;
    const first = doc.resolve(from).index();
    if (doc.resolve(to).index() - first === content.length)
      formed.set(hunk, { first, blocks: Fragment.fromJSON(doc.type.schema, content) });
  }
  const addProposed = (hunk: Hunk) => {
    if (!hunk.block || formed.has(hunk) || doc.resolve(hunk.to).depth > 0) return;
    hunk.content.forEach((node, index) =>
      add(
        doc.type.schema.nodeFromJSON(node),
        "proposed",
        () => textOf(node),
        () => proposedBlock(editor, hunk, index),
      ),
    );
  };
  let next = 0;
  doc.forEach((node, offset, index) => {
    const end = offset + node.nodeSize;
    for (; next < hunks.length && hunks[next]!.to <= offset; next++) addProposed(hunks[next]!);
    const here: Hunk[] = [];
    for (let at = next; at < hunks.length && hunks[at]!.from < end; at++) here.push(hunks[at]!);
    const form = here.map((hunk) => formed.get(hunk)).find((one) => one !== undefined);
    if (form) {
      const block = form.blocks.maybeChild(index - form.first) ?? node;
      const isNew = levelOf(block) !== levelOf(node);
      return add(
        block,
        isNew ? "proposed" : "",
        () => block.textContent.trim(),
        () => elementOf(editor, node),
      );
    }
    const isDeleted = here.some(({ from, to, conflict }) => from <= offset && to >= end && !conflict);
    add(
      node,
      isDeleted ? "deleted" : "",
      () => titleOf(node, offset + 1, isDeleted ? [] : here),
      () => (offset === 0 ? elementAt(editor, 0) : elementOf(editor, node)),
    );
  });
  for (const hunk of hunks.slice(next)) addProposed(hunk);
  return found;
}

/** Returns the titles of the sections by their index in the document, with the pending changes applied. */
export function titlesOf(editor: Editor): string[] {
  const titles: string[] = [];
  for (const { number, title, state } of sectionsOf(editor)) if (state !== "deleted") titles[number] = title;
  return titles;
}

/** Returns the level of a heading, and 0 for other blocks. */
function levelOf({ type, attrs }: Node): number {
  return type.name === "heading" ? Number(attrs.level) : 0;
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

/** Returns the element of a top-level block, wherever it is now. */
function elementOf(editor: Editor, block: Node): HTMLElement | null {
  let position = 0;
  for (const child of editor.state.doc.children) {
    if (child === block) return elementAt(editor, position);
    position += child.nodeSize;
  }
  return null;
}

/** Returns a block of a proposal or, while that is not drawn, the block beside it. */
function proposedBlock(editor: Editor, { id, to }: Hunk, index: number): HTMLElement | null {
  const drawn = editor.view.dom.querySelector(
    `.copydesk-proposal[data-copydesk-hunk="${CSS.escape(id)}"] > .copydesk-insertion`,
  )?.children[index];
  if (drawn instanceof HTMLElement) return drawn;
  return elementAt(editor, to) ?? (editor.view.dom.lastElementChild as HTMLElement | null);
}
