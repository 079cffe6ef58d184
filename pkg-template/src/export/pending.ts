/** The document of an editor with the changes that wait for a decision: without them, with them, or with both marked. */

import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { check, CopydeskError } from "../base/error.js";
import type { Hunk, NodeJSON } from "../types/index.js";

/**
 * The version of pending changes that is exported: the document with them (`accepted`), without them (`rejected`), or
 * both versions, with marks of the types `insertion` and `deletion` (`marked`).
 */
export type Pending = "accepted" | "rejected" | "marked";

export interface PendingOptions {
  /** Required if changes are pending in an editor; ignored for documents that are given as JSON. */
  pending?: Pending;
}

/** The types of the marks of `marked`. They need not be in the editor's schema. */
export const CHANGES = ["insertion", "deletion"] as const;
export type ChangeMark = (typeof CHANGES)[number];

/** Returns whether content is inserted or deleted by a pending change; undefined if it is in both versions. */
export function changeOf({ marks }: NodeJSON): ChangeMark | undefined {
  return CHANGES.find((change) => marks?.some(({ type }) => type === change));
}

/**
 * Returns the document of an editor as JSON.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter` if changes are pending and `pending` is not stated, or
 * `not_loaded` if they are those of an earlier page and the wasm is not loaded.
 */
export function pendingJSON(editor: Editor, pending?: Pending): NodeJSON {
  const hunks = hunksOf(editor);
  const isStated = ["accepted", "rejected", "marked"].includes(pending as string);
  const expected = `"accepted" (with the ${hunks.length} changes that wait for a decision), "rejected" (without them) or "marked"`;
  check(isStated || (pending === undefined && !hunks.length), "pending", pending, expected);
  const { doc } = editor.state;
  return hunks.length && pending !== "rejected"
    ? merged(doc, 0, hunks, pending === "marked")
    : (doc.toJSON() as NodeJSON);
}

/** Returns true for an editor. */
export function isEditor(given: unknown): given is Editor {
  const state = (given as Partial<Editor> | null | undefined)?.state;
  return typeof given === "object" && given !== null && typeof state?.doc?.toJSON === "function";
}

function hunksOf(editor: Editor): readonly Hunk[] {
  const { hunks = [], document } = (editor.storage as Partial<Editor["storage"]>).copydesk?.pending ?? {};
  // Their positions are those of the document before the user has typed.
  if (document && hunks.length) {
    const message = "The pending changes of this editor are not restored yet. Await init() before you export it.";
    throw new CopydeskError({ code: "not_loaded", message, details: {} });
  }
  return hunks;
}

/** Returns a node as JSON with these changes, which are ascending and do not overlap. `start` is where its content begins. */
function merged(node: Node, start: number, hunks: readonly Hunk[], isMarked: boolean): NodeJSON {
  const content: NodeJSON[] = [];
  const add = (json: NodeJSON, change?: ChangeMark) =>
    append(content, isMarked && change ? marked(json, change) : json);
  let rest = hunks;
  const insert = (until: number) => {
    while (rest[0] && rest[0].to <= until) {
      for (const json of rest[0].content) add(json, "insertion");
      rest = rest.slice(1);
    }
  };
  node.forEach((child, offset) => {
    const [from, to] = [start + offset, start + offset + child.nodeSize];
    insert(from);
    if (child.isText) {
      addText(child, from, to);
      return;
    }
    const [next] = rest;
    if (next && next.from <= from && to <= next.to) {
      if (isMarked) add(child.toJSON() as NodeJSON, "deletion");
      return;
    }
    const isInside = (hunk: Hunk) => hunk.from > from && hunk.to < to;
    const inside = rest.filter(isInside);
    rest = rest.filter((hunk) => !isInside(hunk));
    add(inside.length ? merged(child, from + 1, inside, isMarked) : (child.toJSON() as NodeJSON));
  });
  insert(Infinity);
  const json = shell(node);
  return content.length ? { ...json, content } : json;

  function addText(text: Node, from: number, to: number): void {
    let at = from;
    const cut = (end: number, change?: ChangeMark) => {
      if (end > at && (isMarked || !change)) add(text.cut(at - from, end - from).toJSON() as NodeJSON, change);
      at = Math.max(at, end);
    };
    while (at < to) {
      insert(at);
      const [next] = rest;
      if (!next || next.from >= to) break;
      cut(next.from);
      if (next.to > at) cut(Math.min(next.to, to), "deletion");
    }
    cut(to);
  }
}

/** Returns a node as JSON without its content. */
function shell(node: Node): NodeJSON {
  return node.type.create(node.attrs, null, node.marks).toJSON() as NodeJSON;
}

/** Appends a node. Text with the same marks is one node, as everywhere in ProseMirror. */
function append(content: NodeJSON[], json: NodeJSON): void {
  const last = content.at(-1);
  const isJoined = last?.text !== undefined && json.text !== undefined;
  if (isJoined && JSON.stringify(last.marks ?? []) === JSON.stringify(json.marks ?? []))
    content[content.length - 1] = { ...last, text: `${last.text}${json.text}` };
  else content.push(json);
}

function marked(json: NodeJSON, change: ChangeMark): NodeJSON {
  const { content, marks = [] } = json;
  const inside = content && { content: content.map((child) => marked(child, change)) };
  return { ...json, ...inside, marks: [{ type: change }, ...marks] };
}
