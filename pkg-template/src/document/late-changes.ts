/** Changes of an editor's document that the wasm is told later. */

import type { Node } from "@tiptap/pm/model";
import { changedRanges } from "./changed-ranges.js";

/** A change inside of one top-level block. */
export interface LateChange {
  index: number;
  /** The document after it. */
  doc: Node;
}

/** The most changes that wait. */
const MOST = 100;
/** The shortest time between two reports of typing, in milliseconds. */
const PAUSE = 200;

/**
 * The changes since the last report, in their order, and the time of the next. Nobody needs them before somebody reads the
 * document, so a key does not wait for them; several characters in one block are one change.
 */
export class LateChanges {
  #changes: LateChange[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #report: () => void;

  /** `report` is called when the page is idle. */
  constructor(report: () => void) {
    this.#report = report;
  }

  get isEmpty(): boolean {
    return !this.#changes.length;
  }

  /** The document after all of them. */
  get last(): Node | undefined {
    return this.#changes.at(-1)?.doc;
  }

  /** Adds the change from `before`, the document after the last one, to `after`. With `isJoined` it may be one with the
   * last. Returns false if it has to be reported at once. */
  add(before: Node, after: Node, isJoined: boolean): boolean {
    const index = blockOf(before, after);
    if (index === undefined) return false;
    const last = this.#changes.at(-1);
    if (isJoined && last?.index === index) last.doc = after;
    else this.#changes.push({ index, doc: after });
    this.#timer ??= setTimeout(() => whenIdle(this.#report), PAUSE);
    return this.#changes.length < MOST;
  }

  /** Removes and returns all. */
  take(): readonly LateChange[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changes = this.#changes;
    if (changes.length) this.#changes = [];
    return changes;
  }
}

/** Returns the index of the only top-level block that differs, if it is still one of its type: the wasm then knows that it is
 * the same block. */
function blockOf(before: Node, after: Node): number | undefined {
  if (before.childCount !== after.childCount) return undefined;
  const ranges = changedRanges(before.content.content, after.content.content);
  const [index, end] = ranges[0] ?? [];
  if (index === undefined || ranges.length > 1 || end !== index + 1) return undefined;
  return before.child(index).type === after.child(index).type ? index : undefined;
}

function whenIdle(act: () => void): void {
  // Safari has no such callback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(act, { timeout: 1000 });
  else act();
}
