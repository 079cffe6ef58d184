/**
 * SVG for files that hold it: rebuilt from what is drawn and does not move, run or load anything. Readers of books show an SVG
 * as a document, in which scripts run.
 */

import type { Document, Element, Node } from "@xmldom/xmldom";

/** An SVG without its active parts. */
export interface CleanSVG {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The names of the elements and attributes that were left out. */
  readonly removed: readonly string[];
}

const SVG = "http://www.w3.org/2000/svg";
const XLINK = "http://www.w3.org/1999/xlink";
const XML = "http://www.w3.org/XML/1998/namespace";
const XMLNS = "http://www.w3.org/2000/xmlns/";

/** Elements that are drawn, or describe what is drawn. Of `a` the content stays. */
const ELEMENTS = new Set(
  (
    "svg g a defs symbol use switch title desc style path rect circle ellipse line polyline polygon text tspan textPath " +
    "image linearGradient radialGradient stop pattern clipPath mask marker filter feBlend feColorMatrix " +
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow " +
    "feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight " +
    "feSpecularLighting feSpotLight feTile feTurbulence"
  ).split(" "),
);
/** Data of editors, which is never shown. */
const NOT_SHOWN = /^(?:metadata|namedview|page|desc)$/;
/** Nested more deeply, a drawing is refused: what reads it further may be recursive. */
const DEEPEST = 200;

/**
 * Returns an SVG without scripts, links, animations and references to other files, read and written with a library. Throws
 * if it is not well-formed.
 */
export function cleanSVG(
  given: Uint8Array,
  { DOMParser, DOMImplementation, XMLSerializer }: typeof import("@xmldom/xmldom"),
): CleanSVG {
  const onError = (level: string, message: string): void => {
    if (level !== "warning") throw new Error(message);
  };
  const source = textOf(given);
  if (/<!(?:ENTITY|ATTLIST)/i.test(source)) throw new Error("It declares entities.");
  const { documentElement: root } = new DOMParser({ onError }).parseFromString(source, "image/svg+xml");
  if (root?.localName !== "svg" || root.namespaceURI !== SVG) throw new Error("It is not an SVG document.");
  const clean = new DOMImplementation().createDocument(SVG, "svg", null);
  const removed = new Set<string>();
  fill(clean.documentElement!, root, { clean, removed, depth: 0 });
  const text = new XMLSerializer().serializeToString(clean, { requireWellFormed: true });
  return { bytes: new TextEncoder().encode(text), removed: [...removed].sort() };
}

/** Decodes the text according to its byte order mark or its declaration. Throws for invalid bytes. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const mark =
    first === 0xfe && second === 0xff ? "utf-16be" : first === 0xff && second === 0xfe ? "utf-16le" : undefined;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const declared = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/i.exec(head)?.[1];
  return new TextDecoder(mark ?? declared ?? "utf-8", { fatal: true }).decode(bytes);
}

interface Cleaning {
  readonly clean: Document;
  readonly removed: Set<string>;
  readonly depth: number;
}

/** Copies the attributes and the content of an element to a new one. */
function fill(to: Element, from: Element, cleaning: Cleaning): void {
  const { clean, removed, depth } = cleaning;
  if (depth > DEEPEST) throw new Error("It is nested too deeply.");
  for (const { name, localName, namespaceURI, value } of [...from.attributes]) {
    if (namespaceURI === XMLNS || isOfEditor(namespaceURI)) continue;
    if (isInertAttribute(from.localName!, localName ?? name, namespaceURI, value))
      to.setAttributeNS(namespaceURI, name, value);
    else removed.add(name);
  }
  for (const child of [...from.childNodes]) {
    if (isText(child)) to.appendChild(clean.createTextNode(child.nodeValue ?? ""));
    if (!isElement(child)) continue;
    const { localName, namespaceURI, nodeName } = child;
    if (namespaceURI !== SVG || !ELEMENTS.has(localName!)) {
      if (!isOfEditor(namespaceURI) && !NOT_SHOWN.test(localName!)) removed.add(nodeName);
      continue;
    }
    const isLink = localName === "a";
    if (localName === "style" && !isInertCSS(child.textContent ?? "", true)) {
      removed.add("style");
      continue;
    }
    const copy = clean.createElementNS(SVG, isLink ? "g" : localName!);
    fill(copy, child, { clean, removed, depth: depth + 1 });
    // A picture without its file.
    if (localName === "image" && !copy.hasAttribute("href") && !copy.hasAttribute("xlink:href")) continue;
    to.appendChild(copy);
  }
}

const isElement = (node: Node): node is Element => node.nodeType === 1;
const isText = ({ nodeType }: Node): boolean => nodeType === 3 || nodeType === 4;

/** Returns true for a namespace of an editor's own data, rather than of drawings, links or HTML. */
function isOfEditor(namespace: string | null): boolean {
  return (
    namespace !== null && namespace !== "" && ![SVG, XLINK, XML, "http://www.w3.org/1999/xhtml"].includes(namespace)
  );
}

function isInertAttribute(element: string, name: string, namespace: string | null, value: string): boolean {
  if (/^on/i.test(name) || name === "src") return false;
  // `xml:base` would move references.
  if (namespace === XML) return name === "space" || name === "lang";
  if (name === "href") return isInertReference(element, value);
  return !namespace && isInertCSS(value, false);
}

/** Returns whether a reference is one to a part of the drawing, or a picture in it that is not a drawing. */
function isInertReference(element: string, value: string): boolean {
  const text = value.trim();
  if (element === "a") return false;
  return (
    /^#[^\s]*$/.test(text) ||
    (element === "image" && /^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=\s]*$/i.test(text))
  );
}

/** Returns whether a value, or with `isSheet` a style sheet, refers to parts of the drawing only. */
function isInertCSS(text: string, isSheet: boolean): boolean {
  // Escapes would hide what is written; rules that begin with @ load other sheets and fonts.
  if (text.includes("\\") || (isSheet && text.includes("@"))) return false;
  const rest = text.replace(/url\(\s*(?:["']\s*)?#[^"'()\\]*(?:["']\s*)?\)/gi, "");
  return !/(?:url|image|image-set|src|element|expression|paint)\s*\(|script\s*:|\/\/|:\s*\/|data\s*:/i.test(rest);
}
