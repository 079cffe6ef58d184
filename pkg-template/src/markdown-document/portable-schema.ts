/** The part of a schema that reading and writing Markdown needs, as data that a worker can be sent. */

import { Schema, type MarkSpec, type NodeSpec, type Schema as AnySchema } from "@tiptap/pm/model";

type Attributes = Record<string, { default?: unknown }>;

/** The specifications of nodes and marks in their order, without functions. */
export interface PortableSchema {
  topNode: string;
  nodes: [string, NodeSpec][];
  marks: [string, MarkSpec][];
}

const OF_NODES = ["content", "marks", "group", "inline", "atom", "code", "whitespace"] as const;
const OF_MARKS = ["inclusive", "excludes", "group", "spanning"] as const;

/** Returns a schema as data; undefined if it has functions that decide what Markdown is written or which values are valid. */
export function portable(schema: AnySchema): PortableSchema | undefined {
  const nodes = Object.values(schema.nodes);
  const hasText = nodes.some(({ spec, isText }) => !isText && typeof spec.leafText === "function");
  const all = [...nodes, ...Object.values(schema.marks)].map(({ spec }) => Object.values(spec.attrs ?? {}));
  if (hasText || all.flat().some(({ validate }) => typeof validate === "function")) return undefined;
  const found: PortableSchema = {
    topNode: schema.topNodeType.name,
    nodes: nodes.map(({ name, spec }) => [name, { ...picked(spec, OF_NODES), attrs: attributesOf(spec.attrs) }]),
    marks: Object.values(schema.marks).map(({ name, spec }) => [
      name,
      { ...picked(spec, OF_MARKS), attrs: attributesOf(spec.attrs) },
    ]),
  };
  try {
    return structuredClone(found);
  } catch {
    return undefined;
  }
}

/** Returns the schema that data is of. */
export function schemaOf({ topNode, nodes, marks }: PortableSchema): AnySchema {
  return new Schema({ topNode, nodes: Object.fromEntries(nodes), marks: Object.fromEntries(marks) });
}

function picked<T extends object>(spec: T, names: readonly (keyof T & string)[]): Partial<T> {
  return Object.fromEntries(
    names.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
  ) as Partial<T>;
}

function attributesOf(attrs: NodeSpec["attrs"] = {}): Attributes {
  const entries = Object.entries(attrs).map(([name, { default: value, validate }]) => {
    const has = Object.hasOwn(attrs[name] ?? {}, "default");
    return [name, { ...(has && { default: value as unknown }), ...(validate !== undefined && { validate }) }];
  });
  return Object.fromEntries(entries) as Attributes;
}
