// The recordings of tests/fixtures/documents are what TipTap answers, and the program that writes them works.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./serving.mjs";

const recorded = (name) => readFileSync(join(root, `tests/fixtures/documents/${name}.jsonl`), "utf8");
const ask = (...args) => execFileSync(process.execPath, [join(root, "tests/oracle/ask.mjs"), ...args], { encoding: "utf8", maxBuffer: 1e8 });

for (const extensions of ["details", "text-styles", "inline-atoms"]) {
  test(`${extensions}: TipTap answers as recorded`, () => assert.equal(ask(extensions), recorded(extensions)));
}

for (const kind of ["html", "documents"]) {
  test(`random ${kind}: TipTap answers as recorded`, () => {
    const seedOf = (line) => JSON.parse(line).seed;
    const answers = new Map(ask(kind, "1", "40").trimEnd().split("\n").map((line) => [seedOf(line), line]));
    const lines = recorded(`random-${kind}`).trimEnd().split("\n").filter((line) => answers.has(seedOf(line)));
    assert.ok(lines.length >= 5);
    for (const line of lines) assert.equal(answers.get(seedOf(line)), line);
  });
}
