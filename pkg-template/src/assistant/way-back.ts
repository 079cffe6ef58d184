/** Makes changes pending again that were decided in an earlier page, from what was stored with the decision. */
import type { Editor } from "@tiptap/core";
import { Fragment, Slice, type Node } from "@tiptap/pm/model";
import type { Mappable } from "@tiptap/pm/transform";
import { CopydeskError, type Hunk } from "copydesk";

import { newId } from "./ids.js";

type Content = Hunk["content"];

export interface Range {
  from: number;
  to: number;
}

/** The data that make a change pending again. */
export interface WayBack {
  /** The same for all changes that were decided together, which are taken back together. */
  decision: string;
  /** Tells the change from others of its decision. */
  hunk: string;
  original: Content;
  content: Content;
  instruction?: string;
  /** The place of the outcome: the original, or the content if the change was accepted. */
  place: Place;
}

/** A range of a document, described so that it is found again in a later state of it. */
interface Place extends Range {
  /** Distance from the end of the range to the end of the document. */
  toEnd: number;
  /** The text before and behind the range. */
  around: [string, string];
}

/** Number of positions before and behind a range that tell where it is. */
const AROUND = 40;

/**
 * Returns the ways back from a decision by the ids of its hunks. `before` is the document before it, `doc` the one after
 * it, and `mapping` maps positions right after the decision to positions in `doc`.
 */
export function waysBack(
  { before, doc, mapping }: { before: Node; doc: Node; mapping: Mappable },
  hunks: readonly Hunk[],
  accepted: boolean,
): Map<string, WayBack & { range: Range }> {
  const found = new Map<string, WayBack & { range: Range }>();
  const decision = newId();
  let grown = 0;
  for (const { id, from, to, content, conflict, instruction } of hunks) {
    // Of a conflict both texts may have stayed.
    if (conflict || to > before.content.size) continue;
    const size = accepted ? Fragment.fromJSON(before.type.schema, content).size : to - from;
    const start = from + grown;
    grown += size - (to - from);
    const range = followed({ from: start, to: start + size }, mapping);
    if (!range) continue;
    const original = (before.slice(from, to).content.toJSON() ?? []) as Content;
    const reason = instruction ? { instruction } : {};
    found.set(id, { decision, hunk: id, original, content, ...reason, place: placeOf(doc, range), range });
  }
  return found;
}

/** Returns a range after a change of the document; undefined if it was deleted. */
export function followed({ from, to }: Range, mapping: Mappable): Range | undefined {
  const start = mapping.mapResult(from, from === to ? -1 : 1);
  const end = mapping.mapResult(to, -1);
  if (start.deletedAcross || end.deletedAcross || start.pos > end.pos) return undefined;
  return { from: start.pos, to: end.pos };
}

export function placeOf(doc: Node, { from, to }: Range): Place {
  return { from, to, toEnd: doc.content.size - to, around: surroundings(doc, { from, to }) };
}

/** Returns the range of a decision's outcome in a document; undefined if it is not there. Changes since it was stored may
 * have been all before or all behind it. */
export function rangeIn(doc: Node, { back, accepted }: Pick<Returning, "back" | "accepted">): Range | undefined {
  const { from, to, toEnd, around } = back.place;
  const moved = doc.content.size - toEnd - to;
  return [0, moved]
    .map((by) => ({ from: from + by, to: to + by }))
    .find(
      (range) =>
        hasOutcome(doc, range, { back, accepted }) && surroundings(doc, range).every((text, at) => text === around[at]),
    );
}

function hasOutcome(doc: Node, { from, to }: Range, { back, accepted }: Pick<Returning, "back" | "accepted">): boolean {
  if (from < 0 || from > to || to > doc.content.size) return false;
  return doc.slice(from, to).content.eq(Fragment.fromJSON(doc.type.schema, accepted ? back.content : back.original));
}

function surroundings(doc: Node, { from, to }: Range): [string, string] {
  const text = (start: number, end: number) =>
    doc.textBetween(Math.max(start, 0), Math.min(end, doc.content.size), "\n", "\ufffc");
  return [text(from - AROUND, from), text(to, to + AROUND)];
}

/** A decision of an earlier page, and the range of its outcome. */
export interface Returning {
  toolId: string;
  accepted: boolean;
  /** Its position in the proposal. */
  at: number;
  back: WayBack;
  range: Range;
}

/** Makes changes pending again in a document without pending changes. Returns those that fit it, which are none if they
 * cannot be pending. */
export function makePending<T extends Returning>(editor: Editor, returning: readonly T[]): T[] {
  const { doc, schema, tr } = editor.state;
  const fitting = withoutOverlaps(returning.filter((one) => hasOutcome(doc, one.range, one)));
  const hunks = byChange(fitting).map(([{ accepted, back, range }, toolIds]) => {
    const { content, instruction } = back;
    const original = Fragment.fromJSON(schema, back.original);
    const from = range.from + (tr.doc.content.size - doc.content.size);
    if (accepted) tr.replace(from, from + range.to - range.from, new Slice(original, 0, 0));
    return { from, to: from + original.size, content, toolIds, ...(instruction ? { instruction } : {}) };
  });
  if (!hunks.length) return [];
  // The editor's undo would bring the text back beside the pending change.
  if (tr.docChanged) editor.view.dispatch(tr.setMeta("addToHistory", false));
  try {
    editor.storage.copydesk.document.restoreHunks(hunks as unknown as Hunk[]);
    return fitting;
  } catch (error) {
    if (!(error instanceof CopydeskError)) throw error;
    const revert = editor.state.tr.setMeta("addToHistory", false);
    for (const [at, step] of [...tr.steps.entries()].reverse()) revert.step(step.invert(tr.docs[at]!));
    if (revert.docChanged) editor.view.dispatch(revert);
    return [];
  }
}

/** Returns decisions that are not about a part of another's range: the last ones. */
function withoutOverlaps<T extends Returning>(returning: readonly T[]): T[] {
  const found: T[] = [];
  for (const one of returning.toReversed()) {
    const { from, to } = one.range;
    const isFree = ({ range, back }: T) => keyOf({ back }) === keyOf(one) || from >= range.to || range.from >= to;
    if (found.every(isFree)) found.push(one);
  }
  return found;
}

/** Returns each change once, in the order of the document, with its calls: each of these has the decision in its row. */
function byChange<T extends Returning>(returning: readonly T[]): [T, string[]][] {
  const found = new Map<string, [T, string[]]>();
  for (const one of returning) {
    const known = found.get(keyOf(one));
    if (known) known[1].push(one.toolId);
    else found.set(keyOf(one), [one, [one.toolId]]);
  }
  return [...found.values()].sort(([a], [b]) => a.range.from - b.range.from || a.at - b.at);
}

function keyOf({ back }: Pick<Returning, "back">): string {
  return `${back.decision} ${back.hunk}`;
}
