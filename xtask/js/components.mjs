// Writes the components of copydesk/ui/react and copydesk/ui/vue: one for each element of the manifest, with its
// properties, events and slots.
// Usage: node components.mjs <folder of the package>
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const dir = process.argv[2];
const { modules } = JSON.parse(readFileSync(join(dir, "custom-elements.json"), "utf8"));
const elements = modules
  .flatMap(({ path, declarations }) => declarations.map((declaration) => elementOf(path, declaration)))
  .sort((a, b) => a.tag.localeCompare(b.tag));

function elementOf(path, { name, tagName, description, members, events = [], slots = [] }) {
  const properties = members.filter(({ kind, readonly }) => kind === "field" && !readonly);
  return {
    name,
    tag: tagName,
    description: (description ?? tagName).replaceAll("\n", " "),
    module: basename(path),
    properties: properties.map((one) => one.name),
    flags: properties.filter(({ type }) => type?.text === "boolean").map((one) => one.name),
    events: events.map((one) => one.name),
    slots: slots.map((slot) => slot.name || "default"),
  };
}

const list = (names) => `[${names.map((name) => JSON.stringify(name)).join(", ")}]`;
const union = (names) => names.map((name) => JSON.stringify(name)).join(" | ") || "never";
const write = (name, lines) => writeFileSync(join(dir, "ui", name), `${lines.join("\n")}\n`);

for (const framework of ["react", "vue"]) {
  const isReact = framework === "react";
  const about = `/** \`copydesk/ui/${framework}\`: the elements as components. Each loads its element when it is mounted first. */`;
  write(`${framework}.js`, [
    ...(isReact ? ['"use client";'] : []),
    about,
    `import { component } from "./${framework}-component.js";`,
    ...elements.map(
      ({ name, tag, module, properties, flags, events }) =>
        `export const ${name} = /* @__PURE__ */ component({ tag: "${tag}", name: "${name}", load: () => import("./${module}"), properties: ${list(properties)}, flags: ${list(flags)}, events: ${list(events)} });`,
    ),
  ]);
  write(`${framework}.d.ts`, [
    about,
    `import type { ElementComponent } from "./${framework}-component.js";`,
    ...(isReact ? ['import type { CopydeskTags } from "./element-types.js";'] : []),
    ...elements.flatMap(({ name, tag, description, properties, events, slots }) => [
      `/** ${description} */`,
      `export declare const ${name}: ElementComponent<"${tag}", ${union(properties)}, ${union(events)}${isReact ? "" : `, ${union(slots)}`}>;`,
      ...(isReact
        ? [`/** The element of the component, which its ref is. */`, `export type ${name} = CopydeskTags["${tag}"];`]
        : []),
    ]),
  ]);
}
