/** Nodes and marks that Markdown writes as HTML: tags around text, and elements that name a node of the schema. */

import type { Attrs, Node, NodeType, Schema } from "@tiptap/pm/model";

/** The tags without attributes that represent a mark. */
const TAGS = new Map([
  ["u", "underline"],
  ["sub", "subscript"],
  ["sup", "superscript"],
  ["mark", "highlight"],
  // Signs beside punctuation can be no emphasis; tags always are.
  ["strong", "bold"],
  ["em", "italic"],
  ["del", "strike"],
]);

/** The marks whose signs must not be next to white space inside. */
export const FLANKED: ReadonlySet<string> = new Set(["bold", "italic", "strike"]);

/** The tags of pending changes, in schemas that have such marks. */
const CHANGES = new Map([
  ["ins", "insertion"],
  ["del", "deletion"],
]);

/** Returns the tag that represents a mark. */
export function tagOfMark(mark: string): string | undefined {
  for (const [tag, name] of CHANGES) if (name === mark) return tag;
  for (const [tag, name] of TAGS) if (name === mark) return tag;
  return undefined;
}

/** An element that starts in a piece of HTML: a mark or a node of the schema. */
export interface OpenTag {
  tag: string;
  mark?: string;
  node?: { type: NodeType; attrs: Attrs };
}

/** Reads HTML that is exactly one start tag for which the schema has a node or mark. */
export function readOpenTag(html: string, schema: Schema): OpenTag | undefined {
  const plain = /^<([a-z]+)>$/.exec(html)?.[1];
  if (plain !== undefined) {
    const change = CHANGES.get(plain);
    const mark = change !== undefined && schema.marks[change] ? change : TAGS.get(plain);
    return mark !== undefined && schema.marks[mark] ? { tag: plain, mark } : undefined;
  }
  const [, tag, name, rest = ""] =
    /^<(span|div) data-type="([\w-]+)"((?: data-[a-z\d-]+="[^"<>]*")*)>$/.exec(html) ?? [];
  const type = name === undefined ? undefined : schema.nodes[name];
  if (tag === undefined || type === undefined || type.isInline !== (tag === "span")) return undefined;
  const attrs = readAttributes(rest, type);
  return attrs && { tag, node: { type, attrs } };
}

/** Returns the index of the end tag for each of the siblings that starts with a start tag, if it has one. */
export function endsOf(siblings: readonly { type: string; value?: unknown }[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open = new Map<string, number[]>();
  siblings.forEach(({ type, value }, at) => {
    if (type !== "html" || typeof value !== "string") return;
    const html = value.trim();
    const [started, ended] = [/^<([a-z]+)[\s>]/.exec(html)?.[1], /<\/([a-z]+)>$/.exec(html)?.[1]];
    if (started === ended) return;
    const start = ended === undefined ? undefined : open.get(ended)?.pop();
    if (start !== undefined) ends.set(start, at);
    if (started === undefined) return;
    const others = open.get(started);
    if (others) others.push(at);
    else open.set(started, [at]);
  });
  return ends;
}

/** Returns the attributes of a node as it was written; undefined if they are another type's. */
function readAttributes(html: string, type: NodeType): Attrs | undefined {
  const names = new Map(Object.keys(type.spec.attrs ?? {}).map((name) => [kebab(name), name]));
  const attrs: Record<string, unknown> = {};
  for (const [, written = "", value = ""] of html.matchAll(/ data-([a-z\d-]+)="([^"]*)"/g)) {
    const name = names.get(written.replace(/-json$/, "")) ?? names.get(written);
    if (name === undefined) return undefined;
    const text = unescapeHTML(value);
    try {
      attrs[name] = names.has(written) ? text : (JSON.parse(text) as unknown);
    } catch {
      return undefined;
    }
  }
  return attrs;
}

/** Writes the start tag of an element that names a node and its attributes. */
export function openTagOf(node: Node): string {
  const attributes = Object.entries(node.attrs).flatMap(([name, value]) => {
    if (value === node.type.spec.attrs?.[name]?.default || value === undefined) return [];
    if (typeof value === "string") return [` data-${kebab(name)}="${escapeHTML(value)}"`];
    return [` data-${kebab(name)}-json="${escapeHTML(JSON.stringify(value))}"`];
  });
  return `<${elementOf(node)} data-type="${node.type.name}"${attributes.join("")}>`;
}

/** Writes the end tag of {@link openTagOf}. */
export function closeTagOf(node: Node): string {
  return `</${elementOf(node)}>`;
}

function elementOf(node: Node): string {
  return node.isInline ? "span" : "div";
}

/** The text that readers of the file see for an inline leaf. */
export function textOfLeaf(node: Node): string {
  const own = node.type.spec.leafText?.(node);
  if (own !== undefined) return own;
  const { mentionSuggestionChar = "", label, id, name } = node.attrs as Record<string, unknown>;
  const text = label ?? id ?? name;
  return typeof text === "string"
    ? `${typeof mentionSuggestionChar === "string" ? mentionSuggestionChar : ""}${text}`
    : "";
}

/** The start of a `<details>` element that has only its summary. */
const DETAILS = /^<details( open)?>\s*<summary>([^<]*)<\/summary>$/;

/** Returns the summary's text if HTML is the start of a `<details>` element. */
export function readDetails(html: string): { summary: string; isOpen: boolean } | undefined {
  const found = DETAILS.exec(html.trim());
  return found ? { summary: unescapeHTML(found[2] ?? "").trim(), isOpen: found[1] !== undefined } : undefined;
}

/** Writes the start of a `<details>` element. */
export function writeDetails(summary: string, isOpen: boolean): string {
  return `<details${isOpen ? " open" : ""}>\n<summary>${escapeHTML(summary)}</summary>`;
}

/** Escapes text for HTML. */
export function escapeHTML(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\n/g, "&#10;");
}

function unescapeHTML(html: string): string {
  const named: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#10": "\n" };
  return html.replace(/&(lt|gt|quot|amp|#10);/g, (_, name: string) => named[name] ?? "");
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
