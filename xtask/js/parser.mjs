// Bundles the Markdown parser of the package into files of its own, without the DOM.
//
// A dependency of micromark has a variant for browsers that creates an element when it is imported. Bundlers choose it
// for workers, too, which have no DOM; a library cannot choose for them.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";

/** The modules that import the parser. */
const MODULES = ["syntax", "notation", "formulas", "known-notation"];

/** Bundles the parser in the folder of a package, and writes the licences of what it contains. */
export async function bundleParser(dir) {
  const folder = resolve(dir, "markdown-document");
  const build = await rolldown({
    input: Object.fromEntries(MODULES.map((name) => [name, join(folder, `${name}.js`)])),
    platform: "neutral",
    resolve: { conditionNames: ["import", "default"], mainFields: ["module", "main"] },
    // Modules of the package stay as they are: others import them, too.
    external: (id, importer) => id.startsWith("./") && importer !== undefined && dirname(importer) === folder,
  });
  const { output } = await build.write({
    dir: folder,
    format: "es",
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: "third-party-[name].js",
  });
  await build.close();
  const bundled = output.flatMap(({ moduleIds }) =>
    moduleIds.map((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]),
  );
  writeFileSync(join(dir, "LICENSE-THIRD-PARTY"), licences([...new Set(bundled.filter(Boolean))].sort()));
}

/** Returns the licences of packages; a text that several have is written once. */
function licences(packages) {
  const names = new Map();
  for (const folder of packages) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : `License: ${license}`;
    names.set(text, [...(names.get(text) ?? []), `${name} ${version}`]);
  }
  return [...names].map(([text, used]) => `${used.join("\n")}\n\n${text}\n`).join(`\n${"-".repeat(80)}\n\n`);
}
