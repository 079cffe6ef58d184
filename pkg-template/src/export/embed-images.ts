/** Images that are in the exported file, because others cannot load them. */

import { embedding, type ImageReader } from "./embedded-nodes.js";
import type { PendingOptions } from "./pending.js";
import { publicationOf, type Exportable, type Publication } from "./publication.js";

/** Returns a publication with data URLs in place of the images that `read` returns. Relative URLs in a chapter with a `path`
 * are paths beside it. */
export async function embedImages(
  given: Exportable,
  read: ImageReader,
  { pending }: PendingOptions = {},
): Promise<Publication> {
  const embedded = embedding(read);
  const publication = publicationOf(given, pending);
  const chapters = publication.chapters.map(async (chapter) => {
    return { ...chapter, json: await embedded(chapter.json, chapter.path) };
  });
  return { ...publication, chapters: await Promise.all(chapters) };
}
