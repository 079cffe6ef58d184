/** Images that are in the exported file, because others cannot load them. */

import { dataURL } from "../base/data-url.js";
import type { NodeJSON } from "../types/index.js";
import type { PendingOptions } from "./pending.js";
import { publicationOf, type Exportable, type Publication } from "./publication.js";

/**
 * Reads an image by its path in the folder of the chapters, or by its URL as the document has it; undefined if it is to
 * stay a reference.
 */
export type ImageReader = (pathOrURL: string) => Promise<Blob | undefined>;

/** Returns a publication with data URLs in place of the images that `read` returns. Relative URLs in a chapter with a `path`
 * are paths beside it. */
export async function embedImages(
  given: Exportable,
  read: ImageReader,
  { pending }: PendingOptions = {},
): Promise<Publication> {
  const urls = new Map<string, Promise<string | undefined>>();
  const loaded = (image: string) => {
    const url = urls.get(image) ?? read(image).then((blob) => blob && dataURL(blob));
    urls.set(image, url);
    return url;
  };
  const embedded = async (node: NodeJSON, file: string | undefined): Promise<NodeJSON> => {
    const image = node.type === "image" ? imageOf(node.attrs?.src, file) : undefined;
    const src = image === undefined ? undefined : await loaded(image);
    const content = node.content && (await Promise.all(node.content.map((child) => embedded(child, file))));
    return { ...node, ...(src && { attrs: { ...node.attrs, src } }), ...(content && { content }) };
  };
  const publication = publicationOf(given, pending);
  const chapters = publication.chapters.map(async (chapter) => {
    return { ...chapter, json: await embedded(chapter.json, chapter.path) };
  });
  return { ...publication, chapters: await Promise.all(chapters) };
}

/** Returns a URL with a scheme or a host as it is, and of others the path that it leads to from a file. */
function imageOf(src: unknown, file: string | undefined): string | undefined {
  if (typeof src !== "string" || /^(?:$|[?#]|data:)/i.test(src)) return undefined;
  if (/^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(src)) return src;
  if (file === undefined) return undefined;
  const base = `file:///${file.split("/").map(encodeURIComponent).join("/")}`;
  if (!URL.canParse(src, base)) return undefined;
  try {
    return decodeURIComponent(new URL(src, base).pathname).replace(/^\/+/, "");
  } catch {
    // A sign of percent that encodes nothing: no such path.
    return undefined;
  }
}
