/** The form of documents: what is read further is recursive, and expects nodes. */

import { check } from "../base/error.js";
import { isObject } from "../base/json.js";
import type { NodeJSON } from "../types/index.js";

/** Levels of nodes. No editor shows more. */
const DEEPEST = 500;

/** @throws CopydeskError `invalid_parameter` for what is not a document of ProseMirror, or nested too deep. */
export function checkDocument(json: NodeJSON, name: string): void {
  let level: readonly NodeJSON[] = [json];
  for (let depth = 0; level.length; depth++) {
    check(depth < DEEPEST, name, "nested too deep", `a document of at most ${DEEPEST} levels`);
    const next: NodeJSON[] = [];
    for (const node of level) {
      const isNode =
        isObject(node) &&
        typeof node.type === "string" &&
        (node.text === undefined || typeof node.text === "string") &&
        hasAttributes(node) &&
        isListOf(node.marks, (mark) => isObject(mark) && typeof mark.type === "string" && hasAttributes(mark)) &&
        isListOf(node.content, () => true);
      check(isNode, name, node, "a document as editor.getJSON() returns it");
      for (const child of node.content ?? []) next.push(child);
    }
    level = next;
  }
}

function hasAttributes({ attrs }: { attrs?: unknown }): boolean {
  return attrs === undefined || (isObject(attrs) && !Array.isArray(attrs));
}

function isListOf<T>(list: readonly T[] | undefined, isOne: (value: T) => boolean): boolean {
  return list === undefined || (Array.isArray(list) && list.every(isOne));
}
