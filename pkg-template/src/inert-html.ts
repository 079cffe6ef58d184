/**
 * HTML that somebody else wrote, read and written where it can do nothing: in documents without a window, which load no
 * picture, run no script and no event handler.
 */

import { elementFromString } from "@tiptap/core";
import { DOMSerializer, type Fragment, type Schema } from "@tiptap/pm/model";

/** Elements whose `name` or `id` becomes a property of their form, in place of the form's own. */
const CONTROLS = ["button", "fieldset", "img", "input", "object", "output", "select", "textarea"];
/** Elements whose `name` becomes a property of the document, in place of the document's own. */
const NAMED_IN_DOCUMENT = ["embed", "form", "iframe", "img", "object"];

/** Returns the body that `html` makes in an inert document, read as TipTap reads content. */
export function parseInert(html: string): HTMLElement {
  return elementFromString(/(?:name|id|span)\s*=/i.test(html) ? tamed(html) : html);
}

/** Returns the HTML that the schema makes of `content`. The elements on the way stand in an inert document. */
export function serializeInert(schema: Schema, content: Fragment): string {
  const inert = document.implementation.createHTMLDocument("");
  const container = inert.createElement("div");
  DOMSerializer.fromSchema(schema).serializeFragment(content, { document: inert }, container);
  return container.innerHTML;
}

/** Returns HTML without what makes those who read it fail or never come to an end. */
function tamed(html: string): string {
  const { body } = document.implementation.createHTMLDocument("");
  body.innerHTML = html;
  const changed = [boundSpans(body), freeNames(body)];
  return changed.includes(true) ? body.innerHTML : html;
}

/** Cuts `colspan` and `rowspan` to what HTML allows (1000, 65534): TipTap makes an element for each column it is told of. */
function boundSpans(body: HTMLElement): boolean {
  let changed = false;
  for (const cell of body.querySelectorAll<HTMLTableCellElement>("td, th")) {
    for (const [name, span] of [["colspan", cell.colSpan], ["rowspan", cell.rowSpan]] as const) {
      if (!(Number.parseInt(cell.getAttribute(name) ?? "", 10) > Math.max(span, 1))) continue;
      cell.setAttribute(name, String(span));
      changed = true;
    }
  }
  return changed;
}

/**
 * Removes names and ids that stand in for what a parser asks of a form or of the document: after
 * `<form><input name=nodeName>` the form's `nodeName` is the input, and after `<img name=body>` the body is the picture.
 */
function freeNames(body: HTMLElement): boolean {
  let changed = false;
  const free = (tags: readonly string[], attributes: readonly string[]) => {
    for (const element of body.querySelectorAll(tags.join())) {
      for (const attribute of attributes) {
        const value = element.getAttribute(attribute);
        if (value === null || !(value in HTMLFormElement.prototype || value in Document.prototype)) continue;
        element.removeAttribute(attribute);
        changed = true;
      }
    }
  };
  // Controls come first: as long as they have their names, no method of a form can be called.
  if (body.querySelector("form")) free(CONTROLS, ["name", "id"]);
  free(NAMED_IN_DOCUMENT, ["name"]);
  free(["object"], ["id"]);
  return changed;
}
