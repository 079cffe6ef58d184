/** Groups of versions: what the user wrote in one go, which is saved at every pause, is one row. */

import type { FileVersion } from "../types/workspace.js";

/** Time between the first and the last version of a group at most, in milliseconds. */
const SPAN = 10 * 60_000;

/**
 * Returns the versions in groups, in their order: successive ones of the user within ten minutes are one group. A write
 * of the assistant, one of another program, a removal, and a version with a note are each a group of their own.
 */
export function groupsOf(versions: readonly FileVersion[]): FileVersion[][] {
  const groups: FileVersion[][] = [];
  for (const version of versions) {
    const group = groups.at(-1);
    const newest = group?.[0];
    if (group && newest && isPause(newest) && isPause(version) && newest.time - version.time <= SPAN)
      group.push(version);
    else groups.push([version]);
  }
  return groups;
}

function isPause({ author, note, removed }: FileVersion): boolean {
  return author === "user" && note === undefined && !removed;
}
