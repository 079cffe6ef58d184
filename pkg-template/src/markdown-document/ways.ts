/** The ways in which the change of a block is written, the smallest first. */

/** A way to write what changed. */
export interface Way {
  /** The characters of inserted text that are escaped. */
  escape: "none" | "needed" | "all";
  /** The side of the end of a line on which text is put. */
  isRight?: boolean;
  /** Writes the signs beside a change again, which may mean something there now. */
  takesSigns?: boolean;
  /** Writes the emphasis and links beside a change again, or the lines of a change. */
  takes?: "nodes" | "lines";
  /** Joins the lines between which text is put. */
  joins?: boolean;
  /** The signs of emphasis beside an insertion. `_` is not a sign in a word, and no sign is one beside some others. */
  signs?: "*" | "tag" | undefined;
  /** Allows character references. */
  hasReferences?: boolean;
  /** Writes text that comes from another block of the file without its source. */
  forgets?: boolean;
  /** Writes the content of changed textblocks as a whole, with the source of the text that is as before. */
  isWhole?: boolean;
}

/** The ways in the order in which they are tried. */
export const WAYS: readonly Way[] = [
  ...[undefined, "*" as const, "tag" as const].flatMap((signs) => [
    { escape: "none" as const, signs },
    { escape: "none" as const, signs, isRight: true },
    { escape: "needed" as const, signs },
    { escape: "needed" as const, signs, isRight: true },
    { escape: "all" as const, signs },
    { escape: "needed" as const, signs, takesSigns: true },
    { escape: "none" as const, signs, joins: true },
    { escape: "needed" as const, signs, joins: true },
  ]),
  { escape: "all", takesSigns: true },
  { escape: "needed", forgets: true },
  { escape: "needed", forgets: true, isRight: true },
  { escape: "all", forgets: true },
  { escape: "needed", takes: "nodes" },
  { escape: "needed", takes: "lines" },
  { escape: "needed", hasReferences: true },
  { escape: "needed", hasReferences: true, takes: "lines" },
  { escape: "needed", hasReferences: true, isWhole: true },
];
