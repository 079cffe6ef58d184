// Loading the wasm in browsers, with and without bundlers, from well and badly configured servers.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { build, createServer } from "vite";
import { buildPage, openPage, root, serve } from "../browser/harness.mjs";

const source = fileURLToPath(new URL("./loading-page/", import.meta.url));
const isWasm = (url) => /copydesk_bg[^/]*\.wasm$/.test(url);
let built;
before(async () => (built = await buildPage(source)));

/** Opens the page and loads copydesk. Returns the outcome and the requests for wasm files; `asked` receives all paths. */
async function load(t, url, { asked = [], ...options } = {}) {
  const page = await openPage(t, url, {
    ...options,
    prepare: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)),
  });
  await page.waitForFunction("window.load");
  const outcome = await page.evaluate(options.load ?? "window.load()");
  return { outcome, wasm: asked.some(isWasm), copy: asked.some((path) => /base64|inline-/.test(path)) };
}

/** Serves the built page with a different response for the wasm file. */
const serveWith = async (answer) =>
  (await serve(built, { answer: (request, response) => isWasm(request.url) && (answer(response), true) })).url;

/** The build that a file in the built page belongs to: its wasm, the JavaScript beside that, or a copy. */
async function buildOf(path) {
  const content = await readFile(join(built, path));
  if (path.endsWith(".wasm")) return isFullModule(content) ? "full" : "page";
  if (!path.endsWith(".js")) return;
  const packed = /["'`](H4sI[\w+/=]{1000,})/.exec(content)?.[1];
  if (packed) return isFullModule(gunzipSync(Buffer.from(packed, "base64"))) ? "full" : "page";
  if (!/documenthandle_fromJSON\(/i.test(content)) return;
  return /wasm\.replayRecording\(/.test(content) ? "full" : "page";
}

const isFullModule = (bytes) => WebAssembly.Module.exports(new WebAssembly.Module(bytes)).some(({ name }) => name === "replayRecording");

/** The builds of all files that were requested. */
async function buildsOf(asked) {
  const files = [...new Set(asked)].filter((path) => /\.(?:js|wasm)$/.test(path));
  const builds = await Promise.all(files.map(buildOf));
  return [...new Set(builds.filter((build) => build))].sort();
}

test("a built page streams the wasm of the page build and leaves the copies and the full build alone", async (t) => {
  const { url } = await serve(built);
  const asked = [];
  assert.deepEqual(await load(t, url, { asked }), { outcome: "<p>a</p>", wasm: true, copy: false });
  assert.deepEqual(await buildsOf(asked), ["page"]);
});

test("a page that chooses the full build loads that alone, and a worker chooses it by itself", async (t) => {
  const { url } = await serve(built);
  for (const call of ["window.loadFull()", "window.loadInWorker()"]) {
    const asked = [];
    assert.deepEqual(await load(t, url, { asked, load: call }), { outcome: "<p>a</p>", wasm: true, copy: false }, call);
    assert.deepEqual(await buildsOf(asked), ["full"], call);
  }
});

test("a page with the build in two parts loads the first, and the later one when it is asked for", async (t) => {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
  const { url } = await serve(built, { headers: { "content-security-policy": policy } });
  const asked = [];
  const wasm = () => asked.filter((path) => path.endsWith(".wasm")).map((path) => /later/.test(path));
  const page = await openPage(t, url, { prepare: (page) => page.on("request", (request) => asked.push(new URL(request.url()).pathname)) });
  await page.waitForFunction("window.load");
  assert.equal(await page.evaluate("window.loadFirst()"), "<p>a</p>");
  assert.deepEqual(wasm(), [false]);
  assert.equal(await page.evaluate("window.loadRest()"), "agent");
  assert.deepEqual(wasm(), [false, true]);
});

test("if the later part is not served, loadRest names the way out, and takes a URL", async (t) => {
  const { url } = await serve(built, {
    answer: (request, response) => /later_bg[^/]*\.wasm$/.test(request.url) && (response.writeHead(404).end(), true),
  });
  const page = await openPage(t, url, { expected: [/404/] });
  await page.waitForFunction("window.load");
  assert.equal(await page.evaluate("window.loadFirst()"), "<p>a</p>");
  const outcome = await page.evaluate("window.loadRest()");
  assert.equal(outcome.code, "wasm_load");
  assert.match(outcome.message, /copydesk_later_bg\.wasm.*loadRest\(\)/);
  const later = (await serve(join(root, "pkg/wasm/parts"), { headers: { "access-control-allow-origin": "*" } })).url;
  assert.equal(await page.evaluate(`window.loadRest("${later}copydesk_later_bg.wasm")`), "agent");
});

test("without a bundler the package loads from a static server", async (t) => {
  const map = { imports: { copydesk: "/pkg/index.js" } };
  const page = `<!doctype html><title>t</title><script type="importmap">${JSON.stringify(map)}</script>
    <script type="module" src="/tests/packaging/loading-page/main.js"></script>`;
  const { url } = await serve(root, {
    answer: (request, response) => request.url === "/" && response.setHeader("content-type", "text/html").end(page),
  });
  assert.deepEqual(await load(t, url), { outcome: "<p>a</p>", wasm: true, copy: false });
});

for (const [what, answer, expected] of [
  ["is missing", (response) => response.writeHead(404).end(), [/404/]],
  ["is an HTML page", (response) => response.setHeader("content-type", "text/html").end("<!doctype html>"), []],
  ["arrives truncated", (response) => response.setHeader("content-type", "application/wasm").end("\0asm\x01\0\0"), []],
]) {
  test(`if the file ${what}, init names the way out, loads no copy by itself, and the inlined build loads`, async (t) => {
    const url = await serveWith(answer);
    const { outcome, copy } = await load(t, url, { expected });
    assert.equal(outcome.code, "wasm_load", JSON.stringify(outcome));
    assert.match(outcome.message, /init\(undefined, page\).*copydesk\/inline/);
    assert.equal(copy, false);
    const asked = [];
    assert.deepEqual(await load(t, url, { asked, load: "window.loadInlined()" }), { outcome: "<p>a</p>", wasm: false, copy: true });
    assert.deepEqual(await buildsOf(asked), ["page"]);
  });
}

test("a server without the wasm MIME type works", async (t) => {
  const { url } = await serve(built, {
    answer: (request, response) => {
      const writeHead = response.writeHead.bind(response);
      if (isWasm(request.url)) response.writeHead = (status) => writeHead(status, { "content-type": "application/octet-stream" });
    },
  });
  assert.deepEqual(await load(t, url), { outcome: "<p>a</p>", wasm: true, copy: false });
});

test("a content security policy that forbids wasm is named, with the fix", async (t) => {
  const { url } = await serve(built, { headers: { "content-security-policy": "script-src 'self'" } });
  const { outcome, copy } = await load(t, url, { expected: [/Content Security Policy/i] });
  assert.equal(outcome.code, "wasm_load", JSON.stringify(outcome));
  assert.match(outcome.message, /'wasm-unsafe-eval'/);
  assert.equal(copy, false);
});

test("a content security policy with 'wasm-unsafe-eval' is enough", async (t) => {
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
  const { url } = await serve(built, { headers: { "content-security-policy": policy } });
  assert.deepEqual(await load(t, url), { outcome: "<p>a</p>", wasm: true, copy: false });
});

test("a wrong URL is an error with a fix, and the next attempt succeeds", async (t) => {
  const { url } = await serve(built);
  const twice = "window.load('/nowhere.wasm').then(async (first) => [first, await window.load()])";
  const { outcome } = await load(t, url, { expected: [/404/], load: twice });
  assert.equal(outcome[0].code, "wasm_load");
  assert.match(outcome[0].message, /404.*Pass init\(\)/);
  assert.equal(outcome[1], "<p>a</p>");
});

test("Vite's dev server, which pre-bundles the package, still loads it", async (t) => {
  // A copy instead of the workspace link: Vite does not bundle linked packages.
  const home = mkdtempSync(join(tmpdir(), "copydesk-dev-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  cpSync(source, home, { recursive: true });
  mkdirSync(join(home, "node_modules"));
  cpSync(join(root, "pkg"), join(home, "node_modules/copydesk"), { recursive: true });
  // The dependencies that npm would install.
  const { dependencies } = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) cpSync(join(root, "node_modules", name), join(home, "node_modules", name), { recursive: true });
  writeFileSync(join(home, "package.json"), '{ "type": "module", "dependencies": { "copydesk": "*" } }');
  const server = await createServer({ root: home, configFile: false, logLevel: "warn", server: { host: "127.0.0.1", port: 0 } });
  await server.listen();
  t.after(() => server.close());
  const [url] = server.resolvedUrls.local;
  assert.equal((await load(t, url)).outcome, "<p>a</p>");
  // In one file, and complete.
  assert.deepEqual((await load(t, url, { load: "window.loadFirst().then(async (first) => [first, await window.loadRest()])" })).outcome, ["<p>a</p>", "agent"]);
});

test("in a page from the disk, init names the way out and logs nothing, and the inlined build loads", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "copydesk-disk-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  // Browsers load no modules from the disk: one classic script, whose URLs are file: URLs.
  const rolldownOptions = { output: { format: "iife", codeSplitting: false } };
  const plugins = [{ name: "classic", transformIndexHtml: (html) => html.replace('type="module" crossorigin', "defer") }];
  const options = { root: source, configFile: false, base: "./", logLevel: "error", plugins };
  const output = { outDir: home, emptyOutDir: true, assetsInlineLimit: 0, rolldownOptions };
  await build({ ...options, build: output, worker: { format: "es" } });
  const { href } = pathToFileURL(join(home, "index.html"));
  for (const [call, reason] of [
    ["window.load()", /URL/],
    ["window.load(new URL('copydesk_bg.wasm', location.href).href)", /a page cannot read file:/],
  ]) {
    const { outcome } = await load(t, href, { load: call });
    assert.equal(outcome.code, "wasm_load", JSON.stringify(outcome));
    assert.match(outcome.message, reason);
    assert.match(outcome.message, call === "window.load()" ? /init\(undefined, page\).*copydesk\/inline/ : /Pass init\(\)/);
  }
  assert.equal((await load(t, href, { load: "window.loadInlined()" })).outcome, "<p>a</p>");
});
