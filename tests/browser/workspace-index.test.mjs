// The worker of a workspace: where it does not load, where the app makes it, and with many files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { long } from "./budget.mjs";
import { opener } from "./harness.mjs";

const open = opener("workspace");

test("without a worker literals and checks work, and a regular expression is refused with the reason", async (t) => {
  const page = await open(t, { expected: [/404/] });
  const outcome = await page.evaluate(async () => {
    const texts = { "a.md": "Day 1. tea\n", "b.md": "Day 9. Tea\n" };
    const files = memoryWorkspace(texts, { locale: "en", worker: () => new Worker("./missing.js", { type: "module" }) });
    const found = await files.search({ pattern: "tea" });
    const { errors } = await files.check("timeline");
    const refused = await failure(files.search({ pattern: "t.a", regex: true }), "search_unavailable");
    await files.write("a.md", "green");
    const after = await files.search({ pattern: "green" });
    return { found: found.matches.length, errors: errors.length, message: refused.message, after: after.matches.length };
  });
  const { message, ...rest } = outcome;
  assert.deepEqual(rest, { found: 2, errors: 1, after: 1 });
  assert.match(message, /its script could not be loaded.*plain text/);
});

test("the app can make the worker, with the module of the package", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    let made = 0;
    const files = memoryWorkspace({ "a.md": "tea\n", "b.md": `${"a".repeat(40)}!` }, { locale: "en", worker: () => (made++, newIndexWorker()) });
    const found = await files.search({ pattern: "t.a", regex: true });
    await failure(files.search({ pattern: "(a+)+$", regex: true }), "search_timeout");
    // Another worker takes the place of the one that was stopped.
    const again = await files.search({ pattern: "t.a", regex: true });
    await files.close();
    return { made, found: found.matches.length, again: again.matches.length };
  });
  // One for the index, and two for regular expressions.
  assert.deepEqual(outcome, { made: 3, found: 1, again: 1 });
});

test("a page with the full build searches as well", async (t) => {
  const page = await open(t, { search: "?full" });
  const found = await page.evaluate(async () => {
    const files = memoryWorkspace({ "a.md": "tea\n" });
    const results = [await files.search({ pattern: "TEA" }), await files.search({ pattern: "^t.a$", regex: true })];
    return results.map(({ matches }) => matches.length);
  });
  assert.deepEqual(found, [1, 1]);
});

test("100,000 files are listed, searched and changed", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    const texts = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`${at % 317}/f${at}.md`, `File ${at}\nof many\n`]));
    const files = memoryWorkspace(texts);
    const listed = (await files.list()).length;
    const found = async (pattern, regex) => {
      const { matches, isCut } = await files.search({ pattern, regex });
      return [matches.length, isCut, matches[0]?.path];
    };
    const first = [await found("File 99999", false), await found("^File 9999[89]$", true), await found("many", true)];
    await files.write("0/f0.md", "needle");
    const then = await found("needle", true);
    await files.remove("0/f0.md");
    return { listed, first, then, last: (await files.list()).length };
  });
  const path = (at) => `${at % 317}/f${at}.md`;
  const many = outcome.first.pop();
  assert.deepEqual(many.slice(0, 2), [50, true]);
  assert.deepEqual(outcome.first, [[1, false, path(99999)], [2, false, [path(99998), path(99999)].sort()[0]]]);
  assert.deepEqual([outcome.listed, outcome.then, outcome.last], [100_000, [1, false, "0/f0.md"], 99_999]);
});

test("100,000 files in IndexedDB are listed, searched and changed", long, async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    const files = indexedDBWorkspace("many", { locale: "en" });
    // The shape of one stored file gives that of all: 100,000 writes one by one take minutes.
    await files.write("0/f0.md", "File 0\n");
    const asked = indexedDB.open("copydesk-workspace-many");
    await new Promise((resolve) => (asked.onsuccess = resolve));
    const transaction = asked.result.transaction(["files", "texts"], "readwrite");
    const stored = transaction.objectStore("files");
    const found = stored.get("0/f0.md");
    await new Promise((resolve) => (found.onsuccess = resolve));
    for (let at = 1; at < 100_000; at++) {
      const path = `${at % 317}/f${at}.md`;
      stored.put({ ...found.result, path });
      transaction.objectStore("texts").put(`File ${at}\n`, path);
    }
    await new Promise((resolve, reject) => Object.assign(transaction, { oncomplete: resolve, onabort: reject }));
    asked.result.close();
    const listed = (await files.list()).length;
    const { matches } = await files.search({ pattern: "^File 99999$", regex: true });
    await files.write("0/f0.md", "needle");
    const { matches: then } = await files.search({ pattern: "needle" });
    return { listed, found: matches.map(({ path }) => path), then: then.map(({ path }) => path) };
  });
  assert.deepEqual(outcome, { listed: 100_000, found: [`${99_999 % 317}/f99999.md`], then: ["0/f0.md"] });
});
