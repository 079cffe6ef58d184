/** Images for files that hold them. */

import { CopydeskError } from "../base/error.js";
import { notInstalled } from "../loading/optional-library.js";
import type { NodeJSON } from "../types/index.js";
import type { ExportLoss } from "./publication.js";
import type { ReadableBook } from "./readable.js";
import { imageURL } from "../base/url-reference.js";

/** Loads an image. The default decodes `data:` URLs and fetches others. */
export type ImageLoader = (src: string) => Promise<Uint8Array<ArrayBuffer>>;

/** An image that was loaded. */
export interface LoadedImage {
  bytes: Uint8Array<ArrayBuffer>;
  /** As image-size names it: `png`, `jpg`, `gif`, `svg`, `webp`, … */
  format: string;
  width: number;
  height: number;
}

export interface ImageOptions {
  loadImage?: ImageLoader;
}

/** Requests at a time. */
const AT_ONCE = 4;

const INSTEAD = "export HTML or Markdown";
const IMAGE_SIZE = { name: "image-size", code: "image_size_not_installed", instead: INSTEAD };
const XMLDOM = { name: "@xmldom/xmldom", code: "xmldom_not_installed", instead: INSTEAD };

/**
 * Loads the images of a publication once each. Those that fail are in `lost`. Fails with `image_size_not_installed` or, for
 * an SVG that the file may hold, `xmldom_not_installed`.
 */
export async function loadImages(
  { chapters }: ReadableBook,
  formats: readonly string[],
  { loadImage = load }: ImageOptions,
): Promise<{ images: Map<string, LoadedImage>; lost: ExportLoss[] }> {
  const blocks = chapters.flatMap(({ json, footnotes }) => [json, ...footnotes.flatMap(({ content }) => content)]);
  const sources = [...new Set(blocks.flatMap(sourcesOf))];
  const images = new Map<string, LoadedImage>();
  const lost: ExportLoss[] = [];
  if (sources.length === 0) return { images, lost };
  const sizeOf = await loadImageSize();
  const next = sources.values();
  const work = async (): Promise<void> => {
    for (const src of next) {
      try {
        const bytes = await loadImage(src);
        const { type: format = "", width, height } = sizeOf(bytes);
        if (format === "svg" && formats.includes(format)) {
          const { cleanSVG } = await import("./svg.js");
          const clean = cleanSVG(bytes, await loadXmldom());
          images.set(src, { bytes: clean.bytes, format, width, height });
          if (clean.removed.length) {
            const reason = `It is shown without ${clean.removed.join(", ")}: a file runs and loads nothing.`;
            lost.push({ kind: "image", name: shortened(src), reason });
          }
        } else if (formats.includes(format)) images.set(src, { bytes, format, width, height });
        else if (canDraw()) images.set(src, { bytes: await drawn(bytes, format, width), format: "png", width, height });
        else lost.push({ kind: "image", name: shortened(src), reason: `The file cannot hold the format ${format}.` });
      } catch (thrown) {
        if (thrown instanceof CopydeskError && thrown.code === XMLDOM.code) throw thrown;
        const reason = thrown instanceof Error ? thrown.message : String(thrown);
        lost.push({ kind: "image", name: shortened(src), reason });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { images, lost };
}

async function loadImageSize(): Promise<typeof import("image-size").imageSize> {
  try {
    return (await import("image-size")).imageSize;
  } catch (cause) {
    throw notInstalled(IMAGE_SIZE, cause);
  }
}

async function loadXmldom(): Promise<typeof import("@xmldom/xmldom")> {
  try {
    return await import("@xmldom/xmldom");
  } catch (cause) {
    throw notInstalled(XMLDOM, cause);
  }
}

function sourcesOf(node: NodeJSON): string[] {
  const own = node.type === "image" ? imageURL(node.attrs?.src) : undefined;
  return [...(own === undefined ? [] : [own]), ...(node.content ?? []).flatMap(sourcesOf)];
}

async function load(src: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(src);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

function canDraw(): boolean {
  return typeof globalThis.document?.createElement === "function" && typeof globalThis.Image === "function";
}

/** Pixels of a drawn image for each of its own: vectors are printed. */
const SCALE = 2;
const WIDEST = 2_000;

/** Draws an image of any format that the browser shows as PNG. No script in it runs. */
async function drawn(bytes: Uint8Array<ArrayBuffer>, format: string, width: number): Promise<Uint8Array<ArrayBuffer>> {
  const type = format === "svg" ? "image/svg+xml" : `image/${format}`;
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.min(width * SCALE, WIDEST));
    canvas.height = Math.max(1, Math.round((canvas.width * image.naturalHeight) / Math.max(1, image.naturalWidth)));
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error(`The browser cannot draw the format ${format}.`);
    return new Uint8Array(await png.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Returns a URL as it is named to the user. */
export function shortened(src: string): string {
  return src.length > 100 ? `${src.slice(0, 99)}…` : src;
}
