import { COPIED, esbuild, html, NOTHING, TIPTAP } from "./common.mjs";

const vite = (version) => ({
  name: `Vite ${version.split(".")[0]}, build`,
  packages: { ...TIPTAP, vite: version },
  takes: NOTHING,
  build: [["vite", "build"]],
  page: "dist",
});

const viteDevelopment = (version) => ({
  name: `Vite ${version.split(".")[0]}, development`,
  packages: { ...TIPTAP, vite: version },
  takes: NOTHING,
  server: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"],
});

const esbuildOf = (name, splitting) => ({
  name: `esbuild, ${name}`,
  packages: { ...TIPTAP, esbuild: "0.28.2" },
  takes: COPIED,
  files: { "build.mjs": esbuild(["main.js", "worker.js"], { splitting }) },
  build: [["node", "build.mjs"]],
  page: "dist",
});

const CONFIG = `
import { fileURLToPath } from "node:url";
export default {
  mode: "production",
  entry: "./main.js",
  output: { path: fileURLToPath(new URL("./dist", import.meta.url)), filename: "main.js" },
  performance: { hints: false },
};
`;

const page = (attributes) => {
  const content = html(`<script ${attributes} src="main.js"></script>`);
  const write = `writeFileSync("dist/index.html", ${JSON.stringify(content)});`;
  return { "page.mjs": `import { writeFileSync } from "node:fs";\n${write}\n` };
};

const ROLLUP = `
import resolve from "@rollup/plugin-node-resolve";
import terser from "@rollup/plugin-terser";
import { cpSync } from "node:fs";
for (const build of ["page", "full"]) {
  cpSync(\`node_modules/copydesk/wasm/\${build}/copydesk_bg.wasm\`, \`dist/wasm/\${build}/copydesk_bg.wasm\`);
}
export default {
  input: ["main.js", "worker.js"],
  output: { dir: "dist", chunkFileNames: "[name].js" },
  plugins: [resolve({ browser: true }), terser()],
};
`;

export const bundlers = [
  ...["5.4.21", "6.4.6", "7.3.8", "8.3.8"].map(vite),
  ...["5.4.21", "7.3.8", "8.3.8"].map(viteDevelopment),
  { ...esbuildOf("with splitting", true) },
  { ...esbuildOf("without splitting", false), quick: true },
  {
    name: "webpack 5",
    packages: { ...TIPTAP, webpack: "5.112.2", "webpack-cli": "7.3.1" },
    takes: NOTHING,
    files: { "webpack.config.mjs": CONFIG, ...page("defer") },
    build: [["webpack"], ["node", "page.mjs"]],
    page: "dist",
  },
  {
    name: "Rspack 2",
    packages: { ...TIPTAP, "@rspack/core": "2.3.2", "@rspack/cli": "2.2.8" },
    takes: NOTHING,
    files: { "rspack.config.mjs": CONFIG, ...page("defer") },
    build: [["rspack", "build"], ["node", "page.mjs"]],
    page: "dist",
  },
  {
    name: "Rollup 4",
    packages: {
      ...TIPTAP,
      rollup: "4.68.7",
      "@rollup/plugin-node-resolve": "16.0.3",
      "@rollup/plugin-terser": "1.0.2",
    },
    takes: COPIED,
    files: { "rollup.config.mjs": ROLLUP, ...page('type="module"') },
    build: [["rollup", "-c", "rollup.config.mjs"], ["node", "page.mjs"]],
    page: "dist",
  },
  {
    name: "Parcel 2",
    packages: { ...TIPTAP, parcel: "2.16.4" },
    takes: '`"@parcel/resolver-default": { "packageExports": true }` in package.json, for TipTap',
    files: { "package.json": { "@parcel/resolver-default": { packageExports: true } } },
    build: [["parcel", "build", "index.html", "--no-cache"]],
    page: "dist",
  },
];
