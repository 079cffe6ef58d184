// What a visit to the demo loads, from the server that `cargo xtask demo` starts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ask, ended } from "./demo-page.mjs";
import { openPage, root } from "./harness.mjs";

/** Starts the server on a free port. Returns its URL. */
function served(t) {
  const server = spawn(process.execPath, [join(root, "xtask/js/serve.mjs"), join(root, "www"), "0"], { cwd: root });
  t.after(() => server.kill());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.stderr.once("data", (data) => reject(new Error(String(data))));
    server.stdout.once("data", (data) => resolve(/http:\S+/.exec(String(data))[0]));
  });
}

/** Opens the page on a slow line; returns the page, what it loaded, and the milliseconds until it was ready. */
async function visit(t, url, prepare) {
  const loaded = [];
  const page = await openPage(t, "about:blank", { locale: "en-US", prepare });
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 1e6 / 8 });
  const names = new Map();
  client.on("Network.responseReceived", ({ requestId, response }) => names.set(requestId, response));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const response = names.get(requestId);
    if (!response) return;
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value]));
    loaded.push({ path: new URL(response.url).pathname, bytes: encodedDataLength, encoding: headers["content-encoding"], type: headers["content-type"] });
  });
  const start = performance.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForSelector("html[data-ready]");
  const ms = performance.now() - start;
  return { page, loaded, ms };
}

test("a visit loads one build of copydesk, compressed", async (t) => {
  const { page, loaded, ms } = await visit(t, await served(t));
  const bytes = loaded.reduce((sum, file) => sum + file.bytes, 0);
  t.diagnostic(`ready after ${Math.round(ms)} ms at 9 Mbit/s and 60 ms: ${Math.round(bytes / 1000)} kB in ${loaded.length} files`);
  for (const file of loaded) t.diagnostic(`${Math.round(file.bytes / 1000)} kB ${file.encoding ?? "-"} ${file.path}`);
  const wasm = loaded.filter(({ path }) => path.endsWith(".wasm"));
  assert.equal(wasm.length, 1, "once, although it is preloaded");
  assert.equal(wasm[0].type, "application/wasm");
  assert.ok(loaded.every(({ path }) => !/base64|markdown|marked/.test(path)), "what is needed later is loaded later");
  for (const { path, encoding } of loaded) if (/\.(js|css|wasm)$|\/$/.test(path) && !/local-images/.test(path)) assert.equal(encoding, "br", path);
  assert.ok(bytes < 1_000_000, `${bytes} bytes`);
  await ask(page, "What can you do?");
  await ended(page);
  await page.click(".chat .menu-anchor .tool");
  assert.equal(await page.locator('.menu-item:has-text("Save recording")').count(), 0);

  // Recordings are turned on: then the other build is loaded, and nothing is lost.
  loaded.length = 0;
  await Promise.all([page.waitForEvent("load"), page.click('.menu-item:has-text("Record conversations")')]);
  await page.waitForSelector("html[data-ready]");
  assert.match(await page.textContent(".assistant-message"), /I am a demo model/);
  await ask(page, "What can you do?");
  await ended(page, 2);
  await page.click(".chat .menu-anchor .tool");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click('.menu-item:has-text("Save recording")')]);
  assert.match(download.suggestedFilename(), /^copydesk-recording/);
});
