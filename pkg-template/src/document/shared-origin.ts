/** The part of a transaction that TipTap's collaboration (y-tiptap) has in it. */

import type { Transaction } from "@tiptap/pm/state";

/** Returns the transaction to which plugins have appended this one, or itself. */
export function rootOf(transaction: Transaction): Transaction {
  return (transaction.getMeta("appendedTransaction") as Transaction | undefined) ?? transaction;
}

/** Returns the metadata of TipTap's collaboration in a transaction. Its package is not a dependency of everything. */
export function sharedOf(
  transaction: Transaction,
): { isChangeOrigin?: boolean; isUndoRedoOperation?: boolean } | undefined {
  return rootOf(transaction).getMeta("y-sync$") as ReturnType<typeof sharedOf>;
}

export type HistoryMove = "undo" | "redo" | "unknown";

/** Returns what a transaction of prosemirror-history does. TipTap's collaboration does not tell undo from redo. */
export function historyMoveOf(transaction: Transaction): HistoryMove | undefined {
  const own = rootOf(transaction).getMeta("history$") as { redo?: boolean } | undefined;
  if (own) return own.redo === undefined ? "unknown" : own.redo ? "redo" : "undo";
  return sharedOf(transaction)?.isUndoRedoOperation === true ? "unknown" : undefined;
}
