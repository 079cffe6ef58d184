/** Documents as JSON in slices: text for a worker, in parts that are each fast to write and to read. */

import { nextTask } from "../base/next-task.js";
import type { NodeJSON } from "../types/index.js";

/** Siblings as a JSON list, or one node whose content is in slices. */
export type Slice = string | { shell: string; content: Slice[] };

/** The nodes of a slice: a millisecond of work. */
const MOST_NODES = 1_000;
/** Nodes in nodes beyond this depth are one slice. Documents have fewer. */
const DEEPEST = 1_000;
/** The milliseconds after which a thread can do other things. */
const LONGEST = 8;

/** Splits nodes, which can be anything that is not a document. Fails with what `JSON.stringify` throws. */
export function* split(nodes: readonly unknown[], depth = 0): Generator<void, Slice[], void> {
  const slices: Slice[] = [];
  let siblings: unknown[] = [];
  let size = 0;
  const flush = (): void => {
    if (siblings.length > 0) slices.push(JSON.stringify(siblings));
    siblings = [];
    size = 0;
  };
  for (const node of nodes) {
    const count = countOf(node, MOST_NODES);
    if (count > MOST_NODES && depth < DEEPEST) {
      flush();
      const { content, ...shell } = node as NodeJSON;
      slices.push({ shell: JSON.stringify(shell), content: yield* split(content ?? [], depth + 1) });
    } else {
      siblings.push(node);
      size += count;
      if (size > MOST_NODES) flush();
    }
    yield;
  }
  flush();
  return slices;
}

/** Returns the nodes of slices. */
export function* join(slices: readonly Slice[]): Generator<void, NodeJSON[], void> {
  const nodes: NodeJSON[] = [];
  for (const slice of slices) {
    if (typeof slice === "string") for (const node of JSON.parse(slice) as NodeJSON[]) nodes.push(node);
    else {
      const shell = JSON.parse(slice.shell) as NodeJSON;
      nodes.push({ ...shell, content: yield* join(slice.content) });
    }
    yield;
  }
  return nodes;
}

/** Carries out steps at once. */
export function atOnce<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Carries out steps, and lets the thread do other things between them. */
export async function inTasks<T>(steps: Generator<void, T, void>): Promise<T> {
  for (let start = performance.now(); ;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - start < LONGEST) continue;
    await nextTask();
    start = performance.now();
  }
}

/** Returns the number of nodes in a node, at most one more than `most`. A long text counts as several. */
function countOf(node: unknown, most: number): number {
  const { text, content, toJSON } = (node ?? {}) as NodeJSON & { toJSON?: unknown };
  let count = 1 + (typeof text === "string" ? text.length / 1_000 : 0);
  if (!Array.isArray(content) || typeof toJSON === "function") return count;
  for (const child of content) {
    if (count > most) break;
    count += countOf(child, most - count);
  }
  return count;
}
