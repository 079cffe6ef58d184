/** The file that a document was opened from. */

export interface StoredFile {
  /** The id of its folder; absent for a file in the browser's storage. */
  folder?: string;
  path: string;
  /** The version of the file, and its text, from which the document continues. */
  version: string;
  source: string;
}

/** Identifies a file among those of all folders. No path has a colon. */
export function keyOfFile({ folder, path }: Pick<StoredFile, "folder" | "path">): string {
  return folder === undefined ? path : `${folder}:${path}`;
}
