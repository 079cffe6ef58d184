/** A document or a book as one Markdown file. */

import { Schema, type MarkSpec } from "@tiptap/pm/model";
import type { Lost } from "../markdown-document/compare.js";
import { withinEffort } from "../markdown-document/limits.js";
import { parse } from "../markdown-document/syntax.js";
import { lf, rangeOf } from "../markdown-document/tree.js";
import { writeNew, type WriteMarkdownOptions } from "../markdown-document/write.js";
import { markdownWords } from "../markdown-document/words.js";
import { localeOf } from "../base/locale.js";
import type { NodeJSON } from "../types/index.js";
import { imageURL, linkURL } from "../base/url-reference.js";
import { withOwnLabels } from "./labels.js";
import { CHANGES, type PendingOptions } from "./pending.js";
import { publicationOf, type Exportable } from "./publication.js";

/** A Markdown file. */
export interface MarkdownExport {
  text: string;
  /** The parts of the document that the text does not have, with the chapter's index. */
  lost: (Lost & { chapter: number })[];
}

/**
 * Writes documents of a schema as one Markdown file. Chapters with a `file` keep the source of what was not edited, without
 * front matter; labels that several chapters define are renamed. To save a file that was opened, use `writeMarkdown` of
 * `copydesk/markdown`.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`.
 */
export function toMarkdown(
  publication: Exportable,
  schema: Schema,
  options: WriteMarkdownOptions & PendingOptions = {},
): MarkdownExport {
  const { chapters } = publicationOf(publication, options.pending);
  const isMarked = chapters.some(({ json }) => hasChange(json));
  const target = isMarked ? withChanges(schema) : schema;
  // Without headings in the schema there is none but an added title.
  const own = (json: NodeJSON): NodeJSON => {
    if (schema.nodes.heading) return json;
    return { ...json, content: json.content?.filter(({ type }) => type !== "heading") };
  };
  const words = markdownWords(localeOf(options.locale));
  const hasMath = target.nodes.inlineMath !== undefined && target.nodes.blockMath !== undefined;
  const written = chapters.map(({ json, source, file }, at) => {
    const lost: Lost[] = [];
    const content = own(isMarked ? markedInText(json, target) : json).content?.map((node, block) =>
      withFileURLs(node, node.type, block, (one) => lost.push({ ...one, message: words.url(one.text) })),
    );
    const whole = { ...json, ...(content && { content }) };
    const kept = file && writeNew(target, whole, source, options, file.source);
    const text = kept && withoutBlankEnds(lf(kept.text));
    // Fences and comments that nothing closes would take the next chapter.
    if (kept && text !== undefined && (at === chapters.length - 1 || isClosed(text, hasMath))) {
      return { text, lost: [...lost, ...kept.lost] };
    }
    const anew = writeNew(target, whole, source, options);
    return { text: anew.text, lost: [...lost, ...anew.lost] };
  });
  const texts = written.map(({ text }) => text).filter(Boolean);
  return {
    text: withinEffort(() => withOwnLabels(texts, hasMath)).join("\n"),
    lost: written.flatMap(({ lost }, chapter) => lost.map((one) => ({ ...one, chapter }))),
  };
}

/** Returns a text without blank lines at its start and end, with one line end. */
function withoutBlankEnds(text: string): string {
  const inner = text.replace(/^(?:[ \t]*\n)+/, "").replace(/\n[ \t\n]*$/, "");
  return inner.trim() ? `${inner}\n` : "";
}

/** Returns true if a paragraph behind a text is one. */
function isClosed(text: string, hasMath: boolean): boolean {
  const last = withinEffort(() => parse(`${text}\nx`, { hasMath, hasFrontMatter: false })).children.at(-1);
  return last?.type === "paragraph" && rangeOf(last).from === text.length + 1;
}

type Tell = (lost: Omit<Lost, "message">) => void;

/** Returns a node with the URLs of its links and images as a file may have them; those that it may not are lost. */
function withFileURLs(node: NodeJSON, parent: string, block: number, lost: Tell): NodeJSON {
  const lose = (of: Pick<Lost, "kind" | "node" | "name">, url: unknown): void => {
    const text = String(url).slice(0, 60);
    lost({ ...of, block, count: 1, text });
  };
  const { attrs, marks, content } = node;
  const changed = { ...node };
  if (marks) {
    changed.marks = marks.flatMap((mark) => {
      if (mark.type !== "link" || typeof mark.attrs?.href !== "string" || mark.attrs.href === "") return [mark];
      const href = asGiven(mark.attrs.href, linkURL(mark.attrs.href));
      if (href === undefined) lose({ kind: "mark", node: parent, name: "link" }, mark.attrs.href);
      return href === undefined ? [] : [{ ...mark, attrs: { ...mark.attrs, href } }];
    });
  }
  if (node.type === "image" && typeof attrs?.src === "string" && attrs.src !== "") {
    const src = asGiven(attrs.src, imageURL(attrs.src));
    if (src === undefined) lose({ kind: "attribute", node: "image", name: "src" }, attrs.src);
    changed.attrs = { ...attrs, src: src ?? "" };
  }
  if (content) changed.content = content.map((child) => withFileURLs(child, node.type, block, lost));
  return changed;
}

/** Returns a URL with its own spaces, which Markdown has signs for. */
function asGiven(given: string, url: string | undefined): string | undefined {
  return url !== undefined && given.replaceAll(" ", "%20") === url ? given : url;
}

function isChange(name: string | undefined): boolean {
  return CHANGES.some((change) => change === name);
}

function hasChange({ marks, content }: NodeJSON): boolean {
  return (marks?.some(({ type }) => isChange(type)) ?? false) || (content?.some(hasChange) ?? false);
}

/** Returns the schema with the marks of changes, which all text may have. */
function withChanges({ spec }: Schema): Schema {
  const others: string[] = [];
  spec.marks.forEach((name) => others.push(name));
  let marks = spec.marks;
  spec.marks.forEach((name, mark: MarkSpec) => {
    if (mark.excludes === "_") marks = marks.update(name, { ...mark, excludes: others.join(" ") });
  });
  const changes: Record<string, MarkSpec> = Object.fromEntries(CHANGES.map((name) => [name, { excludes: "" }]));
  return new Schema({ ...spec, marks: marks.prepend(changes) });
}

/** Returns a document whose changes are marks of its text: blocks have none, and code has no marks. */
function markedInText(json: NodeJSON, schema: Schema): NodeJSON {
  const { marks, content, ...rest } = json;
  const type = schema.nodes[json.type];
  const isPlain = type?.spec.code === true;
  const inside = content?.map((child) => {
    const { marks: own, ...plain } = child;
    return isPlain
      ? { ...plain, ...(own ? { marks: own.filter(({ type }) => !isChange(type)) } : {}) }
      : markedInText(child, schema);
  });
  return {
    ...rest,
    ...(inside ? { content: inside } : {}),
    ...(marks && (type?.isInline ?? json.text !== undefined) ? { marks } : {}),
  };
}
