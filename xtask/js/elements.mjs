// Writes the manifest of the custom elements of the package (https://github.com/webcomponents/custom-elements-manifest), as
// editors and documentation tools read it: what pages can use of each element.
// Usage: node elements.mjs <pkg-template> <custom-elements.json>
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";

const [template, goal] = process.argv.slice(2);
const source = join(template, "src");
const analyzer = createRequire(import.meta.url).resolve("@custom-elements-manifest/analyzer/cem.js");
const work = mkdtempSync(join(source, "../.elements-"));
const given = ["analyze", "--litelement", "--globs", "ui/*.ts", "--outdir", relative(source, work), "--quiet"];
let manifest;
try {
  execFileSync(process.execPath, [analyzer, ...given], { cwd: source, stdio: ["ignore", "ignore", "inherit"] });
  manifest = JSON.parse(readFileSync(join(work, "custom-elements.json"), "utf8"));
} finally {
  rmSync(work, { recursive: true, force: true });
}

const isPublic = ({ privacy = "public", name }) => privacy === "public" && !name.startsWith("#");
/** Members of custom elements that are no part of an API. */
const isOwn = ({ name, static: isStatic }) =>
  !isStatic && !/Callback$|^(?:updated|willUpdate|render|scheduleUpdate)$/.test(name);

function elementOf(declaration) {
  const members = declaration.members.filter((member) => isPublic(member) && isOwn(member));
  const fields = new Set(members.map(({ name }) => name));
  return {
    ...declaration,
    superclass: { name: "LitElement", package: "lit" },
    members,
    attributes: (declaration.attributes ?? []).filter(({ fieldName }) => fields.has(fieldName)),
    // Those of JSDoc have a description; others are calls of `dispatchEvent` within.
    events: (declaration.events ?? []).filter(({ description }) => description),
  };
}

const modules = manifest.modules.flatMap(({ path, declarations = [] }) => {
  const elements = declarations.filter(({ tagName }) => tagName).map(elementOf);
  if (!elements.length) return [];
  const module = path.replace(/\.ts$/, ".js");
  const exports = elements.flatMap(({ name, tagName }) => [
    { kind: "js", name, declaration: { name, module } },
    { kind: "custom-element-definition", name: tagName, declaration: { name, module } },
  ]);
  return [{ kind: "javascript-module", path: module, declarations: elements, exports }];
});
if (!modules.length) throw new Error("no custom element was found");
writeFileSync(goal, `${JSON.stringify({ schemaVersion: manifest.schemaVersion, readme: "", modules }, null, 2)}\n`);
