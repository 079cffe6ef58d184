import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Starts loading the first part of the page build with the page, rather than after its JavaScript. */
function preloadBuild(): Plugin {
  return {
    name: "preload-build",
    transformIndexHtml(html, { bundle }) {
      const files = Object.values(bundle ?? {});
      const wasm = files.find((file) => file.type === "asset" && file.originalFileNames.some((name) => name.endsWith("wasm/parts/copydesk_bg.wasm")));
      const glue = files.find((file) => file.type === "chunk" && file.moduleIds.some((id) => id.endsWith("/parts-build.js")));
      if (bundle && !(wasm && glue)) throw new Error("the page build in two parts is not in the bundle");
      const imports = glue?.type === "chunk" ? glue.imports.filter((name) => !html.includes(name)) : [];
      const urls = wasm && glue ? [wasm.fileName, glue.fileName, ...imports].map((name) => `./${name}`) : [];
      return html.replace("/* the files of the page build */", JSON.stringify(urls));
    },
  };
}

/** Puts all modules that the page needs at once into one file: dozens of small ones wait for each other on a slow line. */
function oneScript(): Plugin {
  const needed = new Set<string>();
  return {
    name: "one-script",
    config: () => ({
      build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", test: (id: string) => needed.has(id) }] } } } },
    }),
    buildEnd() {
      needed.clear();
      const ids = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry);
      for (const id of ids) {
        if (needed.has(id)) continue;
        needed.add(id);
        ids.push(...(this.getModuleInfo(id)?.importedIds ?? []));
      }
    },
  };
}

/** Writes a compressed copy beside each file that shrinks, for servers that send these. */
function compress(): Plugin {
  let dist = "";
  return {
    name: "compress",
    apply: "build",
    configResolved: ({ root, build }) => void (dist = join(root, build.outDir)),
    async closeBundle() {
      const entries = await readdir(dist, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && /\.(?:html|css|js|svg|wasm)$/.test(entry.name));
      await Promise.all(
        files.map(async ({ parentPath, name }) => {
          const file = join(parentPath, name);
          const content = await readFile(file);
          await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }));
          await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
        }),
      );
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [preloadBuild(), oneScript(), compress()],
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1500 },
  // Vite's default format of workers has no dynamic imports.
  worker: { format: "es" },
  // The package loads its wasm relative to its own module, so the dev server must not pre-bundle it.
  optimizeDeps: { exclude: ["copydesk"] },
  resolve: { dedupe: ["@tiptap/core", "@tiptap/pm"] },
  server: { fs: { allow: [".."] } },
});
