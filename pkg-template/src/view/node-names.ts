/** The names of nodes, marks and attributes for people. */

import type { MarkType, Node, NodeType, Schema } from "@tiptap/pm/model";
import { localeOf } from "../base/locale.js";
import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { nodes as en } from "../languages/en/nodes.js";
import { nodes as zh } from "../languages/zh-CN/nodes.js";

export type NodeWords = LanguageWords["nodes"];

const LONGEST = 60;

/** Returns the words for a language tag; without one, for the page's. */
export function nodeWords(locale: string | undefined): NodeWords {
  return wordsOf("nodes", { en, "zh-CN": zh }, localeOf(locale));
}

/** Returns the name of a type, as it is said in a sentence: the `label` of its spec, a text or one for each language tag, else
 * the known name, else its name in the schema as words. */
export function typeName({ name, spec }: NodeType | MarkType, locale: string | undefined): string {
  const label = labelIn(spec.label, localeOf(locale));
  return label ?? lookUp(nodeWords(locale).names, camel(name)) ?? inWords(name);
}

/** Returns the name of a node, with the level of a heading. */
export function nodeName({ type, attrs }: Node, locale: string | undefined): string {
  const isKnown = type.name === "heading" && type.spec.label === undefined && typeof attrs.level === "number";
  return isKnown ? nodeWords(locale).heading(String(attrs.level)) : typeName(type, locale);
}

/** Returns the name of an attribute. */
export function attributeName(name: string, locale: string | undefined): string {
  return lookUp(nodeWords(locale).attributes, name) ?? inWords(name);
}

/** Returns the value of an attribute in one short line. */
export function attributeValue(value: unknown, locale: string | undefined): string {
  const { values } = nodeWords(locale);
  if (value === null || value === undefined || value === "") return values.none;
  if (typeof value === "boolean") return value ? values.yes : values.no;
  if (typeof value === "object") return "…";
  return lookUp(values, String(value)) ?? shortened(String(value));
}

/** Returns a name that begins a line, with a capital letter of the language; without a language tag, of the page's. */
export function capitalized(name: string, locale: string | undefined): string {
  const [first = "", ...rest] = name;
  return first.toLocaleUpperCase(localeOf(locale)) + rest.join("");
}

/**
 * Returns a text of the document with its leaves named as they are for people: a divider for `[horizontalRule]`, and
 * "Chart: Sales" for `[chart: Sales]`, which is the text form of an app's node. A form that is also in
 * `typed`, which is what the nodes of text contain, stays as it is.
 */
export function formsInWords(text: string, schema: Schema, locale: string | undefined, typed = ""): string {
  return text.replace(/\[([\w-]+)(?:: ([^\]\n]*))?\]/g, (form, name: string, value: string | undefined) => {
    const type = Object.hasOwn(schema.nodes, name) ? schema.nodes[name] : undefined;
    if (!type?.isLeaf || type.isText || typed.includes(form)) return form;
    const said = capitalized(typeName(type, locale), locale);
    return value === undefined ? said : nodeWords(locale).attribute(said, value);
  });
}

function labelIn(label: unknown, tag: string): string | undefined {
  if (typeof label === "string") return label || undefined;
  if (typeof label !== "object" || label === null) return undefined;
  const labels = label as Readonly<Record<string, unknown>>;
  const found = [tag, tag.split("-", 1)[0]!, "en"]
    .map((key) => labels[key])
    .find((one) => typeof one === "string" && one);
  return found as string | undefined;
}

/** Returns ProseMirror's names (`list_item`) as TipTap's (`listItem`). */
function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function inWords(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[-_]+/g, " ");
  return words.trim().toLowerCase() || name;
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Returns a text in one line of at most 60 characters. A longer one ends with an ellipsis. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line.slice(0, 2 * LONGEST)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : line;
}
