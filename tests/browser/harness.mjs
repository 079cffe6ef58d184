// What every browser test stands on: one Chromium for a file of tests, pages built by Vite, servers on loopback.
//
//   import { test } from "node:test";
//   import { opener } from "./harness.mjs";
//
//   const open = opener("editor");
//
//   test("an undo takes back one edit", async (t) => {
//     const page = await open(t);
//     …
//   });
//
// A page reaches nothing but this machine. What it logs as an error, throws, or asks of the outside fails its test,
// unless the test expects it. Everything is closed when the test, or the file, has ended.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { closeAll, root, serve, servePage, theBrowser } from "./serving.mjs";

export { buildPage, launch, listen, root, serve, servePage, theBrowser } from "./serving.mjs";

after(closeAll);

/**
 * Opens an address in a fresh profile for the test `t`.
 *
 * `expected` are patterns of problems that the test brings about on purpose; `prepare(page)` runs before the address
 * is opened (to add routes or init scripts); `browser` is another one than the program's; everything else goes to Playwright's
 * `newContext` (`viewport`, `locale`, `colorScheme`, …). The problems so far are in `page.problems`.
 */
export async function openPage(t, url, { expected = [], prepare, browser, ...options } = {}) {
  const context = await (browser ?? (await theBrowser())).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  watch(page, page.problems);
  context.on("page", (other) => other !== page && watch(other, page.problems));
  t.after(async () => {
    await context.close();
    const unexpected = page.problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    assert.deepEqual(unexpected, [], "the page had problems that the test does not expect");
  });
  await prepare?.(page);
  await page.goto(url);
  return page;
}

/**
 * What opens the page of a folder of `pages/` for a test, when all that it defines is there: `open(t, options)`, with the options of
 * `openPage`. The page is built and served when it is first asked for.
 */
export function opener(name, defaults) {
  let url;
  return async (t, { search = "", ...options } = {}) => {
    const page = await openPage(t, (await (url ??= servePage(name))) + search, { ...defaults, ...options });
    await page.waitForFunction(() => window.ready);
    return page;
  };
}

function watch(page, problems) {
  page.on("pageerror", (error) => problems.push(`thrown: ${error.stack ?? error}`));
  page.on("console", (message) => {
    if (message.type() !== "error") return;
    const { url, lineNumber } = message.location();
    problems.push(`console: ${message.text()} (${url}:${lineNumber})`);
  });
  page.on("requestfailed", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && !["127.0.0.1", "localhost", "[::1]"].includes(hostname)) {
      problems.push(`outside: ${request.method()} ${request.url()}`);
    }
  });
}

/** The builds, with the query by which the page of the editor is asked for each. By itself a page loads the page build. */
export const BUILDS = Object.entries({ page: "", full: "?full" });

/** Serves the built demo page; returns its address. */
export async function serveDemo(options) {
  const dist = join(root, "www/dist");
  assert.ok(existsSync(join(dist, "index.html")), "www/dist is missing: run `cargo xtask demo --no-serve`");
  return (await serve(dist, options)).url;
}
