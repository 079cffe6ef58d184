// What the apps of several environments share.

export const NOTHING = "nothing";

export const TIPTAP = { "@tiptap/core": "3.34.0", "@tiptap/pm": "3.34.0", "@tiptap/starter-kit": "3.34.0" };

/** Returns a page without a bundler's help. */
export const html = (script) => `<!doctype html>
<meta charset="utf-8"><title>copydesk</title><link rel="icon" href="data:,"><div id="page"></div>${script}
`;

/** Returns the build script for esbuild. */
export const esbuild = (entries, options) => `
import { build } from "esbuild";
import { cpSync, writeFileSync } from "node:fs";
const options = ${JSON.stringify({ bundle: true, format: "esm", outdir: "dist", minify: true, ...options })};
await build({ entryPoints: ${JSON.stringify(entries)}, ...options });
// esbuild leaves \`new URL("…", import.meta.url)\` alone: the files are copied to where it points.
for (const build of ["page", "full"]) {
  cpSync(\`node_modules/copydesk/wasm/\${build}/copydesk_bg.wasm\`, \`dist/wasm/\${build}/copydesk_bg.wasm\`);
}
writeFileSync("dist/index.html", ${JSON.stringify(html('<script type="module" src="main.js"></script>'))});
`;

export const COPIED =
  "`page`, `full` and `parts` of `node_modules/copydesk/wasm`, those that are used, copied to `wasm` beside the output";
