/** The name of an exported file. */

import { headingOf, publicationOf, type Exportable } from "./publication.js";

/** The most characters of a name, so that file systems take it with an extension. */
const LONGEST = 60;

/** Returns the title of a publication, or its first heading, without what file systems refuse, for the name of its file.
 * `document` if it has none. */
export function fileNameOf(given: Exportable): string {
  const { title, chapters } = publicationOf(given, "rejected");
  const heading = title ?? chapters.map(({ json }) => headingOf(json)).find(Boolean) ?? "";
  const name = heading
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return [...name].slice(0, LONGEST).join("").trim() || "document";
}
