/** The stored data of a document. */

import type { Hunk, NodeJSON } from "copydesk";
import type { StoredFile } from "./stored-file.js";

/** The document as the editor holds it, and the changes that wait for the user. */
export interface StoredDocument {
  /** Absent for the user's own document. */
  file?: StoredFile;
  json: NodeJSON;
  hunks: Hunk[];
  /** The document that the changes belong to, if it was edited since and they could not follow: the wasm was not
   * loaded. */
  hunksOf?: NodeJSON;
  /** The conversation that was shown. */
  conversation: string | null;
  /** The user's own document, while another one is shown in its place. */
  previous?: KeptDocument;
  /** The name of the file that was opened in its place. */
  opened?: string;
}

export type KeptDocument = Omit<StoredDocument, "previous">;
