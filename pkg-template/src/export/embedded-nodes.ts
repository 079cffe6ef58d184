/** Nodes whose images are in them as data URLs. */

import { dataURL } from "../base/data-url.js";
import type { NodeJSON } from "../types/index.js";

/**
 * Reads an image by its path in the folder of the chapters, or by its URL as the document has it; undefined if it is to
 * stay a reference.
 */
export type ImageReader = (pathOrURL: string) => Promise<Blob | undefined>;

/** Returns a function that replaces images that `read` returns by data URLs, each read once, in a node of a file. */
export function embedding(read: ImageReader): (node: NodeJSON, file?: string) => Promise<NodeJSON> {
  const urls = new Map<string, Promise<string | undefined>>();
  const loaded = (image: string) => {
    const url = urls.get(image) ?? read(image).then((blob) => blob && dataURL(blob));
    urls.set(image, url);
    return url;
  };
  const embedded = async (node: NodeJSON, file?: string): Promise<NodeJSON> => {
    const image = node.type === "image" ? imageOf(node.attrs?.src, file) : undefined;
    const src = image === undefined ? undefined : await loaded(image);
    const content = node.content && (await Promise.all(node.content.map((child) => embedded(child, file))));
    return { ...node, ...(src && { attrs: { ...node.attrs, src } }), ...(content && { content }) };
  };
  return embedded;
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
