// Prints name, raw, gzip and brotli bytes of what a page adds for an entry of a package, minified and with the libraries
// that it loads at once, tab-separated. What every page with the editor has is left out: the package's own `index.js`
// with what that needs, and TipTap. Modules that are shared with parts loaded on demand are where pages have them: bundlers
// of pages do not keep the exports of an entry.
// Usage: node bundled.mjs <folder of the package> <entry…>
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const [dir, ...entries] = process.argv.slice(2);

/** The module of a page that uses all of an entry. */
const ADDED = "\0added";
const using = (path) => ({
  name: "added",
  resolveId: (id) => (id === ADDED ? id : null),
  load: (id) => (id === ADDED ? `import * as all from ${JSON.stringify(path)}; globalThis.all = all;` : null),
});

for (const entry of entries) {
  const external = (id) => id.startsWith("@tiptap/") || id.startsWith("prosemirror-");
  const input = { page: join(dir, "index.js"), added: ADDED };
  const build = await rolldown({
    input,
    preserveEntrySignatures: false,
    platform: "browser",
    logLevel: "silent",
    external,
    plugins: [using(resolve(dir, `${entry}.js`))],
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const loadedBy = (name) => {
    const loaded = new Set();
    const visit = (fileName) => {
      if (loaded.has(fileName) || !chunks.has(fileName)) return;
      loaded.add(fileName);
      chunks.get(fileName).imports.forEach(visit);
    };
    output.filter((chunk) => chunk.isEntry && chunk.name === name).forEach(({ fileName }) => visit(fileName));
    return loaded;
  };
  const [added, page] = [loadedBy("added"), loadedBy("page")];
  const atOnce = [...added].filter((name) => !page.has(name));
  const code = atOnce.map((name) => Buffer.from(chunks.get(name).code));
  const sum = (sizeOf) => code.reduce((total, text) => total + sizeOf(text), 0);
  const sizes = [
    (text) => text.length,
    (text) => gzipSync(text, { level: 9 }).length,
    (text) => brotliCompressSync(text).length,
  ];
  console.log([`copydesk/${entry}, bundled`, ...sizes.map(sum)].join("\t"));
}
