/** `copydesk/autosave`: keeps documents with their pending changes, and the conversations about them, across visits. */

export { SavedDocuments, type SavedDocumentsOptions, type SavedState } from "./autosave/saved-documents.js";
export { DocumentOpener, type DocumentOpenerOptions, type OpeningQuestion } from "./autosave/document-opener.js";
export { SaveError, type SaveProblem } from "./autosave/database.js";
export type { KeptDocument, StoredDocument } from "./autosave/stored-document.js";
export { keyOfFile, type StoredFile } from "./autosave/stored-file.js";
export { replaceDocument } from "./autosave/replace-document.js";
export { localItems, type Items } from "./base/items.js";
