/** Changes of an editor's document that the wasm is told later. */

import type { Node } from "@tiptap/pm/model";

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
    // A read does not end it: a timer for each key would take a part of the time that is saved.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.isEmpty) whenIdle(this.#report);
    }, PAUSE);
    return this.#changes.length < MOST;
  }

  /** Removes and returns all. */
  take(): readonly LateChange[] {
    const changes = this.#changes;
    if (changes.length) this.#changes = [];
    return changes;
  }

  /** Does not call `report` any more. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Returns the index of the only top-level block that is another object, if it is still one of its type: the wasm then knows
 * that it is the same block. */
function blockOf({ content: { content: before } }: Node, { content: { content: after } }: Node): number | undefined {
  if (before.length !== after.length) return undefined;
  let [start, end] = [0, before.length - 1];
  while (start < end && before[start] === after[start]) start++;
  while (end > start && before[end] === after[end]) end--;
  return start === end && before[start]?.type === after[start]?.type ? start : undefined;
}

function whenIdle(act: () => void): void {
  // Safari has no such callback.
  if (typeof requestIdleCallback === "function") requestIdleCallback(act, { timeout: 1000 });
  else act();
}
