// The basis of every browser test: one Chromium per process, pages built by Vite, servers on loopback.
//
//   import { test } from "node:test";
//   import { opener } from "./harness.mjs";
//
//   const open = opener("editor");
//
//   test("one undo reverts one edit", async (t) => {
//     const page = await open(t);
//     …
//   });
//
// A page reaches only this machine. Errors it logs or throws, and requests to other hosts, fail its test,
// unless the test expects them. Everything is closed when the test, or the file, has ended.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { atEnd } from "../at-end.mjs";
import { closeAll, root, serve, servePage, theBrowser } from "./serving.mjs";
import { openOwnTab, takeTab } from "./tabs.mjs";

export { buildPage, launch, listen, root, serve, servePage, theBrowser } from "./serving.mjs";

after(closeAll);

/**
 * Opens a URL for the test `t`, in a tab where nothing is stored.
 *
 * `expected` are patterns of problems that the test causes on purpose; `prepare(page)` runs before the URL is opened
 * (to add routes or init scripts); `browser` replaces the shared one; `ownTab` opens a tab that no test has used, for a page
 * that keeps something in sessionStorage, which the browser deletes later than it says; all other options go to Playwright's
 * `newContext` (`viewport`, `locale`, `colorScheme`, …). `page.problems` lists the problems so far.
 */
export async function openPage(t, url, { expected = [], prepare, browser, ownTab = false, ...options } = {}) {
  const open = ownTab ? openOwnTab : takeTab;
  const { page, giveBack } = await open(browser ?? (await theBrowser()), { viewport: { width: 1280, height: 800 }, ...options });
  const problems = (page.problems = []);
  watch(page, problems);
  page.context().on("page", (other) => other !== page && watch(other, problems));
  atEnd(t, async () => {
    await giveBack();
    const unexpected = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    assert.deepEqual(unexpected, [], "the page had problems that the test does not expect");
  });
  await prepare?.(page);
  await page.goto(url);
  return page;
}

/**
 * Returns a function `open(t, options)` that opens the page of a folder of `pages/` and waits until its globals are defined;
 * the options are those of `openPage`. The page is built and served on first use.
 */
export function opener(name, defaults) {
  return async (t, { search = "", ...options } = {}) => {
    const page = await openPage(t, (await servePage(name)) + search, { ...defaults, ...options });
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

/** The builds, each with the query of the editor page that selects it. By itself a page loads the page build. */
export const BUILDS = Object.entries({ page: "", full: "?full" });

let demo;
/** Serves the built demo page. Returns its URL, which is the same for all tests of a process. */
export async function serveDemo() {
  const dist = join(root, "www/dist");
  assert.ok(existsSync(join(dist, "index.html")), "www/dist is missing: run `cargo xtask demo --no-serve`");
  return (await (demo ??= serve(dist))).url;
}
