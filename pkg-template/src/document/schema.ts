/** Conversion of a ProseMirror schema to data for the wasm. */

import type { Schema } from "@tiptap/pm/model";

/** Returns the schema's nodes in order and its marks by rank, without functions. */
export function schemaData(schema: Schema): unknown {
  return {
    topNode: schema.topNodeType.name,
    nodes: Object.values(schema.nodes).map(({ name, spec, isInline, whitespace }) => ({
      name,
      content: spec.content ?? "",
      group: spec.group,
      inline: isInline,
      atom: spec.atom,
      code: spec.code,
      whitespace,
      marks: spec.marks,
      defining: spec.defining,
      isolating: spec.isolating,
      linebreakReplacement: spec.linebreakReplacement,
      attrs: attributes(spec.attrs),
    })),
    marks: Object.values(schema.marks).map(({ name, spec }) => ({
      name,
      group: spec.group,
      excludes: spec.excludes,
      inclusive: spec.inclusive,
      spanning: spec.spanning,
      attrs: attributes(spec.attrs),
    })),
  };
}

function attributes(attrs: Record<string, { default?: unknown }> | null | undefined): unknown {
  const data = Object.entries(attrs ?? {}).map(([name, attribute]) => {
    return [name, "default" in attribute ? { default: attribute.default ?? null } : {}];
  });
  return Object.fromEntries(data);
}
