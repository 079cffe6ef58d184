/** Reads the fields of a front matter: as YAML, and what YAML refuses as it is written. */

import { isObject } from "../base/json.js";

type Yaml = typeof import("js-yaml");

export interface FrontMatter {
  fields: Record<string, unknown>;
  /** The names of the fields that are not valid YAML; undefined if all is. */
  repaired?: string[];
}

/** The most levels of lists and mappings within each other. */
const DEEPEST = 20;
/** The fields that are texts, whatever YAML would make of them. */
const TEXTS = ["name", "description"];
/** A field at the start of a line. What follows up to the next one belongs to it. */
const FIELD = /^(["']?)([A-Za-z_][\w.-]*)\1[ \t]*:(?:[ \t]+|$)/;

/**
 * Returns the fields of a front matter. Where it is not valid YAML, each field is read by itself, and one that is
 * invalid alone as the text that it has; of two with one name the last one counts.
 *
 * @throws the error of the parser if there are no fields.
 */
export function readFrontMatter(matter: string, yaml: Yaml): FrontMatter {
  try {
    return { fields: fieldsOf(parse(matter, yaml)) };
  } catch (thrown) {
    const blocks = blocksOf(matter);
    if (!blocks.length) throw thrown;
    const fields: [name: string, value: unknown][] = [];
    const repaired: string[] = [];
    for (const { name, text, rest } of blocks) {
      const value = valueOf(name, text, yaml);
      if (value === undefined) repaired.push(name);
      fields.push([name, value ?? writtenIn(rest)]);
    }
    return { fields: Object.fromEntries(fields), repaired };
  }
}

/** Parses with every scalar as the text that it is: `1.0` stays `1.0`. */
function parse(text: string, { load, FAILSAFE_SCHEMA }: Yaml): unknown {
  // With aliases, a short text can expand to a huge one.
  return load(text, { schema: FAILSAFE_SCHEMA, maxDepth: DEEPEST, maxAliases: 0 });
}

function fieldsOf(data: unknown): Record<string, unknown> {
  if (data == null || data === "") return {};
  if (!isObject(data) || Array.isArray(data)) throw new Error("it is not a list of fields");
  return data as Record<string, unknown>;
}

/**
 * Returns the value of a field that is read by itself; undefined if it is invalid, or not a text where it has to be
 * one.
 */
function valueOf(name: string, text: string, yaml: Yaml): unknown {
  try {
    const value = fieldsOf(parse(text, yaml))[name];
    return TEXTS.includes(name) && typeof value !== "string" ? undefined : value;
  } catch {
    // The caller uses the text unchanged, and reports this.
    return undefined;
  }
}

/** Returns the lines of each field: `text` with its name, `rest` without. */
function blocksOf(matter: string): { name: string; text: string; rest: string }[] {
  const blocks: { name: string; text: string; rest: string }[] = [];
  for (const given of matter.split("\n")) {
    // YAML forbids tabs as indentation.
    const line = given.replace(/^[ \t]+/, (indent) => indent.replaceAll("\t", "  "));
    const [start, , name] = FIELD.exec(line) ?? [];
    const last = blocks.at(-1);
    if (name !== undefined) blocks.push({ name, text: line, rest: line.slice(start!.length) });
    else if (last) {
      last.text += `\n${line}`;
      last.rest += `\n${line}`;
    }
  }
  return blocks;
}

/** Returns the text of a field as a person reads it: without the sign of a block, and without quotes around all. */
function writtenIn(rest: string): string {
  const lines = rest.split("\n").map((line) => line.trim());
  if (/^[|>][-+\d]*$/.test(lines[0]!)) lines.shift();
  const text = lines.join("\n").trim();
  const [, quote, inside] = /^(["'])([^]*)\1$/.exec(text) ?? [];
  if (quote === undefined || inside === undefined) return text;
  // The first quote ends before the last one begins: "one" or "two".
  const next = inside.indexOf(quote);
  const isClosed = next > 0 && /\S/.test(inside[next - 1]!) && /[\s.,;:!?)]/.test(inside[next + 1] ?? " ");
  return isClosed ? text : inside.replaceAll(quote === "'" ? "''" : '\\"', quote);
}
