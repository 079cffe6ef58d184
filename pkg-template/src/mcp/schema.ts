/** JSON Schemas of strangers, in the form that providers of models accept. */

import { LONGEST_SCHEMA } from "./limits.js";

type Schema = Record<string, unknown>;

/** Levels of nesting that are kept. Deeper values may be anything. */
const DEEPEST = 12;
/** Nodes of a schema that are read, after its references were replaced: they can multiply. */
const MOST_NODES = 2_000;
/** Names of properties that every provider accepts. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
/** Identifiers of schemas, comments, definitions, and what is for servers. The rest is kept. */
const LEFT_OUT = new Set(
  "$schema $id $anchor $dynamicAnchor $comment $defs $vocabulary definitions id examples x-mcp-header".split(" "),
);
/** Keywords that providers refuse at the top of a schema. */
const NOT_AT_TOP = new Set("anyOf oneOf allOf not if then else enum const".split(" "));
/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = new Set("items additionalProperties contains not if then else propertyNames unevaluatedItems".split(" "));
const LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const NAMED = new Set(["properties", "patternProperties", "dependentSchemas"]);

/**
 * Returns the schema of a tool's arguments: an object with `type: "object"` and `properties`, without references and
 * without alternatives at the top. Never fetches anything. Undefined if no such schema can be made of it, or if it is
 * too long even without its details.
 */
export function parametersOf(given: unknown): Schema | undefined {
  if (!isSchema(given) || !(given.type === undefined || given.type === "object")) return undefined;
  for (const depth of [DEEPEST, 4, 2]) {
    const parameters = flat(new Reader(given, depth).read(given, depth, []) as Schema);
    if (!Object.keys(parameters.properties as Schema).every((name) => NAME.test(name))) return undefined;
    if (JSON.stringify(parameters).length <= LONGEST_SCHEMA) return parameters;
  }
  return undefined;
}

/** Reads a schema and everything in it, with a bound on its depth and size. */
class Reader {
  private nodes = 0;

  constructor(
    private readonly root: Schema,
    private readonly deepest: number,
  ) {}

  /** `within` are the references that lead here: one that leads to itself may be anything. */
  read(given: unknown, depth: number, within: readonly string[]): unknown {
    if (!isSchema(given)) return given === false ? { not: {} } : {};
    if (depth === 0 || ++this.nodes > MOST_NODES) return kindOf(given);
    if (typeof given.$ref === "string") {
      const { $ref, ...beside } = given;
      const goal = within.includes($ref) ? undefined : this.find($ref);
      const target = goal && (this.read(goal, depth - 1, [...within, $ref]) as Schema);
      return { ...target, ...(this.read(beside, depth, within) as Schema) };
    }
    const entries = Object.entries(given).filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith("$dynamic"));
    const read = entries.map(([name, value]) => [name, this.value(name, value, depth - 1, within)] as const);
    const schema = Object.fromEntries(read.filter(([, value]) => value !== undefined));
    // Providers require it.
    return schema.type === "array" ? { items: {}, ...schema } : schema;
  }

  private value(name: string, value: unknown, depth: number, within: readonly string[]): unknown {
    if (LIST.has(name) || (name === "items" && Array.isArray(value))) {
      return Array.isArray(value) ? value.map((item) => this.read(item, depth, within)) : undefined;
    }
    if (NAMED.has(name)) {
      if (!isSchema(value)) return undefined;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.read(item, depth, within)]));
    }
    if (name === "additionalProperties" && typeof value === "boolean") return value;
    if (ONE.has(name)) return this.read(value, depth, within);
    // A copy: members that are not schemas (enum, default, required) are kept unchanged, unless they are large.
    const length = JSON.stringify(value)?.length ?? 0;
    return this.deepest < DEEPEST && length > 200 && name !== "enum" && name !== "required" ? undefined : value;
  }

  /** Returns the schema of a reference within the document. */
  private find(reference: string): Schema | undefined {
    if (reference === "#") return this.root;
    if (!reference.startsWith("#/")) return undefined;
    let found: unknown = this.root;
    for (const part of reference.slice(2).split("/")) {
      const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    }
    return isSchema(found) ? found : undefined;
  }
}

/** Makes the top an object without alternatives: their properties become optional ones of the object. */
function flat(schema: Schema): Schema {
  // Without a prototype: a property may be called `constructor`.
  const properties = Object.create(null) as Schema;
  const required = new Set<string>();
  const add = (part: unknown, isRequired: boolean): void => {
    if (!isSchema(part)) return;
    const inner = [part.anyOf, part.oneOf].flat().concat(part.if, part.then, part.else);
    for (const item of inner) add(item, false);
    for (const item of [part.allOf].flat()) add(item, isRequired);
    for (const [name, property] of Object.entries(isSchema(part.properties) ? part.properties : {})) {
      properties[name] ??= property;
    }
    if (!isRequired || !Array.isArray(part.required)) return;
    for (const name of part.required) if (typeof name === "string") required.add(name);
  };
  add(schema, true);
  const rest = Object.entries(schema).filter(([name]) => !NOT_AT_TOP.has(name));
  const known = [...required].filter((name) => Object.hasOwn(properties, name));
  return { ...Object.fromEntries(rest), type: "object", properties: { ...properties }, required: known };
}

/** The parts that are kept of a schema whose details are left out. */
function kindOf({ type, description }: Schema): Schema {
  return {
    ...(typeof type === "string" ? { type } : {}),
    ...(typeof description === "string" && description.length < 200 ? { description } : {}),
    // Providers require it.
    ...(type === "array" ? { items: {} } : {}),
  };
}

function isSchema(given: unknown): given is Schema {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not encoded: the name contains a percent sign.
    return part;
  }
}
