/** Changes of the form of content in words. */

import { attributeName, attributeValue, capitalized, nodeName, nodeWords, typeName } from "../view/node-names.js";
import type { FormChange, Formatting } from "./formatting.js";

type Attributes = Readonly<Record<string, unknown>>;

/** The most differences that are named. */
const MOST_NAMED = 3;

/** Returns a change in words, such as "Heading 2 → heading 3". */
export function formattingInWords({ changes }: Formatting, locale: string | undefined): string {
  const said = [...new Set(changes.flatMap((change) => inWords(change, locale)))];
  const shown = said.length > MOST_NAMED ? [...said.slice(0, MOST_NAMED), "…"] : said;
  return capitalized(nodeWords(locale).list(shown), locale);
}

function inWords(change: FormChange, locale: string | undefined): string[] {
  const { attribute, becomes, removed } = nodeWords(locale);
  switch (change.kind) {
    case "added":
      return [typeName(change.type, locale)];
    case "removed":
      return [removed(typeName(change.type, locale))];
    case "mark": {
      const { before, after } = change;
      const name = typeName(after.type, locale);
      return attributesInWords(before.attrs, after.attrs, locale).map((said) => attribute(name, said));
    }
    case "node": {
      const { before, after } = change;
      const [was, is] = [nodeName(before, locale), nodeName(after, locale)];
      if (before.type !== after.type) return [was === is ? is : becomes(was, is)];
      const attributes = attributesInWords(before.attrs, after.attrs, locale, was === is ? undefined : "level");
      return was === is ? attributes : [becomes(was, is), ...attributes];
    }
  }
}

/** Returns the attributes that change, in words. The name of a node may say one of them. */
function attributesInWords(before: Attributes, after: Attributes, locale: string | undefined, said?: string): string[] {
  const { attribute, becomes } = nodeWords(locale);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    if (name === said || JSON.stringify(before[name]) === JSON.stringify(after[name])) return [];
    const [was, is] = [attributeValue(before[name], locale), attributeValue(after[name], locale)];
    return [attribute(attributeName(name, locale), becomes(was, is))];
  });
}
