/** Images of the user that stay in their browser. */

import { FileError } from "./file-error.js";

export interface LocalImagesOptions {
  /** The script of the service worker that answers for the images, relative to the page. */
  serviceWorker: string;
  /** The folder that their URLs begin with, relative to the page. Default: `images/own/`. */
  folder?: string;
  /** The name of the cache that has them. Default: `copydesk.images`. */
  cache?: string;
}

/** The largest file, in bytes. */
const LARGEST = 10_000_000;
/** Time to wait for the service worker, in milliseconds. */
const PATIENCE = 3000;

/**
 * Keeps images in the browser's cache, under short URLs that a service worker answers: data URLs in a document would be sent
 * to the model with every request.
 */
export class LocalImages {
  readonly #script: string;
  readonly #folder: string;
  readonly #cache: string;

  constructor({ serviceWorker, folder = "images/own/", cache = "copydesk.images" }: LocalImagesOptions) {
    [this.#script, this.#folder, this.#cache] = [serviceWorker, folder, cache];
  }

  /** Starts the service worker, so that images of earlier visits are shown. */
  start(): void {
    void navigator.serviceWorker?.register(new URL(this.#script, document.baseURI)).catch(() => {
      // Without it no image can be added, and `keep` reports this.
    });
  }

  /**
   * Keeps an image file. Resolves to its URL.
   *
   * @throws a {@link FileError} with the code `not_an_image`, `image_too_large` above 10 MB, or `image_not_kept`.
   */
  readonly keep = async (file: File): Promise<string> => {
    const { name, type, size } = file;
    if (!type.startsWith("image/")) throw new FileError("not_an_image", { name });
    if (size > LARGEST) throw new FileError("image_too_large", { name, size, limit: LARGEST });
    try {
      if (!navigator.serviceWorker?.controller) await controlled();
      const extension = /[a-z]+/.exec(type.slice("image/".length))?.[0] ?? "image";
      const url = new URL(`${this.#folder}${crypto.randomUUID()}.${extension}`, document.baseURI).href;
      const cache = await caches.open(this.#cache);
      await cache.put(url, new Response(file, { headers: { "content-type": type } }));
      return url;
    } catch (cause) {
      throw new FileError("image_not_kept", { name }, { cause });
    }
  };

  /** Returns the image with a URL; undefined for all others. */
  readonly read = async (url: string): Promise<Blob | undefined> => {
    if (!url.startsWith(new URL(this.#folder, document.baseURI).href)) return undefined;
    // Browsers without storage refuse every use of it.
    const found = await caches.match(url, { cacheName: this.#cache }).catch(() => undefined);
    return found?.blob();
  };

  /**
   * Deletes the images that nothing names which is kept. `named` returns the names that a pattern finds, such as
   * `images/own/x.png`; images that are added meanwhile stay.
   */
  async removeUnused(named: (pattern: RegExp) => Promise<ReadonlySet<string>>): Promise<void> {
    if (typeof caches === "undefined" || !(await caches.has(this.#cache))) return;
    const cache = await caches.open(this.#cache);
    const kept = await cache.keys();
    if (!kept.length) return;
    const used = await named(new RegExp(`${this.#folder.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}[\\w.-]+`, "g"));
    for (const request of kept)
      if (!used.has(this.#folder + request.url.split("/").at(-1))) await cache.delete(request);
  }
}

function controlled(): Promise<void> {
  const { serviceWorker } = navigator;
  return new Promise((resolve, reject) => {
    if (!serviceWorker) return reject(new Error("no service workers"));
    if (serviceWorker.controller) return resolve();
    serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true });
    setTimeout(() => reject(new Error("the service worker did not start")), PATIENCE);
  });
}
