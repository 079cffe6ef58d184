/** A publication as readers get it: with footnotes, ids of headings and links between chapters, without source. */

import type { Disclosure } from "../authorship/summary.js";
import type { NodeJSON } from "../types/index.js";
import { withAlerts } from "./alerts.js";
import { anchored, type Resolve } from "./anchors.js";
import { annotated, type Footnote } from "./footnotes.js";
import type { Pending } from "./pending.js";
import { headingOf, publicationOf, type Exportable, type ExportLoss } from "./publication.js";
import { sourceIn, withoutHidden, withoutNotations } from "./notations.js";
import { publicationWords } from "./words.js";
import { withWikiLinks } from "./wiki-links.js";

export interface ReadableChapter {
  readonly title: string;
  readonly json: NodeJSON;
  readonly footnotes: readonly Footnote[];
}

export interface ReadableBook {
  readonly title: string;
  readonly author: string | undefined;
  readonly disclosure: Disclosure | undefined;
  readonly language: string;
  readonly chapters: readonly ReadableChapter[];
  readonly resolve: Resolve;
  readonly lost: readonly ExportLoss[];
}

/** Reads a publication for files other than Markdown. Its headings have the attribute `id`. */
export function readable(given: Exportable, pending?: Pending): ReadableBook {
  const { title, author, disclosure, language, chapters } = publicationOf(given, pending);
  const read = chapters.map(({ json, source }) => {
    const { json: content, footnotes, lost, source: inBlocks } = annotated(withoutHidden(json));
    return { json: withAlerts(content), footnotes, lost, isSource: sourceIn(new Set([...source, ...inBlocks])) };
  });
  const sources = chapters.map(({ path }, at) => ({ path, json: read[at]!.json }));
  const { chapters: anchoredChapters, resolve, find } = anchored(sources);
  const unresolved = new Map<string, string>();
  const lose = (label: string) => unresolved.set(label, "Its URL is in the Markdown file, and not in the document.");
  const plain = (node: NodeJSON, at: number) => {
    const href = (page: string, heading: string | undefined) => find(page, heading, at);
    return withWikiLinks(withoutNotations(node, lose, read[at]!.isSource), href, (name) =>
      unresolved.set(name, NO_CHAPTER),
    );
  };
  const documents = anchoredChapters.map(plain);
  const words = publicationWords(language);
  const complete = chapters.map((chapter, at) => {
    const json = documents[at]!;
    const nth = words.chapter(at + 1);
    const footnotes = read[at]!.footnotes.map((note) => {
      const { content = [] } = plain({ type: "doc", content: [...note.content] }, at);
      return { ...note, content };
    });
    return { title: chapter.title ?? (headingOf(json) || nth), json, footnotes };
  });
  const first = documents.map(headingOf).find(Boolean);
  return {
    title: title ?? first ?? words.untitled,
    author,
    disclosure,
    language,
    chapters: complete,
    resolve,
    lost: [
      ...read.flatMap(({ lost }) => lost),
      ...[...unresolved].map(([name, reason]) => ({ kind: "link" as const, name, reason })),
    ],
  };
}

const NO_CHAPTER = "It leads to no chapter or heading of the book.";
