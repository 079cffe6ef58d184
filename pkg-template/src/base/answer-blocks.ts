/**
 * Reads the Markdown of a model's answer: paragraphs, lists, headings, bold, italic, code and http(s) links. Other signs are
 * text. It is read again with each chunk of a stream, and never becomes markup.
 */

/** A part of a line. */
export type AnswerInline =
  | string
  | { readonly kind: "strong" | "em"; readonly content: readonly AnswerInline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly label: string };

/** A block of an answer. A list is numbered from `start`, or has bullets without it. */
export type AnswerBlock =
  | { readonly kind: "paragraph"; readonly lines: readonly (readonly AnswerInline[])[] }
  | { readonly kind: "heading"; readonly content: readonly AnswerInline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly start: string | undefined; readonly items: readonly (readonly AnswerInline[])[] };

const INLINE =
  /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])|(https?:\/\/[^\s<>()"，。；！？）]+[^\s<>()"，。；！？）.,;:!?])/g;

function inline(text: string): AnswerInline[] {
  const out: AnswerInline[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) out.push(text.slice(at, match.index));
    const [whole, bold, code, label, href, italic, bare] = match;
    if (bold !== undefined) out.push({ kind: "strong", content: inline(bold) });
    else if (code !== undefined) out.push({ kind: "code", text: code });
    else if (italic !== undefined) out.push({ kind: "em", content: inline(italic) });
    else out.push({ kind: "link", href: href ?? bare ?? "", label: label ?? bare ?? "" });
    at = match.index + whole.length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

/** Returns the blocks of an answer, one for each paragraph, list, heading or fenced code block. */
export function answerBlocks(text: string): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph: AnswerInline[][] = [];
  let list: { kind: "list"; start: string | undefined; items: AnswerInline[][] } | null = null;
  const flush = () => {
    if (paragraph.length) blocks.push({ kind: "paragraph", lines: paragraph });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const item = /^\s*(?:([-*•])|(\d{1,3})[.)、])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (item) {
      flush();
      if (!list || (list.start === undefined) !== !!item[1])
        blocks.push((list = { kind: "list", start: item[2], items: [] }));
      list.items.push(inline(item[3]!));
      continue;
    }
    const isFence = /^\s*```/.test(line);
    if (isFence || heading || !line.trim()) flush();
    list = null;
    if (isFence) {
      const code: string[] = [];
      while (++at < lines.length && !/^\s*```/.test(lines[at]!)) code.push(lines[at]!);
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (heading) blocks.push({ kind: "heading", content: inline(heading[1]!) });
    else if (line.trim()) paragraph.push(inline(line));
  }
  flush();
  return blocks;
}

/** Returns the text of an answer: a line for each line and item, without the signs of marks, and links by their text. */
export function answerText(text: string): string {
  return answerBlocks(text).map(textOfBlock).join("\n");
}

function textOfBlock(block: AnswerBlock): string {
  switch (block.kind) {
    case "paragraph":
      return block.lines.map(textOf).join("\n");
    case "heading":
      return textOf(block.content);
    case "code":
      return block.text;
    case "list": {
      const sign = (at: number) => (block.start === undefined ? "•" : `${Number(block.start) + at}.`);
      return block.items.map((item, at) => `${sign(at)} ${textOf(item)}`).join("\n");
    }
  }
}

function textOf(content: readonly AnswerInline[]): string {
  return content
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "code") return part.text;
      return part.kind === "link" ? part.label : textOf(part.content);
    })
    .join("");
}
