/** `copydesk/find`: find and replace in a document with pending changes. */

export { Find, type Found, type Replaced } from "./find/search.js";
export type { FindQuery } from "./find/matches.js";
export { FindMarks } from "./find/highlight.js";
