// Sources whose parse once took quadratic time: they are read as before, or refused with a stable code. `cargo xtask bench
// growth markdown` measures the time; here events and cells are counted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { cjkFriendlyExtension } from "micromark-extension-cjk-friendly";
import { gfmStrikethroughCjkFriendly } from "micromark-extension-cjk-friendly-gfm-strikethrough";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { limitedPairing } from "../../pkg/markdown-document/effort.js";
import { long } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Reads emphasis and strikethrough with micromark's own pairing, or with that of the package. */
const read = (source, wrap) =>
  fromMarkdown(source, {
    extensions: [wrap(cjkFriendlyExtension()), wrap(gfmStrikethroughCjkFriendly({ singleTilde: false }))],
    mdastExtensions: [gfmStrikethroughFromMarkdown()],
  });
const both = (source) => assert.deepEqual(read(source, limitedPairing), read(source, (extension) => extension), source);

test("emphasis is paired as micromark pairs it: every short text of its signs", () => {
  // A run that is partly used is shorter within another pair.
  both("b*c。__\\*____[*a](b)_a__(b*c");
  // Strikethrough in a pair comes before the runs of emphasis that are left in it.
  both("_~~**~~****(a\\*~~~~~*。~~*a__\\*- _[*a](b)a");
  const signs = ["*", "_", "a", " "];
  let texts = [""];
  for (let length = 1; length <= 8; length++) {
    texts = texts.flatMap((text) => signs.map((sign) => text + sign));
    // All of the last length would take long.
    for (const text of texts.filter((_, at) => length < 7 || at % 23 === 0)) both(`x${text}`);
  }
});

test(`emphasis is paired as micromark pairs it, in random texts (SEED=${SEED})`, () => {
  const random = randomFrom(SEED);
  const parts = ["*", "**", "***", "_", "__", "~~", "a", "茶", "。", " ", "\n", "[a](b)", "[*a](b)", "`*`", "(", "~~~", "~~*", "\\*", "b*c", "<br>", "&amp;", "    ", "\n\n", "- "];
  for (let run = 0; run < 4000; run++) both(random.times(1, 30, () => random.pick(parts)).join(""));
});

test("signs without a partner are no work for every other sign", () => {
  // Each of these was refused, or took seconds.
  for (const part of ["*a_ ", "a**b ", "a_b*c ", "a* _b ", "~~a "]) {
    const source = part.repeat(20_000);
    const { content } = readMarkdown(source, plain).json;
    assert.equal(content.length, 1, part);
  }
  const bold = readMarkdown("**bold** and _it_ ".repeat(4_000), plain);
  assert.equal(bold.json.content[0].content.length, 16_000 - 1);
  const struck = readMarkdown("~~a~~ b ".repeat(20_000), plain);
  assert.equal(struck.json.content[0].content.length, 40_000);
  // Emphasis in emphasis is bounded.
  assert.throws(() => readMarkdown(`${"*a ".repeat(20_000)}${"b* ".repeat(20_000)}`, plain), ({ code }) => ["too_large", "too_deep"].includes(code));
});

test("tags without an end are no work for every other tag", () => {
  // Each of these took minutes.
  const elements = ["<u>x ", '<span data-type="mention" data-id="1">', "<details>\n<summary>a</summary>\n\nx\n\n", '<div data-type="youtube">\n\nx\n\n'];
  for (const element of elements) {
    const source = element.repeat(4_000);
    const file = readMarkdown(source, rich);
    assert.equal(writeMarkdown(file, file.json).text, source, element);
  }
  const marks = readMarkdown("<u>a</u> <sub><u>b</u></sub> ".repeat(2_000), rich).json.content[0].content;
  const underlined = marks.filter((node) => node.marks?.some(({ type }) => type === "underline"));
  assert.equal(underlined.length, 4_000);
});

test("a word in a block of any length is all that changes", () => {
  // The pieces of a long block were once the arguments of one call, which are too many for any stack.
  const blocks = {
    "a chapter in one paragraph": "雨下了一夜，她没有睡。".repeat(15_000),
    "marks": "some *em* and **bold**, `code` and [l](u) ".repeat(1_000),
    "references": "a &amp; b \\* ".repeat(5_000),
    "spaces": `a${" ".repeat(60_000)}b`,
    "lines": "第一天，她走进了茶馆，点了绿茶。\n".repeat(5_000),
    "code": `\`\`\`js\n${"const a = b + c;\n".repeat(8_000)}\`\`\``,
    "a list": "- an item of a list\n".repeat(1_500),
    "a table": `| a | b |\n|---|---|\n${"| cell | two |\n".repeat(1_500)}`,
  };
  for (const [name, block] of Object.entries(blocks)) {
    const source = `${block.trimEnd()}\n`;
    const file = readMarkdown(source, plain);
    const json = structuredClone(file.json);
    const texts = [];
    const visit = (node) => (node.type === "text" ? texts.push(node) : node.content?.forEach(visit));
    visit(json);
    const text = texts[Math.floor(texts.length / 2)];
    const at = Math.floor(text.text.length / 2);
    text.text = `${text.text.slice(0, at)}zebra${text.text.slice(at)}`;
    const saved = writeMarkdown(file, json);
    assert.deepEqual(saved.lost, [], name);
    const [before, after] = saved.text.split("zebra");
    assert.equal(before + after, source, name);
  }
});

test("rows that leave out most cells of a wide table are refused, others are read", () => {
  const table = (columns, rows, cells) => `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${`${"|x".repeat(cells)}|\n`.repeat(rows)}`;
  const cellsOf = (source) => readMarkdown(source, plain).json.content[0].content.map(({ content }) => content.length);
  assert.throws(() => readMarkdown(table(600, 600, 1), plain), { code: "too_large" });
  assert.throws(() => readMarkdown(`> ${table(600, 600, 1).replaceAll("\n", "\n> ")}`, plain), { code: "too_large" });
  assert.deepEqual(cellsOf(table(600, 20, 600)), Array(21).fill(600));
  assert.deepEqual(cellsOf(table(20, 1000, 1)), Array(1001).fill(20));
});

/** Plays on a machine so busy that each look at the clock is an hour later. */
function onBusyMachine(play) {
  const { now } = performance;
  let hours = 0;
  performance.now = () => now.call(performance) + ++hours * 3_600_000;
  try {
    play();
  } finally {
    performance.now = now;
  }
}

test("what is read does not depend on the time", () =>
  onBusyMachine(() => {
    const file = readMarkdown("> one line\n\n".repeat(4_000), plain);
    assert.equal(file.json.content.length, 4_000);
  }));

test("what is refused does not depend on the time", long, () =>
  onBusyMachine(() => {
    for (const part of ["> a\n\n", "- a\n\n\nb\n\n", "a\n-\n", "a <? ", "> a\nb\n"]) {
      assert.throws(() => readMarkdown(part.repeat(40_000), plain), { code: "too_large" }, part);
    }
  }));

test("many definitions and footnotes are found, and their file is saved as it was", () => {
  const count = 5_000;
  const definitions = Array.from({ length: count }, (_, at) => `[d${at}]: /u${at}\n`).join("");
  const texts = Array.from({ length: count }, (_, at) => `[d${count - 1 - at}] text\n\n`).join("");
  const sources = [definitions + "\n" + texts, texts + definitions, definitions.replaceAll("\n", "\n\n") + texts];
  for (const source of sources) {
    const file = readMarkdown(source, plain);
    assert.equal(file.json.content.length, count);
    for (const at of [0, 1, count - 1]) {
      assert.equal(file.json.content[at].content[0].marks[0].attrs.href, `/u${count - 1 - at}`);
    }
    assert.equal(writeMarkdown(file, file.json).text, source);
  }
  // No link looks through all definitions.
  const { includes } = Array.prototype;
  let looks = 0;
  Array.prototype.includes = function (...given) {
    if (this.length > 100) looks++;
    return includes.apply(this, given);
  };
  try {
    readMarkdown(sources[0], plain);
  } finally {
    Array.prototype.includes = includes;
  }
  assert.equal(looks, 0);
});

test("definitions between and within blocks stay where they are", () => {
  const source = "[a]: /a\n\nOne [a].\n\n[b]: /b\n[c]: /c\n# Head [b]\n[d]: /d\n\n> [e]: /e\n>\n> two [e]\n\n[f]: /f\n\n[g]: /g\n\nlast [f] [g]\n\n[h]: /h\n";
  const file = readMarkdown(source, plain);
  const json = structuredClone(file.json);
  assert.equal(writeMarkdown(file, json).text, source);
  // Without a block its definitions stay, with the text between.
  json.content.splice(1, 1);
  const { text } = writeMarkdown(file, json);
  for (const name of "abcdefgh") assert.ok(text.includes(`[${name}]: /${name}`), name);
  assert.ok(!text.includes("Head"));
});
