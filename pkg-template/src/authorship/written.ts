/** Authors of the text that the steps of a transaction insert. */

import type { Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { correspondence } from "./correspondence.js";
import { joined, mapOver, unitsIn, withRanges, type RecordRange, type RecordRanges } from "./ranges.js";
import type { AuthorshipRecord } from "./record.js";

/** A step that inserts text, with the record of the agent that wrote it; none for text of a person. */
export interface InsertingStep {
  step: number;
  record?: AuthorshipRecord;
}

/** Returns the steps that insert something, if the transaction also deletes text of agents: it may move that. */
export function movingSteps({ steps, docs }: Transaction, ranges: RecordRanges): InsertingStep[] {
  if (!ranges.length) return [];
  const inserting = steps.flatMap((step, index) =>
    step instanceof ReplaceStep && step.slice.size ? [{ step: index }] : [],
  );
  if (!inserting.length) return [];
  let now: RecordRanges = ranges;
  const deletes = steps.some((step, index) => {
    const isDeleted =
      step instanceof ReplaceStep &&
      step.from < step.to &&
      now.some(({ from, to }) => unitsIn(docs[index]!, Math.max(from, step.from), Math.min(to, step.to)).length > 0);
    now = mapOver(now, step.getMap());
    return isDeleted;
  });
  return deletes ? inserting : [];
}

/** Returns the ranges after a transaction, and the records that are new in them. Words that it deletes and inserts again keep
 * their author, the other ones that it inserts have that of their step. */
export function writtenOver(
  transaction: Transaction,
  before: RecordRanges,
  inserting: readonly InsertingStep[],
): { ranges: RecordRange[]; records: AuthorshipRecord[] } {
  const { steps, docs, mapping } = transaction;
  let ranges: RecordRange[] = [...before];
  const removed: { at: number; units: { unit: string; id: string | undefined }[] }[] = [];
  for (const [index, step] of steps.entries()) {
    if (step instanceof ReplaceStep && step.from < step.to) {
      let next = 0;
      const units = unitsIn(docs[index]!, step.from, step.to).map(({ unit, at }) => {
        while (next < ranges.length && ranges[next]!.to <= at) next++;
        const range = ranges[next];
        return { unit, id: range && range.from <= at ? range.id : undefined };
      });
      removed.push({ at: mapping.slice(0, index).invert().map(step.from), units });
    }
    ranges = mapOver(ranges, mapping.maps[index]!);
  }
  const deleted = removed.sort((a, b) => a.at - b.at).flatMap(({ units }) => units);
  const old = deleted.map(({ unit }) => unit).join("");
  const records = new Set<AuthorshipRecord>();
  for (const { step: index, record } of inserting) {
    const { from, slice } = steps[index] as ReplaceStep;
    const rest = mapping.slice(index + 1);
    const units = unitsIn(transaction.doc, rest.map(from, -1), rest.map(from + slice.size, 1));
    const text = units.map(({ unit }) => unit).join("");
    const origins = correspondence(old, text);
    if (!record) dropWordless(origins, text);
    const made = units.flatMap(({ at }, unit): RecordRange[] => {
      const origin = origins[unit]!;
      const id = origin < 0 ? record?.id : deleted[origin]!.id;
      return id === undefined ? [] : [{ from: at, to: at + 1, id }];
    });
    if (record && made.some(({ id }) => id === record.id)) records.add(record);
    ranges = withRanges(ranges, joined(made));
  }
  return { ranges, records: [...records] };
}

/**
 * Removes parts from a correspondence that are not words: a person who replaces two words writes the space between
 * them.
 */
function dropWordless(origins: Int32Array, text: string): void {
  for (let start = 0, end = 0; start < origins.length; start = end) {
    for (end = start + 1; end < origins.length && origins[end] === origins[end - 1]! + 1;) end++;
    if (!/[\p{L}\p{N}\ufffc]/u.test(text.slice(start, end))) origins.fill(-1, start, end);
  }
}
