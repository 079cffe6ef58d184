// Prints which entries of a package load which libraries, tab-separated: the entry, the library, and "never", "on demand"
// or "at once", as the bundle of a page that imports the entry shows it.
// Usage: node libraries.mjs <folder of the package> <library…>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const [dir, ...libraries] = process.argv.slice(2);
const { exports } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
const modules = Object.entries(exports).filter(([, { default: path }]) => path?.endsWith(".js"));

for (const [entry, { default: path }] of modules) {
  const build = await rolldown({ input: join(dir, path), platform: "browser", logLevel: "silent" });
  const { output } = await build.generate({ format: "esm" });
  await build.close();
  const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const atOnce = new Set();
  const visit = (name) => {
    if (atOnce.has(name) || !chunks.has(name)) return;
    atOnce.add(name);
    chunks.get(name).imports.forEach(visit);
  };
  output.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => visit(fileName));
  for (const library of libraries) {
    const isIn = ({ moduleIds }) => moduleIds.some((id) => id.includes(`/node_modules/${library}/`));
    const holding = [...chunks.values()].filter(isIn);
    const isAtOnce = holding.some(({ fileName }) => atOnce.has(fileName));
    console.log([entry, library, holding.length === 0 ? "never" : isAtOnce ? "at once" : "on demand"].join("\t"));
  }
}
