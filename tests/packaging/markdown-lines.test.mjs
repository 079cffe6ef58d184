// A line that is put between the lines of a block leaves all others as they are, whatever is around the block.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown, SOURCE_LANGUAGE, writeMarkdown } from "copydesk/markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { randomContainers } from "./markdown/containers.mjs";
import { rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261130);
const BLOCKS = countOf("BLOCKS", 3000, 400);
const NEW = ["new", "b c", "  deep", "the end", "tea"];

/** The lines of a textblock; one for others. */
function linesOf({ type, content = [] }) {
  if (type === "codeBlock") return content.map(({ text }) => text).join("").split("\n");
  const isText = content.every((node) => node.type === "hardBreak" || (node.type === "text" && !node.marks));
  return type === "paragraph" && isText ? content.map(({ text = "\n" }) => text).join("").split("\n") : [""];
}

/** Returns the first block with several lines. */
const find = (node) => (linesOf(node).length > 1 ? node : (node.content ?? []).map(find).find(Boolean));

/** Replaces a number of lines by others. */
function splice(block, at, count, ...others) {
  const lines = linesOf(block).toSpliced(at, count, ...others);
  if (block.type === "codeBlock") block.content = [{ type: "text", text: lines.join("\n") }];
  else block.content = lines.flatMap((text, index) => [...(index > 0 ? [{ type: "hardBreak" }] : []), ...(text ? [{ type: "text", text }] : [])]);
}

test("a line that is put between others or removed is all that changes, in random containers", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const played = { codeBlock: 0, paragraph: 0 };
  for (let round = 0; round < BLOCKS; round += 1) {
    const source = randomContainers(random);
    const opened = readMarkdown(source, rich);
    assert.equal(writeMarkdown(opened, opened.json).text, source);
    const json = structuredClone(opened.json);
    const block = find(json);
    // Indented code right behind text is text, for example.
    if (!block || block.attrs?.language === SOURCE_LANGUAGE) continue;
    played[block.type] += 1;
    const word = random.pick(NEW);
    const line = block.type === "codeBlock" ? word : word.trim();
    const all = linesOf(block);
    const at = 1 + random.below(all.length - 1);
    // Of two equal lines either can be the one that is gone.
    const isRemoved = at < all.length - 1 && all[at] !== "" && ![all[at - 1], all[at + 1]].includes(all[at]) && random.chance(0.3);
    splice(block, at, ...(isRemoved ? [1] : [0, line]));
    const written = writeMarkdown(opened, json, { locale: "en" });
    const message = `seed ${SEED}, round ${round}: ${JSON.stringify([source, at, isRemoved ? null : line, written.text])}`;
    assert.deepEqual(written.lost, [], message);
    assert.deepEqual(written.opened.json, rich.nodeFromJSON(json).toJSON(), message);
    const [longer, shorter] = (isRemoved ? [source, written.text] : [written.text, source]).map((text) => text.split("\n"));
    const changed = isRemoved ? all[at] : line;
    const isChanged = (one, index) => one.includes(changed.trim()) && isSame(longer.toSpliced(index, 1), shorter);
    assert.ok(longer.some(isChanged), message);
  }
  assert.ok(played.codeBlock > 0.4 * BLOCKS && played.paragraph > 0.15 * BLOCKS, `seed ${SEED}: ${JSON.stringify(played)}`);
});

function isSame(lines, others) {
  return lines.length === others.length && lines.every((line, at) => line === others[at]);
}
