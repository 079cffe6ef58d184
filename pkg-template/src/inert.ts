/**
 * Content that an agent wrote, as DOM that can do nothing: it loads nothing, runs nothing, leads nowhere.
 *
 * Elements are built node by node from the tables below. The schema's own rendering is never asked, because what an
 * app's node makes of its attributes cannot be known: a URL or a script may stand under any name. No attribute of a node
 * gets into the page but numbers within bounds, whether a task is done, and the picture's own where pictures are shown.
 */

import type { Attrs, Fragment, Mark, Node } from "@tiptap/pm/model";
import { localeOf } from "./locale.js";
import type { Locale } from "./types.js";

export interface InertOptions {
  /** The tag of the language of labels; undefined for the page's. */
  locale: string | undefined;
  /** Whether the stock `image` node is shown. Only for content whose URLs have passed the guards. */
  pictures: boolean;
}

/** An element, and the one inside it that holds the node's content. */
type Built = readonly [dom: HTMLElement, content?: HTMLElement];

/** Nodes that stand for structure alone, by name; ProseMirror's names (`list_item`) are read as TipTap's (`listItem`). */
const STRUCTURE: ReadonlyMap<string, (attrs: Attrs) => Built> = new Map(
  Object.entries<(attrs: Attrs) => Built>({
    paragraph: () => same("p"),
    heading: ({ level }) => same(`h${bounded(level, 1, 6) ?? 6}`),
    blockquote: () => same("blockquote"),
    bulletList: () => same("ul"),
    orderedList: ({ start, order }) => same("ol", { start: from(start ?? order) }),
    listItem: () => same("li"),
    taskList: () => same("ul", { "data-type": "taskList" }),
    taskItem: ({ checked }) => taskItem(checked === true),
    codeBlock: () => around("pre", "code"),
    horizontalRule: () => [element("hr")],
    hardBreak: () => [element("br")],
    table: () => around("table", "tbody"),
    tableRow: () => same("tr"),
    tableCell: (attrs) => same("td", spans(attrs)),
    tableHeader: (attrs) => same("th", spans(attrs)),
    details: () => same("details", { open: "" }),
    detailsSummary: () => same("summary", { tabindex: -1 }),
    detailsContent: () => same("div", { "data-type": "detailsContent" }),
  }),
);

/** Marks that stand for the look of a text alone. A link has no `href`: it looks like one and leads nowhere. */
const MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bold: "strong",
    strong: "strong",
    italic: "em",
    em: "em",
    underline: "u",
    strike: "s",
    code: "code",
    subscript: "sub",
    superscript: "sup",
    highlight: "mark",
    link: "a",
  }),
);

/** The largest number of columns or rows that a cell spans; layout takes time for each. */
const LONGEST_SPAN = 100;
const LARGEST_START = 1_000_000_000;
const LARGEST_PICTURE = 10_000;
const LONGEST_LABEL = 60;

/** Returns the content as elements, one for each run of nodes that share marks; text is in a `span`. */
export function renderInert(content: Fragment, options: InertOptions): HTMLElement[] {
  const holder = document.createElement("div");
  fill(holder, content, options);
  const inSpan = (node: ChildNode) => (node instanceof HTMLElement ? node : element("span", {}, node));
  const elements = [...holder.childNodes].map(inSpan);
  for (const one of elements) {
    // No part of selections and copies.
    one.style.setProperty("user-select", "none");
    one.style.setProperty("-webkit-user-select", "none");
  }
  return elements;
}

/** Appends the content to an element. Neighbours that have marks in common share their elements. */
function fill(parent: HTMLElement, content: Fragment, options: InertOptions): void {
  let open: { mark: Mark; dom: HTMLElement }[] = [];
  content.forEach((node) => {
    let kept = 0;
    while (kept < open.length && kept < node.marks.length && open[kept]!.mark.eq(node.marks[kept]!)) kept++;
    open = open.slice(0, kept);
    for (const mark of node.marks.slice(kept)) {
      const dom = marked(mark, options);
      (open.at(-1)?.dom ?? parent).append(dom);
      open.push({ mark, dom });
    }
    (open.at(-1)?.dom ?? parent).append(built(node, options));
  });
}

function built(node: Node, options: InertOptions): HTMLElement | string {
  if (node.isText) return node.text ?? "";
  const name = node.type.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const structure = STRUCTURE.get(name);
  const special = name === "image" ? picture : placeholder;
  const [dom, inner] = structure ? structure(node.attrs) : special(node, options);
  if (inner) fill(inner, node.content, options);
  return dom;
}

function marked({ type }: Mark, { locale }: InertOptions): HTMLElement {
  const tag = MARKS.get(type.name);
  if (tag) return element(tag, tag === "a" ? { class: "copydesk-link", draggable: "false" } : {});
  return element("span", { class: "copydesk-placeholder-mark", title: words(locale).custom(type.name) });
}

/** A picture, where it may be shown, or a placeholder with its description. */
function picture(node: Node, options: InertOptions): Built {
  const { src, alt, width, height } = node.attrs;
  const label = typeof alt === "string" ? alt : "";
  if (!options.pictures || !isPictureURL(src)) return labelled(node, words(options.locale).picture(shortened(label)));
  const [across, down] = [width, height].map((length) => bounded(length, 1, LARGEST_PICTURE));
  return [element("img", { src, alt: label, width: across, height: down, draggable: "false" })];
}

/** A node that only the app knows: its kind, and its content if it may have any. */
function placeholder(node: Node, { locale }: InertOptions): Built {
  return labelled(node, words(locale).custom(node.type.name));
}

function labelled({ isInline, isLeaf }: Node, label: string): Built {
  const tag = isInline ? "span" : "div";
  const name = element("span", { class: "copydesk-placeholder-name" }, label);
  const content = isLeaf ? undefined : element(tag);
  return [element(tag, { class: "copydesk-placeholder" }, name, ...(content ? [content] : [])), content];
}

/** A box that shows whether the task is done, and cannot be ticked. */
function taskItem(checked: boolean): Built {
  const box = element("input", { type: "checkbox", disabled: "", checked: checked ? "" : undefined });
  const content = element("div");
  const label = element("label", {}, box, element("span"));
  return [element("li", { "data-type": "taskItem", "data-checked": String(checked) }, label, content), content];
}

/** The number of a list's first item, where it is not the usual one. */
function from(start: unknown): number | undefined {
  const number = bounded(start, 0, LARGEST_START);
  return number === 1 ? undefined : number;
}

function spans({ colspan, rowspan }: Attrs): Record<string, number | undefined> {
  return { colspan: bounded(colspan, 2, LONGEST_SPAN), rowspan: bounded(rowspan, 2, LONGEST_SPAN) };
}

/** An element that holds the node's content itself. */
function same(tag: string, attributes?: Attributes): Built {
  const dom = element(tag, attributes);
  return [dom, dom];
}

/** An element with another one inside that holds the content. */
function around(tag: string, innerTag: string): Built {
  const inner = element(innerTag);
  return [element(tag, {}, inner), inner];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function element(tag: string, attributes: Attributes = {}, ...children: (globalThis.Node | string)[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** The value as a whole number, cut to the largest; undefined where it is none or below the smallest. */
function bounded(value: unknown, smallest: number, largest: number): number | undefined {
  const number = typeof value === "string" ? Number.parseInt(value, 10) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number < smallest) return undefined;
  return Math.min(Math.floor(number), largest);
}

/** Whether an `img` may show what the URL leads to; an SVG is a mere picture there. */
function isPictureURL(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    const { protocol, pathname } = new URL(value, document.baseURI);
    if (protocol === "data:") return /^image\//i.test(pathname);
    return ["http:", "https:", "blob:", location.protocol].includes(protocol);
  } catch {
    // What is no URL is no picture.
    return false;
  }
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const signs = [...line.slice(0, 2 * LONGEST_LABEL)];
  return signs.length > LONGEST_LABEL ? `${signs.slice(0, LONGEST_LABEL - 1).join("")}…` : line;
}

const en = {
  picture: (alt: string) => (alt ? `Picture: ${alt}` : "Picture"),
  custom: (name: string) => `Custom content: ${name}`,
};

const WORDS: Record<Locale, typeof en> = {
  en,
  "zh-CN": {
    picture: (alt) => (alt ? `图片：${alt}` : "图片"),
    custom: (name) => `自定义内容：${name}`,
  },
};

function words(locale: string | undefined): typeof en {
  return WORDS[localeOf(locale)];
}
