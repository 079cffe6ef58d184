/** A search with all its members. */

import type { FileSearch } from "../types/index.js";

/** Without paths all files are searched. */
export type Query = Required<Pick<FileSearch, "pattern">> & {
  regex: boolean;
  caseSensitive: boolean;
  limit: number;
  paths?: string[];
};
