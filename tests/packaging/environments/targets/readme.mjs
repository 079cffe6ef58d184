// The README's example, pasted into fresh apps.

import { snippet } from "../environment.mjs";
import { COPIED, esbuild, html, NOTHING, TIPTAP } from "./common.mjs";

const PACKAGES = { ...TIPTAP, "@tiptap/extension-image": "3.34.0" };
const PAGE = html('<script type="module" src="/main.js"></script>');

const pasted = (name, packages, rest) => ({
  name: `README's example, ${name}`,
  packages: { ...PACKAGES, ...packages },
  takes: NOTHING,
  files: { "index.html": PAGE, "main.js": snippet(), ...rest.files },
  asks: true,
  ...rest.target,
});

const vite = (version, target = {}) =>
  pasted(`Vite ${version.split(".")[0]}`, { vite: version }, {
    target: { build: [["vite", "build"]], page: "dist", ...target },
  });

export const examples = [
  ...["5.4.21", "6.4.6", "7.3.8"].map((version) => vite(version)),
  vite("8.3.8", { quick: true }),
  pasted("Vite 8, development", { vite: "8.3.8" }, {
    target: { server: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"] },
  }),
  pasted("esbuild", { esbuild: "0.28.2" }, {
    files: { "build.mjs": esbuild(["main.js"], {}) },
    target: { takes: COPIED, build: [["node", "build.mjs"]], page: "dist" },
  }),
];
