/** The headings of a book as targets of links: their ids, and the references to them in the text. */

import { linkURL, referenceOf } from "../base/url-reference.js";
import type { NodeJSON } from "../types/index.js";
import { REFERENCE } from "./footnotes.js";
import { readersText, withoutDeleted } from "./publication.js";

/** A position in the book: a chapter, or a heading in it. */
export interface Place {
  readonly chapter: number;
  readonly id?: string;
}

/** The target of a link: a position in the book, or a URL outside. */
export type Target = { readonly place: Place } | { readonly url: string };

/** Returns the target of a link in a chapter; undefined if it has none. */
export type Resolve = (href: unknown, chapter: number) => Target | undefined;

interface Source {
  readonly json: NodeJSON;
  /** The file that the chapter was read from. */
  readonly path: string | undefined;
}

interface Anchored {
  readonly chapters: readonly NodeJSON[];
  readonly resolve: Resolve;
  /** Finds a page by its path, or by its name alone, for the links of wikis in a chapter. */
  find(page: string, heading: string | undefined, chapter: number): string | undefined;
}

/** The notation of an id behind a heading's text, in kramdown, Pandoc and VitePress. */
const OWN_ID = /\s*\{:?\s*#([^\s{}]+)[^{}]*\}\s*$/;
/** Ids of other elements. */
const RESERVED = /^(?:chapter|note|ref)-\d|^toc$/;

/** Gives the headings of all chapters ids, and returns how links to them and to chapters are resolved. */
export function anchored(sources: readonly Source[]): Anchored {
  const ids = new Map<string, number>();
  /** By chapter: the fragments of URLs that refer to headings, and their ids. */
  const fragments = sources.map(() => new Map<string, string>());
  const chapters = sources.map(({ json }, at) => withIds(json, ids, fragments[at]!));
  const files = sources.map(({ path }) => (path === undefined ? undefined : fileOf(urlOf(path))));
  const byName = pagesByName(sources);
  return { chapters, resolve, find };

  function find(page: string, heading: string | undefined, chapter: number): string | undefined {
    const fragment = heading ? `#${encodeURIComponent(heading.toWellFormed())}` : "";
    const path = byName.get(nameOf(page));
    const hrefs = [page && relativeURL(page), path !== undefined && !page.includes("/") && relativeURL(`/${path}`)];
    return hrefs
      .flatMap((href) => (href === false || (href === "" && fragment === "") ? [] : [href + fragment]))
      .find((href) => "place" in (resolve(href, chapter) ?? {}));
  }

  function resolve(href: unknown, chapter: number): Target | undefined {
    const url = linkURL(href);
    if (url === undefined) return undefined;
    if (referenceOf(url)?.protocol !== undefined) return { url };
    const [, file = "", fragment] = /^([^?#]*)(?:\?[^#]*)?(?:#([^]*))?$/.exec(url) ?? [];
    const named = file === "" ? undefined : fileOf(file, urlOf(sources[chapter]?.path ?? ""));
    const target = file === "" ? chapter : named === undefined ? -1 : files.indexOf(named);
    if (target < 0 || (file === "" && url.startsWith("?"))) return { url };
    if (!fragment) return { place: { chapter: target } };
    const id = fragments[target]!.get(decoded(fragment)) ?? fragments[target]!.get(slugOf(decoded(fragment)));
    if (id !== undefined) return { place: { chapter: target, id } };
    // The chapter without its heading is what a browser shows.
    return file === "" ? { url } : { place: { chapter: target } };
  }
}

function withIds(json: NodeJSON, ids: Map<string, number>, fragments: Map<string, string>): NodeJSON {
  const counts = new Map<string, number>();
  const visit = (node: NodeJSON): NodeJSON => {
    if (node.type === "heading") return heading(node);
    return node.content ? { ...node, content: node.content.map(visit) } : node;
  };
  const heading = (node: NodeJSON): NodeJSON => {
    const { plain, own } = ownId(node);
    const slug = slugOf(textWithoutReferences(plain));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    // As GitHub numbers headings with the same text.
    const names = [...own, count === 0 ? slug : `${slug}-${count}`];
    const id = freeId(names[0]!, ids);
    for (const name of [...names, ...own.map(slugOf)]) if (name && !fragments.has(name)) fragments.set(name, id);
    return { ...plain, attrs: { ...plain.attrs, id } };
  };
  return visit(json);
}

/** Returns a heading without the notation of its id, and its own ids. */
function ownId(node: NodeJSON): { plain: NodeJSON; own: string[] } {
  const { id, "data-toc-id": toc } = node.attrs ?? {};
  const set = [id, toc].filter((value) => typeof value === "string" && value !== "") as string[];
  const last = node.content?.at(-1);
  const [notation, written] = OWN_ID.exec(last?.text ?? "") ?? [];
  if (notation === undefined || written === undefined || last?.marks?.some(({ type }) => type === "code"))
    return { plain: node, own: set };
  const text = last!.text!.slice(0, -notation.length);
  const content = [...node.content!.slice(0, -1), ...(text ? [{ ...last!, text }] : [])];
  return { plain: { ...node, content }, own: [written, ...set] };
}

function textWithoutReferences(node: NodeJSON): string {
  const kept = withoutDeleted(node);
  if (kept.text !== undefined) return readersText(kept);
  return (kept.content ?? []).map((child) => (child.type === REFERENCE ? "" : textWithoutReferences(child))).join("");
}

/** Returns the fragment that GitHub gives to a heading. */
function slugOf(text: string): string {
  const letters = text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]+/gu, "");
  return letters.replace(/ /g, "-");
}

/** Returns an id that XML allows and no other heading has. `ids` has the ids, each with its next number. */
function freeId(wanted: string, ids: Map<string, number>): string {
  const name =
    slugOf(wanted)
      .slice(0, 80)
      .replace(/\p{Surrogate}/gu, "") || "section";
  const plain = /^\p{L}/u.test(name) && !RESERVED.test(name) ? name : `section-${name}`;
  let id = plain;
  for (let count = ids.get(plain) ?? 1; ids.has(id); count++) {
    id = `${plain}-${count}`;
    ids.set(plain, count + 1);
  }
  ids.set(id, 1);
  return id;
}

/** Returns the paths of files by their names; undefined for a name that several have. */
function pagesByName(sources: readonly Source[]): Map<string, string | undefined> {
  const paths = new Map<string, string | undefined>();
  for (const { path } of sources) {
    if (path === undefined) continue;
    const name = nameOf(path);
    paths.set(name, paths.has(name) ? undefined : path);
  }
  return paths;
}

function nameOf(path: string): string {
  const name = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
  return name.replace(/\.(?:md|markdown)$/i, "").toLowerCase();
}

/** Returns a path as the URL of a link. */
function relativeURL(path: string): string {
  return path.toWellFormed().replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/").replace(/^\/+/, "/");
}

function urlOf(path: string): string {
  return `file:///${relativeURL(path).replace(/^\//, "")}`;
}

/** Returns the path of a file without what links leave out: extensions, and the names of a folder's first page. */
function fileOf(url: string, base?: string): string | undefined {
  if (!URL.canParse(url, base)) return undefined;
  const path = decoded(new URL(url, base).pathname).replace(/\.(?:md|markdown|mdown|mkd|x?html?)$/i, "");
  return path.replace(/\/(?:index|readme)?$/i, "/");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
