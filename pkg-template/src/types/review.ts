/** Review: pending changes and decisions about them. */

import type { Change, DiffRecord } from "./edits.js";

/** "auto": edits go to the editor at once. "review": they wait for the user's decision. */
export type Mode = "auto" | "review";

/** The version of the document that the editor shows: without the pending changes, with the changes marked, or as if all
 * were accepted. */
export type ReviewView = "original" | "marked" | "final";

/** One difference between what the editor holds and what the agent proposes. */
export interface Hunk extends Change {
  /** Stays the same as long as the hunk exists. */
  id: string;
  /** Positions in the proposal; `from` and `to` are positions in the editor's document. */
  proposedFrom: number;
  proposedTo: number;
  kind: "insertion" | "deletion" | "edit";
  /** True if whole blocks are inserted or deleted, false for inline content. */
  block: boolean;
  /**
   * True if the user has changed the same range meanwhile: `from`–`to` is the user's version, `content` the agent's. It
   * is decided by itself (`resolveHunk`): accepting several hunks leaves it open.
   */
  conflict: boolean;
  /**
   * Ids of the hunks that are decided with it: one edit moved text between them, as by a split or a join. If one of them
   * is a conflict, all are.
   */
  linked: string[];
  /** The turns and tool calls that made it, oldest first. */
  turnIds: string[];
  toolIds: string[];
  originalText: string;
  newText: string;
  /** Lines in the editor's document. */
  originalStartLine: number;
  originalEndLine: number;
  /** Lines in the proposal. */
  startLine: number;
  endLine: number;
  /** The reason, in the model's words. */
  instruction?: string;
  /** The method by which the lines of the edit were found. */
  foundBy?: DiffRecord["foundBy"];
  /** The author, if `copydesk/suggestions` is used. */
  author?: Author;
}

/** The author of a change. */
export interface Author {
  kind: "agent" | "person";
  /** The name as it is shown. */
  name: string;
  /** The id in the app. */
  id?: string;
  /** A CSS color. */
  color?: string;
  /** The model of an agent. */
  model?: string;
}

/** Which version of a conflict stays: the user's, the agent's, or the user's followed by the agent's. */
export type Version = "mine" | "theirs" | "both";

/** The result of accepting hunks. */
export interface Accepted {
  /** Ids of the hunks that were accepted. */
  hunks: string[];
  /** Number of conflicts in the selection that were left open. */
  conflicts: number;
}

/** A selection of hunks: one, some, those of a tool call, those of a turn, or all. */
export type Which = { hunk: string } | { hunks: readonly string[] } | { toolId: string } | { turnId: string } | "all";

/** The result of taking decisions back. */
export interface UndoneDecision {
  /** Ids of the hunks that are pending again. */
  hunks: string[];
  /** Ids of the hunks that stay decided, because their text was changed since. */
  left: string[];
}

export interface UndoneTurn {
  /** Number of top-level blocks that are as they were before the turn. */
  restored: number;
  /** Blocks of the turn that somebody has changed since, which stay. Positions are in the editor's document. */
  left: { from: number; to: number; text: string; line: number }[];
  /** The ids of the pending hunks of the turn, which are rejected. */
  rejected: string[];
}
