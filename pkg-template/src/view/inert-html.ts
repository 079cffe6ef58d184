/**
 * Parsing and serializing of HTML from agents in inert documents: they have no window, load no image and run no
 * script or event handler.
 */

import { elementFromString } from "@tiptap/core";
import { DOMSerializer, Fragment, type Node, type Schema } from "@tiptap/pm/model";

/** Elements whose `name` or `id` shadows a property of their form (DOM clobbering). */
const CONTROLS = ["button", "fieldset", "img", "input", "object", "output", "select", "textarea"];
/** Elements whose `name` shadows a property of the document. */
const NAMED_IN_DOCUMENT = ["embed", "form", "iframe", "img", "object"];

/** Returns the body of `html` in an inert document, parsed as TipTap parses content. */
export function parseInert(html: string): HTMLElement {
  return elementFromString(/(?:name|id|span)\s*=/i.test(html) ? normalized(html) : html);
}

/** Returns `content` as HTML of the schema. The elements are created in an inert document. */
export function serializeInert(schema: Schema, content: Fragment): string {
  return serializer(schema)(content);
}

/** Returns the HTML of each node. Its elements are created in one inert document. */
export function serializeEachInert(schema: Schema, nodes: readonly Node[]): string[] {
  return nodes.length ? nodes.map((node) => Fragment.from(node)).map(serializer(schema)) : [];
}

function serializer(schema: Schema): (content: Fragment) => string {
  const inert = document.implementation.createHTMLDocument("");
  const [writer, container] = [DOMSerializer.fromSchema(schema), inert.createElement("div")];
  return (content) => {
    container.replaceChildren();
    writer.serializeFragment(content, { document: inert }, container);
    return container.innerHTML;
  };
}

/** Returns HTML without attributes that make parsers fail or take excessive time. */
function normalized(html: string): string {
  const { body } = document.implementation.createHTMLDocument("");
  body.innerHTML = html;
  const changed = [boundSpans(body), removeClobberingNames(body)];
  return changed.includes(true) ? body.innerHTML : html;
}

/** Limits `colspan` and `rowspan` to HTML's maximum (1000, 65534): TipTap creates an element for each column. */
function boundSpans(body: HTMLElement): boolean {
  let changed = false;
  for (const cell of body.querySelectorAll<HTMLTableCellElement>("td, th")) {
    for (const [name, span] of [
      ["colspan", cell.colSpan],
      ["rowspan", cell.rowSpan],
    ] as const) {
      if (!(Number.parseInt(cell.getAttribute(name) ?? "", 10) > Math.max(span, 1))) continue;
      cell.setAttribute(name, String(span));
      changed = true;
    }
  }
  return changed;
}

/**
 * Removes names and ids that shadow properties of a form or of the document: after `<form><input name=nodeName>` the
 * form's `nodeName` is the input, and after `<img name=body>` `document.body` is the image.
 */
function removeClobberingNames(body: HTMLElement): boolean {
  let changed = false;
  const remove = (tags: readonly string[], attributes: readonly string[]) => {
    for (const element of body.querySelectorAll(tags.join())) {
      for (const attribute of attributes) {
        const value = element.getAttribute(attribute);
        if (value === null || !(value in HTMLFormElement.prototype || value in Document.prototype)) continue;
        element.removeAttribute(attribute);
        changed = true;
      }
    }
  };
  // Controls first: as long as they have their names, no method of a form can be called.
  if (body.querySelector("form")) remove(CONTROLS, ["name", "id"]);
  remove(NAMED_IN_DOCUMENT, ["name"]);
  remove(["object"], ["id"]);
  return changed;
}
