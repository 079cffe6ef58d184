// What a visit to the demo loads, from the server that `cargo xtask demo` starts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../at-end.mjs";
import { ask, editable, ended, shadowTrees } from "./demo-page.mjs";
import { openPage } from "./harness.mjs";
import { serveCompressed, slowLine } from "./slow-line.mjs";

/** Opens the page on a slow line; returns the page, what it loaded, and the milliseconds until it could be used. */
async function visit(t, url) {
  const loaded = [];
  const page = await openPage(t, "about:blank", { locale: "en-US" });
  await page.addInitScript(shadowTrees);
  const client = await slowLine(page);
  const files = new Map();
  client.on("Network.requestWillBeSent", ({ requestId, timestamp }) => files.set(requestId, { begun: timestamp }));
  client.on("Network.responseReceived", ({ requestId, response }) => Object.assign(files.get(requestId), { response }));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    const { begun, response } = files.get(requestId);
    if (!response) return;
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const path = new URL(response.url).pathname;
    loaded.push({ path, bytes: encodedDataLength, encoding: headers["content-encoding"], type: headers["content-type"], begun, finished: timestamp });
  });
  const start = performance.now();
  const since = () => Math.round(performance.now() - start);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForSelector(editable);
  const edited = since();
  await page.waitForSelector("html[data-ready]");
  return { page, loaded, edited, ready: since() };
}

test("a visit loads one build of copydesk, compressed", async (t) => {
  const { url, close } = await serveCompressed();
  atEnd(t, close);
  const { page, loaded, edited, ready } = await visit(t, url);
  const bytes = loaded.reduce((sum, file) => sum + file.bytes, 0);
  t.diagnostic(`editable after ${edited} ms, complete after ${ready} at 9 Mbit/s and 60 ms: ${Math.round(bytes / 1000)} kB in ${loaded.length} files`);
  for (const file of loaded) t.diagnostic(`${Math.round(file.bytes / 1000)} kB ${file.encoding ?? "-"} ${file.path}`);
  const wasm = loaded.filter(({ path }) => path.endsWith(".wasm"));
  assert.equal(wasm.length, 2, "both parts once, although the first is preloaded");
  for (const { type } of wasm) assert.equal(type, "application/wasm");
  assert.ok(wasm[0].finished <= wasm[1].begun, "the later part does not slow down the first");
  assert.match(wasm[1].path, /later/);
  const script = loaded.find(({ path }) => /\/index-.*\.js$/.test(path));
  assert.ok(script.finished <= wasm[0].begun, "it does not slow down what shows the document");
  assert.ok(loaded.every(({ path }) => !/base64|markdown/.test(path)), "what is needed later is loaded later");
  for (const { path, encoding } of loaded) if (/\.(js|css|wasm)$|\/$/.test(path) && !/local-images/.test(path)) assert.equal(encoding, "br", path);
  // A second build would add 890 kB; single kilobytes are the matter of `cargo xtask size`.
  assert.ok(bytes < 1_350_000, `${bytes} bytes`);
  await ask(page, "What can you do?");
  await ended(page);
  await page.click(".chat .menu-anchor .tool");
  assert.equal(await page.locator('.menu-item:has-text("Save recording")').count(), 0);

  // Recordings are turned on: then the other build is loaded, and nothing is lost.
  loaded.length = 0;
  await Promise.all([page.waitForEvent("load"), page.click('.menu-item:has-text("Record conversations")')]);
  await page.waitForSelector("html[data-ready]");
  assert.match(await page.textContent(".assistant-message"), /I am the demo model/);
  await ask(page, "What can you do?");
  await ended(page, 2);
  await page.click(".chat .menu-anchor .tool");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('.menu-item:has-text("Save recording")')]);
  assert.match(download.suggestedFilename(), /^copydesk-recording/);
});
