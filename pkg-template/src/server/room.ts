/** Rooms: shared documents that people edit in their editors. */

import { Schema } from "@tiptap/pm/model";
import type { Doc } from "yjs";
import type { Document } from "../document.js";
import { check, members } from "../error.js";
import { localeOf } from "../locale.js";
import type { Guards, Locale } from "../types.js";
import { RoomBridge } from "./bridge.js";
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
  /** The language of results and errors. Default: English. */
  locale?: Locale | undefined;
}

/** A participant of a room. */
export interface Room {
  /** The document, for an agent, its tools or a route. It is always that of the room. */
  readonly document: Document;
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
  const { document: shared, schema, field = "default", guards, awareness, user, locale } = members(options, "options");
  check(typeof shared?.getXmlFragment === "function", "document", shared, "a Y.Doc");
  check(schema instanceof Schema, "schema", schema, "a Schema of the @tiptap/pm that copydesk imports");
  check(typeof field === "string", "field", field, "a string");
  const content = new SharedDocument(shared, shared.getXmlFragment(field), schema);
  let bridge: RoomBridge;
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
    content.release();
    bridge.release();
    awareness?.setLocalState(null);
  };
  try {
    if (guards) bridge.document.setGuards(guards);
    awareness?.setLocalStateField("user", user ?? { name: "copydesk" });
  } catch (thrown) {
    leave();
    throw thrown;
  }
  shared.on("destroy", leave);
  return { document: bridge.document, leave };
}
