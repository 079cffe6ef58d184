/** A source elsewhere, as its kinds (forges, git servers, folders) provide it. */

import type { Downloader } from "./downloader.js";

/** A file of a source, or the entry in the place of one. */
export interface TreeEntry {
  path: string;
  kind: "file" | "link" | "submodule";
  /** The size in bytes, where it is known. */
  size?: number;
}

/** The most entries of a repository. */
export const MOST_ENTRIES = 50_000;

export interface Remote {
  /** The URL without credentials, for people; identifies the content together with a commit. */
  readonly origin: string;
  /** The branch, tag or commit; empty for the default branch. */
  readonly ref: string;
  /** The folder to look in; empty for the root. */
  readonly path: string;
  /** The name of a skill in the root. */
  readonly name: string;
  /** False if there are no commits: each load is one of its own. */
  readonly hasCommits: boolean;
  /** Returns the current commit. */
  commit(downloader: Downloader): Promise<string>;
  /** Lists the files of a commit. */
  tree(commit: string, downloader: Downloader): Promise<TreeEntry[]>;
  /** Returns the content of a file. Fails above the limit of the downloader. */
  file(commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>>;
  /** Releases what was kept for reading several files. */
  release?(): void;
}

/** Matches the full id of a commit. */
export const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Decodes a part of a URL's path. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign is kept.
    return part;
  }
}
