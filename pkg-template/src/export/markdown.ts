/** A document or a book as one Markdown file. */

import type { Schema } from "@tiptap/pm/model";
import type { Lost } from "../markdown-document/compare.js";
import { readMarkdown } from "../markdown-document/opened.js";
import { writeMarkdown, type WriteMarkdownOptions } from "../markdown-document/write.js";
import { localeOf } from "../locale.js";
import type { NodeJSON } from "../types.js";
import { imageURL, linkURL } from "../url-reference.js";
import { publicationOf, type Publication } from "./publication.js";

/** A Markdown file. */
export interface MarkdownExport {
  text: string;
  /** What the text does not hold, with the chapter's index. */
  lost: (Lost & { chapter: number })[];
}

/**
 * Writes documents of a schema as one Markdown file. To save a file that was opened, use `writeMarkdown` of
 * `copydesk/markdown`, which leaves what did not change as it was.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`.
 */
export function toMarkdown(
  publication: Publication | NodeJSON,
  schema: Schema,
  options?: WriteMarkdownOptions,
): MarkdownExport {
  const { chapters } = publicationOf(publication);
  // Without headings in the schema there is none but an added title.
  const own = (json: NodeJSON): NodeJSON => {
    if (schema.nodes.heading) return json;
    return { ...json, content: json.content?.filter(({ type }) => type !== "heading") };
  };
  const written = chapters.map(({ json }) => {
    const lost: Lost[] = [];
    const content = own(json).content?.map((node, block) => withFileURLs(node, node.type, block, lost));
    const file = writeMarkdown(readMarkdown("", schema), { ...json, ...(content && { content }) }, options);
    const isChinese = localeOf(options?.locale) === "zh-CN";
    const named = lost.map((one) => ({ ...one, message: isChinese ? `文件中不能有此 URL：${one.text}` : one.message }));
    return { text: file.text, lost: [...named, ...file.lost] };
  });
  return {
    text: written
      .map(({ text }) => text)
      .filter(Boolean)
      .join("\n"),
    lost: written.flatMap(({ lost }, chapter) => lost.map((one) => ({ ...one, chapter }))),
  };
}

/** Returns a node with the URLs of its links and images as a file may have them; those that it may not are lost. */
function withFileURLs(node: NodeJSON, parent: string, block: number, lost: Lost[]): NodeJSON {
  const lose = (of: Pick<Lost, "kind" | "node" | "name">, url: unknown): void => {
    const text = String(url).slice(0, 60);
    lost.push({ ...of, block, count: 1, text, message: `A file cannot have this URL: ${text}` });
  };
  const { attrs, marks, content } = node;
  const changed = { ...node };
  if (marks) {
    changed.marks = marks.flatMap((mark) => {
      if (mark.type !== "link" || typeof mark.attrs?.href !== "string" || mark.attrs.href === "") return [mark];
      const href = linkURL(mark.attrs.href);
      if (href === undefined) lose({ kind: "mark", node: parent, name: "link" }, mark.attrs.href);
      return href === undefined ? [] : [{ ...mark, attrs: { ...mark.attrs, href } }];
    });
  }
  if (node.type === "image" && typeof attrs?.src === "string" && attrs.src !== "") {
    const src = imageURL(attrs.src);
    if (src === undefined) lose({ kind: "attribute", node: "image", name: "src" }, attrs.src);
    changed.attrs = { ...attrs, src: src ?? "" };
  }
  if (content) changed.content = content.map((child) => withFileURLs(child, node.type, block, lost));
  return changed;
}
