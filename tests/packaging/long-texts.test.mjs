// A long text of an update is passed to the wasm beside its JSON.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Document, init } from "../../pkg/index.js";

await init();

const long = (word) => Array.from({ length: 12_000 }, () => word).join(" ");

test("long texts of an update and texts that look like the place of one arrive as they were given", () => {
  const document = Document.fromJSON({ type: "doc", content: ["one", "two", "three"].map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })) });
  const texts = [long("green"), "3", long("绿茶")];
  const edits = texts.map((content, index) => ({ start_line: index + 1, end_line: index + 1, content, format: "text" }));
  // A text that begins with U+0000 may be the reason of an edit, but no content.
  for (const instruction of ["\u0000", "\u0000\u0000", "\u0000a", "why"]) {
    const { diffs } = document.apply({ operation: "replace_lines", edits, instruction });
    for (const diff of diffs) assert.equal(diff.instruction, instruction);
    assert.deepEqual(document.lines().map(({ text }) => text), texts);
    edits[1].content = texts[1] = `${instruction.length}`;
  }
});

test("half of a pair of surrogates in a long text becomes U+FFFD", () => {
  const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph" }] });
  document.apply({ operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content: `${long("a")} \ud800`, format: "text" }] });
  assert.equal(document.lines()[0].text, `${long("a")} \ufffd`);
});
