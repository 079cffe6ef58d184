// Prints name, raw, gzip and brotli bytes of what a page adds for an entry of a package, minified and with the libraries
// that it loads at once, tab-separated. What every page with the editor has is left out: the package's own `index.js`
// with what that needs, and TipTap.
// Usage: node bundled.mjs <folder of the package> <entry…>
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const [dir, ...entries] = process.argv.slice(2);

for (const entry of entries) {
  const external = (id) => id === "copydesk" || id.startsWith("@tiptap/") || id.startsWith("prosemirror-");
  const build = await rolldown({ input: join(dir, `${entry}.js`), platform: "browser", logLevel: "silent", external });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const atOnce = new Set();
  const visit = (name) => {
    if (atOnce.has(name) || !chunks.has(name)) return;
    atOnce.add(name);
    chunks.get(name).imports.forEach(visit);
  };
  output.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => visit(fileName));
  const code = [...atOnce].map((name) => Buffer.from(chunks.get(name).code));
  const sum = (sizeOf) => code.reduce((total, text) => total + sizeOf(text), 0);
  const sizes = [
    (text) => text.length,
    (text) => gzipSync(text, { level: 9 }).length,
    (text) => brotliCompressSync(text).length,
  ];
  console.log([`copydesk/${entry}, bundled`, ...sizes.map(sum)].join("\t"));
}
