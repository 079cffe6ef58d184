/** A folder of files on a web server: SKILL.md, and the files that it links to. */

import type { Node } from "mdast";
import type { Downloader } from "./downloader.js";
import { parsed } from "./parsed.js";
import { Problem } from "./problem.js";
import { decoded, type Remote, type TreeEntry } from "./remote.js";

const MOST_LINKS = 1000;

export class FolderRemote implements Remote {
  readonly origin: string;
  readonly ref = "";
  readonly path = "";
  readonly name: string;
  readonly hasCommits = false;
  readonly #base: string;
  /** The main file of the load under way. */
  #main: { path: string; bytes: Uint8Array<ArrayBuffer> } | undefined;

  constructor(url: URL, path: string) {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    const folder = [url.pathname.replace(/\/+$/, ""), encoded].filter(Boolean).join("/");
    this.#base = `${url.origin}${folder}/`;
    this.origin = this.#base;
    this.name = decoded(folder.split("/").at(-1) || url.hostname);
  }

  /** Each load is one of its own. */
  commit(): Promise<string> {
    return Promise.resolve(`${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`);
  }

  async tree(_commit: string, downloader: Downloader): Promise<TreeEntry[]> {
    const missing = new Problem("skill_missing", { origin: this.origin, path: "" });
    for (const path of ["SKILL.md", "README.md"]) {
      try {
        const bytes = await this.#download(path, downloader, missing);
        this.#main = { path, bytes };
        const links = await linksIn(new TextDecoder().decode(bytes), this.#base);
        return [path, ...links.filter((link) => link !== path)].map((path) => ({ path, kind: "file" }));
      } catch (thrown) {
        if (thrown !== missing) throw thrown;
      }
    }
    throw missing;
  }

  async file(_commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#main?.path === path) return this.#main.bytes;
    return this.#download(path, downloader);
  }

  release(): void {
    this.#main = undefined;
  }

  async #download(path: string, downloader: Downloader, ifMissing?: Problem): Promise<Uint8Array<ArrayBuffer>> {
    const url = this.#base + path.split("/").map(encodeURIComponent).join("/");
    const { bytes, type } = await downloader.content(url, { ifMissing });
    const isPage = /\.md$/i.test(path) && /^text\/html\b/i.test(type);
    if (isPage) throw new Problem("skill_html", { origin: this.origin, path });
    return bytes;
  }
}

/** Returns the paths below a folder's URL that a Markdown text links to. */
async function linksIn(markdown: string, base: string): Promise<string[]> {
  const found = new Set<string>();
  const visit = (node: Node & { url?: unknown; children?: Node[] }) => {
    if (typeof node.url === "string" && found.size < MOST_LINKS) {
      const path = pathBelow(node.url, base);
      if (path) found.add(path);
    }
    node.children?.forEach(visit);
  };
  visit(await parsed(markdown));
  return [...found];
}

function pathBelow(link: string, base: string): string | undefined {
  if (!URL.canParse(link, base)) return undefined;
  const { origin, pathname } = new URL(link, base);
  const full = origin + pathname;
  return full.startsWith(base) ? decoded(full.slice(base.length)) : undefined;
}
