/** Images that files of a folder refer to, as a part of the document. */
import type { NodeJSON } from "copydesk";
import type { Publication } from "copydesk/export";
import { dataUrl } from "./data-url";

/** Reads an image by its path in the folder; undefined if there is none. */
export type ReadImage = (path: string) => Promise<Blob | undefined>;

/** Returns a publication whose images in the folder are data URLs: relative to an exported file there are none. */
export async function withFileImages(publication: Publication, read: ReadImage): Promise<Publication> {
  const urls = new Map<string, Promise<string | undefined>>();
  const loaded = (path: string) => {
    const url = urls.get(path) ?? read(path).then((image) => image && dataUrl(image));
    urls.set(path, url);
    return url;
  };
  const embedded = async (node: NodeJSON, file: string): Promise<NodeJSON> => {
    const path = node.type === "image" ? pathOf(node.attrs?.src, file) : undefined;
    const src = path === undefined ? undefined : await loaded(path);
    const content = node.content && (await Promise.all(node.content.map((child) => embedded(child, file))));
    return { ...node, ...(src && { attrs: { ...node.attrs, src } }), ...(content && { content }) };
  };
  const chapters = publication.chapters.map(async (chapter) => {
    const { json, path } = chapter;
    return path === undefined || !("type" in json) ? chapter : { ...chapter, json: await embedded(json, path) };
  });
  return { ...publication, chapters: await Promise.all(chapters) };
}

/** Returns the path that a relative URL in a file leads to. */
function pathOf(src: unknown, file: string): string | undefined {
  if (typeof src !== "string" || src === "" || /^(?:[a-z][a-z\d+.-]*:|[/\\]{2}|[?#])/i.test(src)) return undefined;
  const base = `file:///${file.split("/").map(encodeURIComponent).join("/")}`;
  if (!URL.canParse(src, base)) return undefined;
  try {
    return decodeURIComponent(new URL(src, base).pathname).replace(/^\/+/, "");
  } catch {
    // A sign of percent that encodes nothing: no such path.
    return undefined;
  }
}
