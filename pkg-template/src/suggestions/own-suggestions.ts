/** Suggestions of the user that continue earlier ones of theirs: what was typed after a pause is a part of what was typed before. */

import { Fragment, type Schema } from "@tiptap/pm/model";
import type { Author, Hunk, NodeJSON } from "../types/index.js";
import { isSame } from "./entry.js";

export interface OwnSuggestions {
  schema: Schema;
  user: Author;
  isStored: (hunk: Hunk) => boolean;
  /** The suggestions of before that are not among the hunks any more, where they would be now. */
  gone: readonly Hunk[];
}

/**
 * Returns the hunks with the new ones of the user as parts of those of theirs that they touch. One that was made again, because
 * the text around it has changed, keeps its id: what others decide about it at the same time is about this one as well.
 */
export function continued(hunks: readonly Hunk[], { schema, user, isStored, gone }: OwnSuggestions): Hunk[] {
  const isPlain = ({ block, conflict, toolIds, linked, author }: Hunk) =>
    !block && !conflict && !toolIds.length && !linked.length && isSame(author, user);
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const touches = last?.to === hunk.from && last.proposedTo === hunk.proposedFrom;
    if (!last || !touches || !isPlain(last) || !isPlain(hunk) || (isStored(last) && isStored(hunk))) {
      joined.push(hunk);
      continue;
    }
    const [start, end] = [last, hunk].map((one) => Fragment.fromJSON(schema, one.content)) as [Fragment, Fragment];
    const content = (start.append(end).toJSON() ?? []) as NodeJSON[];
    const { to, proposedTo } = hunk;
    joined[joined.length - 1] = { ...last, id: isStored(hunk) ? hunk.id : last.id, to, proposedTo, content };
  }
  const left = new Set(gone.filter(isPlain));
  return joined.map((hunk) => {
    if (isStored(hunk) || !isPlain(hunk)) return hunk;
    const again = [...left].find(({ from, to }) => hunk.from <= from && to <= hunk.to);
    if (!again) return hunk;
    left.delete(again);
    return { ...hunk, id: again.id };
  });
}
