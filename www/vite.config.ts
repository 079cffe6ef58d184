import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  build: { outDir: "dist", emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 1500 },
  // The package loads its wasm relative to its own module, so the dev server must not pre-bundle it.
  optimizeDeps: { exclude: ["copydesk"] },
  resolve: { dedupe: ["@tiptap/core", "@tiptap/pm"] },
  server: { fs: { allow: [".."] } },
});
