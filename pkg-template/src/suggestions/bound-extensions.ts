/** The extensions of an editor that another one with the same schema does not get. */

import type { Extensions } from "@tiptap/core";

/** Extensions that bind an editor to a shared document or to an agent, or that keep a history. */
const BOUND = new Set([
  "authorship",
  "collaboration",
  "collaborationCaret",
  "collaborationCursor",
  "comments",
  "copydesk",
  "copydeskActions",
  "copydeskCarets",
  "copydeskGhostText",
  "history",
  "suggestions",
  "undoRedo",
]);

/** Returns the extensions of an editor without those that bind it. */
export function unbound(extensions: Extensions): Extensions {
  return extensions.filter(({ name }) => !BOUND.has(name));
}
