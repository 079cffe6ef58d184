// Bundles the package's modules as CommonJS for test runners and Node programs without ES modules; the Markdown parser
// is bundled before, in the package itself.
// Usage: node commonjs.mjs <folder of the package> <folder to write>
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { bundleParser } from "./parser.mjs";

const [dir, out] = process.argv.slice(2);
const ENTRIES = [
  "index",
  "tiptap",
  "full",
  "languages/es",
  "route",
  "react",
  "vue",
  "authorship",
  "comments",
  "webmcp",
  "server",
  "suggestions",
  "workspace",
  "mcp",
  "skills",
];

await bundleParser(dir);

const build = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, join(dir, `${name}.js`)])),
  platform: "node",
  // TipTap, the framework, git and the client of MCP must be the app's.
  external: /^(?:@tiptap\/|@modelcontextprotocol\/|isomorphic-git|js-yaml$|buffer$|react$|vue$)/,
  // "use client" of copydesk/react stays: it is the first statement of its chunk.
  checks: { moduleLevelDirective: false },
});
await build.write({
  dir: out,
  format: "cjs",
  exports: "named",
  chunkFileNames: "[name].js",
  entryFileNames: "[name].js",
});
await build.close();
writeFileSync(join(out, "package.json"), '{ "type": "commonjs" }\n');

// The types are the same; in this folder they describe CommonJS.
for (const name of readdirSync(dir, { recursive: true }).map(String)) {
  if (!name.endsWith(".d.ts") || /^(?:wasm|cjs)[\\/]/.test(name)) continue;
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(
    join(out, name),
    readFileSync(join(dir, name), "utf8").replace(/"(?:\.\/|((?:\.\.\/)+))wasm\//g, '"../$1wasm/'),
  );
}
