/**
 * Content of an agent as inert DOM: it loads nothing, runs nothing, and its links lead nowhere.
 *
 * Elements are built from the tables below. The schema's `renderHTML` is never used, because an app's node may put a
 * URL or a script into any attribute. Only bounded numbers, the state of a task, and the attributes of images (if
 * images are shown) reach the page.
 */

import type { Attrs, Fragment, Mark, Node } from "@tiptap/pm/model";
import { imageURL } from "../base/url-reference.js";
import { capitalized, nodeWords, shortened, typeName } from "./node-names.js";

export interface InertOptions {
  /** The language tag of labels; undefined for the page's. */
  locale: string | undefined;
  /** True to show images. Only for content whose URLs have passed the guards. */
  images: boolean;
  /** True if the content can be selected and copied. */
  selectable?: boolean;
}

/** An element, and the element for the node's content. */
type Rendered = readonly [dom: HTMLElement, content?: HTMLElement];

// Pages that show no previews leave the tables out: their creation is marked as pure.

/** Structural nodes by name; ProseMirror's names (`list_item`) are read as TipTap's (`listItem`). */
const STRUCTURE: ReadonlyMap<string, (attrs: Attrs) => Rendered> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries<(attrs: Attrs) => Rendered>({
    paragraph: () => container("p"),
    heading: ({ level }) => container(`h${bounded(level, 1, 6) ?? 6}`),
    blockquote: () => container("blockquote"),
    bulletList: () => container("ul"),
    orderedList: ({ start, order }) => container("ol", { start: startNumber(start ?? order) }),
    listItem: () => container("li"),
    taskList: () => container("ul", { "data-type": "taskList" }),
    taskItem: ({ checked }) => taskItem(checked === true),
    codeBlock: () => nested("pre", "code"),
    horizontalRule: () => [element("hr")],
    hardBreak: () => [element("br")],
    table: () => nested("table", "tbody"),
    tableRow: () => container("tr"),
    tableCell: (attrs) => container("td", spans(attrs)),
    tableHeader: (attrs) => container("th", spans(attrs)),
    details: () => container("details", { open: "" }),
    detailsSummary: () => container("summary", { tabindex: -1 }),
    detailsContent: () => container("div", { "data-type": "detailsContent" }),
  }),
);

/** Formatting marks. A link gets no `href`: it looks like a link and leads nowhere. */
const MARKS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
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

/** The most columns or rows that a cell spans; layout takes time for each. */
const LONGEST_SPAN = 100;
const LARGEST_START = 1_000_000_000;
const LARGEST_IMAGE = 10_000;

/** Returns the content as elements, one per run of nodes with the same marks; text is in a `span`. */
export function renderInert(content: Fragment, options: InertOptions): HTMLElement[] {
  const holder = document.createElement("div");
  fill(holder, content, options);
  const inSpan = (node: ChildNode) => (node instanceof HTMLElement ? node : element("span", {}, node));
  const elements = [...holder.childNodes].map(inSpan);
  if (options.selectable) return elements;
  for (const one of elements) {
    // Excluded from selections and copies.
    one.style.setProperty("user-select", "none");
    one.style.setProperty("-webkit-user-select", "none");
  }
  return elements;
}

/** Appends the content to an element. Neighbours with the same marks share their elements. */
function fill(parent: HTMLElement, content: Fragment, options: InertOptions): void {
  let open: { mark: Mark; dom: HTMLElement }[] = [];
  content.forEach((node) => {
    let kept = 0;
    while (kept < open.length && kept < node.marks.length && open[kept]!.mark.eq(node.marks[kept]!)) kept++;
    open = open.slice(0, kept);
    for (const mark of node.marks.slice(kept)) {
      const dom = renderMark(mark, options);
      (open.at(-1)?.dom ?? parent).append(dom);
      open.push({ mark, dom });
    }
    (open.at(-1)?.dom ?? parent).append(renderNode(node, options));
  });
}

function renderNode(node: Node, options: InertOptions): HTMLElement | string {
  if (node.isText) return node.text ?? "";
  const name = node.type.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const structure = STRUCTURE.get(name);
  const special = name === "image" ? renderImage : renderPlaceholder;
  const [dom, inner] = structure ? structure(node.attrs) : special(node, options);
  if (inner) fill(inner, node.content, options);
  return dom;
}

/** Returns the name of the element that a formatting mark is drawn as; undefined for a mark of the app. */
export function markTag({ type }: Mark): string | undefined {
  return MARKS.get(type.name);
}

function renderMark(mark: Mark, { locale }: InertOptions): HTMLElement {
  const tag = markTag(mark);
  if (tag) return element(tag, tag === "a" ? { class: "copydesk-link", draggable: "false" } : {});
  return element("span", {
    class: "copydesk-placeholder-mark",
    title: capitalized(typeName(mark.type, locale), locale),
  });
}

/** Renders an image, if allowed, or a placeholder with its description. */
function renderImage(node: Node, options: InertOptions): Rendered {
  const { src, alt, width, height } = node.attrs;
  const label = typeof alt === "string" ? alt : "";
  const url = options.images ? imageURL(src) : undefined;
  if (url === undefined) return labelled(node, nodeWords(options.locale).image(shortened(label)));
  const [across, down] = [width, height].map((length) => bounded(length, 1, LARGEST_IMAGE));
  return [element("img", { src: url, alt: label, width: across, height: down, draggable: "false" })];
}

/** Renders a node of the app as a placeholder: its name, and its content if it may have any. */
function renderPlaceholder(node: Node, { locale }: InertOptions): Rendered {
  return labelled(node, capitalized(typeName(node.type, locale), locale));
}

function labelled({ isInline, isLeaf }: Node, label: string): Rendered {
  const tag = isInline ? "span" : "div";
  const name = element("span", { class: "copydesk-placeholder-name" }, label);
  const content = isLeaf ? undefined : element(tag);
  return [element(tag, { class: "copydesk-placeholder" }, name, ...(content ? [content] : [])), content];
}

/** Renders a task with a disabled checkbox. */
function taskItem(checked: boolean): Rendered {
  const box = element("input", { type: "checkbox", disabled: "", checked: checked ? "" : undefined });
  const content = element("div");
  const label = element("label", {}, box, element("span"));
  return [element("li", { "data-type": "taskItem", "data-checked": String(checked) }, label, content), content];
}

/** Returns the first number of a list, unless it is 1. */
function startNumber(start: unknown): number | undefined {
  const number = bounded(start, 0, LARGEST_START);
  return number === 1 ? undefined : number;
}

function spans({ colspan, rowspan }: Attrs): Record<string, number | undefined> {
  return { colspan: bounded(colspan, 2, LONGEST_SPAN), rowspan: bounded(rowspan, 2, LONGEST_SPAN) };
}

/** Returns an element that contains the node's content directly. */
function container(tag: string, attributes?: Attributes): Rendered {
  const dom = element(tag, attributes);
  return [dom, dom];
}

/** Returns an element with an inner element for the content. */
function nested(tag: string, innerTag: string): Rendered {
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

/** Returns the value as an integer, at most `largest`; undefined if it is not a number or less than `smallest`. */
function bounded(value: unknown, smallest: number, largest: number): number | undefined {
  const number = typeof value === "string" ? Number.parseInt(value, 10) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number < smallest) return undefined;
  return Math.min(Math.floor(number), largest);
}
