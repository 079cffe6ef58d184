/**
 * The user's own images. They are kept in the browser's cache and have short URLs, which a service worker answers: data
 * URLs in the document would be sent to the model with every request.
 */
import { dataUrl } from "./data-url";

const CACHE = "copydesk.images";
const FOLDER = "images/own/";
/** The largest file, in bytes. */
const LARGEST = 10_000_000;

export type ImageProblem = "noImage" | "tooLarge" | "notKept";

/** Starts the service worker, so that saved images are shown. */
export function startOwnImages(): void {
  void navigator.serviceWorker?.register(new URL("local-images.js", document.baseURI)).catch(() => {
    // Without it no image can be added, and `keepImage` says so.
  });
}

/** Keeps an image file. Returns its URL, or the reason why it cannot be kept. */
export async function keepImage(file: File): Promise<{ url: string } | { problem: ImageProblem }> {
  if (!file.type.startsWith("image/")) return { problem: "noImage" };
  if (file.size > LARGEST) return { problem: "tooLarge" };
  try {
    if (!navigator.serviceWorker?.controller) await controlled();
    const extension = /[a-z]+/.exec(file.type.slice("image/".length))?.[0] ?? "image";
    const url = new URL(`${FOLDER}${crypto.randomUUID()}.${extension}`, document.baseURI).href;
    const cache = await caches.open(CACHE);
    await cache.put(url, new Response(file, { headers: { "content-type": file.type } }));
    return { url };
  } catch {
    return { problem: "notKept" };
  }
}

/**
 * Deletes the images that nothing names which is kept. `named` returns the names, such as `images/own/x.png`; images that
 * are added meanwhile stay.
 */
export async function removeUnusedImages(named: (pattern: RegExp) => Promise<ReadonlySet<string>>): Promise<void> {
  if (typeof caches === "undefined" || !(await caches.has(CACHE))) return;
  const cache = await caches.open(CACHE);
  const kept = await cache.keys();
  if (!kept.length) return;
  const used = await named(/images\/own\/[\w.-]+/g);
  for (const request of kept) if (!used.has(FOLDER + request.url.split("/").at(-1))) await cache.delete(request);
}

/** Time to wait for the service worker, in milliseconds. */
const PATIENCE = 3000;

function controlled(): Promise<void> {
  const { serviceWorker } = navigator;
  return new Promise((resolve, reject) => {
    if (!serviceWorker) return reject(new Error("no service workers"));
    if (serviceWorker.controller) return resolve();
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
    setTimeout(() => reject(new Error("the service worker did not start")), PATIENCE);
  });
}

/** Returns the text with data URLs in place of the URLs of own images, which others cannot load. */
export async function withDataUrls(text: string): Promise<string> {
  const urls = new Set(text.match(/https?:[^\s"')]+\/images\/own\/[\w.-]+/g) ?? []);
  for (const url of urls) {
    const found = await caches.match(url).catch(() => undefined);
    if (found) text = text.replaceAll(url, await dataUrl(await found.blob()));
  }
  return text;
}
