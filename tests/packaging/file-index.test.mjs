// The index of files in the wasm: literal search, against the platform's RegExp; checks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as glue from "../../pkg/wasm/page/copydesk.js";

await glue.default({ module_or_path: await WebAssembly.compile(readFileSync(new URL("../../pkg/wasm/page/copydesk_bg.wasm", import.meta.url))) });

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

test("case is folded as RegExp folds it with the flags iu, for every character that has one", () => {
  const index = new glue.FileIndex();
  const all = [];
  for (let code = 0x21; code < 0x20000; code++) if (code < 0xd800 || code > 0xdfff) all.push(String.fromCodePoint(code));
  index.set("all.txt", all.join("\n"));
  const text = all.join("");
  const cased = all.filter((one) => one.toLowerCase() !== one || one.toUpperCase() !== one);
  assert.ok(cased.length > 2500, `${cased.length} characters`);
  const different = cased.filter((one) => {
    const { matches } = JSON.parse(index.search(JSON.stringify({ pattern: one, limit: 100 })));
    const expected = [...text.matchAll(new RegExp(escaped(one), "giu"))].map(([found]) => found);
    return matches.map(({ text }) => text).join() !== expected.join();
  });
  assert.deepEqual(different, []);
  index.free();
});

test("a search names file, line and surroundings, and follows changes of the files", () => {
  const index = new glue.FileIndex();
  index.set("b.md", "one\r\ntwo\r\nTea\r\nfour");
  index.set("a.md", "tea");
  const search = (query) => JSON.parse(index.search(JSON.stringify(query)));
  assert.deepEqual(search({ pattern: "tea", limit: 50 }), {
    matches: [
      { path: "a.md", line: 1, text: "tea", before: [], after: [] },
      { path: "b.md", line: 3, text: "Tea", before: ["one", "two"], after: ["four"] },
    ],
    isCut: false,
  });
  index.remove("a.md");
  index.set("b.md", "coffee");
  assert.deepEqual(search({ pattern: "tea" }), { matches: [], isCut: false });
  index.free();
});

test("checks are in the language that is asked for, and errors have codes", () => {
  const index = new glue.FileIndex();
  index.set("chapters/ch001.md", "第1天");
  index.set("chapters/ch002.md", "第3天 [REF:box]");
  const message = (kind, locale) => JSON.parse(index.check(kind, locale)).errors[0].message;
  assert.equal(message("timeline", "zh-CN"), "第2章时间线跳跃：第1天 → 第3天");
  assert.equal(message("timeline"), "Chapter 2: the timeline jumps: day 1 → day 3");
  assert.equal(message("references", "zh-CN"), "第2章引用 [REF:box] 不存在");
  assert.throws(() => index.check("spelling"), { code: "invalid_parameter" });
  assert.throws(() => index.search("{"), { code: "config" });
  assert.throws(() => index.search('{"pattern":""}'), { code: "invalid_pattern" });
  index.free();
});

test("a glob selects paths as the tools for files do, and says in the language of the page what is wrong with it", () => {
  const paths = JSON.stringify(["a.md", "notes/b.md", "notes/c.txt"]);
  const select = (glob) => JSON.parse(glue.selectPaths(paths, glob, "en"));
  assert.deepEqual(select("*.{md,txt}"), ["a.md", "notes/b.md", "notes/c.txt"]);
  assert.deepEqual(select("./notes/*.md"), ["notes/b.md"]);
  assert.throws(() => select("["), { code: "invalid_pattern" });
  assert.throws(() => glue.selectPaths(paths, "[", "zh-CN"), { code: "invalid_pattern", message: /[\u4e00-\u9fff]/ });
  assert.throws(() => glue.selectPaths("{", "*", "en"), { code: "config" });
});
