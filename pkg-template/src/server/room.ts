/** Rooms: shared documents that people edit in their editors. */

import { Schema } from "@tiptap/pm/model";
import type { Doc } from "yjs";
import { setCarrier } from "../document/carrier.js";
import type { CommentStore } from "../comments/store.js";
import { handleOf, type Document } from "../document/document.js";
import { check, members } from "../base/error.js";
import { guarded } from "../document/calls.js";
import { jsonOf } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import { readAuthor } from "../suggestions/entry.js";
import { SharedReview } from "../suggestions/shared-review.js";
import { suggestionWords } from "../suggestions/words.js";
import type { Author, Guards, Locale } from "../types/index.js";
import { RoomBridge } from "./bridge.js";
import { RoomComments } from "./comments.js";
import { SharedDocument } from "./shared-document.js";

/** The part of a provider's awareness that is used. */
export interface RoomAwareness {
  setLocalStateField(field: string, value: unknown): void;
  setLocalState(state: null): void;
}

export interface RoomOptions {
  /** The Yjs document of the room, after its first synchronization. */
  document: Doc;
  /** The schema of the editors in the room, with all of their extensions: `getSchema(extensions)` of TipTap. */
  schema: Schema;
  /** The name of the fragment with the document. Default: `default`, as TipTap's. */
  field?: string | undefined;
  /** Limits of what edits may do. */
  guards?: Guards | undefined;
  /** The awareness of the provider, to which `user` is told. */
  awareness?: RoomAwareness | undefined;
  /** The participant in the awareness of the room, for instance `{name, color}`. Default: `{name: "copydesk"}`. */
  user?: Record<string, unknown> | undefined;
  /** True if edits become suggestions, which editors with `copydesk/suggestions` show and decide. The agent reads the
   * document with all suggestions. Default: false. */
  suggestions?: boolean | undefined;
  /** True for a room with the comments of its editors, which have `copydesk/comments`. Default: false. */
  comments?: boolean | undefined;
  /** The language of results and errors. Default: English. */
  locale?: Locale | undefined;
}

/** A participant of a room. */
export interface Room {
  /** The document, for an agent, its tools or a route. It is always that of the room. */
  readonly document: Document;
  /** The comments, for the tools of `copydesk/comments`; `undefined` without the option `comments`. */
  readonly comments: CommentStore | undefined;
  /** Ends the participation. The document cannot be read after that. */
  leave(): void;
}

/**
 * Joins a room: what participants type is in `document` at once, and edits of `document` reach them as changes of the
 * nodes that differ. Await `init()` before.
 *
 * @throws CopydeskError `invalid_parameter`; `not_loaded`; `editor_refused` if the room has nodes or marks that the
 * schema does not have.
 */
export function joinRoom(options: RoomOptions): Room {
  const given = members(options, "options");
  const { document: shared, schema, field = "default", guards, awareness, user, suggestions, comments, locale } = given;
  check(typeof shared?.getXmlFragment === "function", "document", shared, "a Y.Doc");
  check(schema instanceof Schema, "schema", schema, "a Schema of the @tiptap/pm that copydesk imports");
  check(typeof field === "string", "field", field, "a string");
  check(suggestions === undefined || typeof suggestions === "boolean", "suggestions", suggestions, "true or false");
  check(comments === undefined || typeof comments === "boolean", "comments", comments, "true or false");
  const content = new SharedDocument(shared, shared.getXmlFragment(field), schema);
  let bridge: RoomBridge;
  let review: SharedReview | undefined;
  try {
    bridge = new RoomBridge(content, localeOf(locale));
  } catch (thrown) {
    content.release();
    throw thrown;
  }
  let isMember = true;
  const leave = () => {
    if (!isMember) return;
    isMember = false;
    shared.off("destroy", leave);
    review?.release();
    bridge.comments?.release();
    content.release();
    bridge.release();
    awareness?.setLocalState(null);
  };
  try {
    if (guards) bridge.document.setGuards(guards);
    if (suggestions) review = share(bridge.document, content, user, locale);
    if (comments) bridge.comments = new RoomComments(content, bridge.document, authorOf(user));
    awareness?.setLocalStateField("user", user ?? { name: "copydesk" });
  } catch (thrown) {
    leave();
    throw thrown;
  }
  shared.on("destroy", leave);
  return { document: bridge.document, comments: bridge.comments?.store, leave };
}

/** Returns the participant as an author. */
function authorOf(user: unknown): Author {
  return readAuthor({ name: "copydesk", ...(user as object), kind: "agent" })!;
}

/** Stores the edits of a document as suggestions in the room. */
function share(document: Document, content: SharedDocument, user: unknown, locale: Locale | undefined): SharedReview {
  const author = authorOf(user);
  const handle = handleOf(document);
  guarded(() => handle.setAuthors(jsonOf({ agent: author, person: author }, "user")));
  const review = new SharedReview({
    document,
    fragment: content.fragment,
    content: () => content.read(),
    user: () => author,
    mayDecide: () => true,
    refusal: (count) => suggestionWords(locale).notPermitted(count),
    changed: () => {},
    ignored: () => {},
  });
  setCarrier(document, review);
  document.mode = "review";
  return review;
}
