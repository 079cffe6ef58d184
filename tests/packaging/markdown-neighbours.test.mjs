// What is beside an edit: line ends, blank lines, and the signs of lists. `SEED=n` makes a run again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { plain } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261130);
const FILES = countOf("FILES", 300, 60);

const paragraph = (text) => ({ type: "paragraph", content: [{ type: "text", text }] });

/** Saves a file with other blocks, and returns its text. Nothing is lost. */
function saved(source, edit) {
  const opened = readMarkdown(source, plain);
  const content = edit(structuredClone(opened.json.content));
  const json = plain.nodeFromJSON({ type: "doc", content }).toJSON();
  const { text, lost } = writeMarkdown(opened, json);
  assert.deepEqual(lost, [], JSON.stringify({ source, text }));
  // An editor fills in attributes that a file does not have.
  assert.deepEqual(plain.nodeFromJSON(readMarkdown(text, plain).json).toJSON(), json, JSON.stringify({ source, text }));
  return text;
}

/** The lines of a text with their ends; the last one may have none. */
const linesOf = (text) => text.match(/[^\r\n]*(?:\r\n?|\n)|[^\r\n]+$/g) ?? [];

test("in mixed line ends each unedited line keeps its own, and the last one none if it has none", () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < FILES; number += 1) {
    const end = () => random.pick(["\n", "\r\n"]);
    const blocks = random.times(2, 6, (_, at) =>
      random.pick([
        () => `Paragraph ${at}`,
        () => `Line ${at}${end()}and ${at} more`,
        () => `# Heading ${at}`,
        () => `- item ${at}${end()}- other ${at}`,
        () => `> quote ${at}`,
      ])(),
    );
    const definition = random.chance(0.3) ? `${end()}${end()}[1]: https://a.example` : "";
    // Lists and quotes in a row would be one.
    const source = blocks.flatMap((block, at) => (at ? [end(), end(), block] : [block])).join("") + definition + random.pick(["", end()]);
    if (/^- .*\s+- item|^> .*\s+> /m.test(source)) continue;
    const at = random.below(blocks.length + 1);
    const kind = random.pick(["add", "remove", "edit"]);
    let gone = "";
    const text = saved(source, (content) => {
      if (content.length < 2) return content;
      if (kind === "add") content.splice(at, 0, paragraph("Added"));
      const old = content[Math.min(at, content.length - 1)];
      if (kind === "remove") {
        [gone] = /\d/.exec(JSON.stringify(old.content).replaceAll(/"[^"]*":\d/g, "")) ?? [""];
        content.splice(Math.min(at, content.length - 1), 1);
      }
      if (kind === "edit" && old.type === "paragraph") old.content[0].text += " edited";
      return content;
    });
    const shown = JSON.stringify({ SEED, kind, at, source, text });
    assert.equal(/[\r\n]$/.test(text), /[\r\n]$/.test(source), shown);
    // A list that has come behind another one has other signs.
    const made = linesOf(text).map((line) => line.replace(/^[*+](?= )/, "-"));
    for (const line of linesOf(source)) {
      const isLast = !/[\r\n]$/.test(line);
      if (line.trim() === "" || isLast || (kind === "edit" && !made.some((one) => one.trim() === line.trim()))) continue;
      if (kind === "remove" && gone && line.includes(gone)) continue;
      // The last line of a file without a final line end has none, be it another one.
      const isNowLast = made.at(-1) === line.trimEnd();
      assert.ok(made.includes(line) || isNowLast, `${JSON.stringify(line)} ${shown}`);
    }
  }
});

test("a section that is moved keeps its blank lines", () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < FILES; number += 1) {
    const count = 2 + random.below(4);
    const sections = Array.from({ length: count }, (_, at) => {
      const body = random.times(1, 3, (_, part) => random.pick([`Text ${at} ${part}.`, `- item ${at} ${part}\n- more`, `1. one ${at} ${part}`]));
      return `## Section ${at}${random.pick(["\n", "\n\n"])}${body.join(random.pick(["\n\n", "\n\n\n"]))}`;
    });
    if (sections.some((section) => /- more\s+- |1\. .*\s+1\. /.test(section))) continue;
    const apart = random.pick(["\n\n", "\n\n\n"]);
    const source = `Intro.${apart}${sections.join(apart)}\n`;
    const [from, to] = [random.below(count), random.below(count)];
    const text = saved(source, ([intro, ...content]) => {
      const starts = content.flatMap(({ type }, at) => (type === "heading" ? [at] : []));
      const parts = starts.map((start, at) => content.slice(start, starts[at + 1]));
      parts.splice(to, 0, ...parts.splice(from, 1));
      return [intro, ...parts.flat()];
    });
    const moved = [...sections];
    moved.splice(to, 0, ...moved.splice(from, 1));
    assert.equal(text, `Intro.${apart}${moved.join(apart)}\n`, JSON.stringify({ SEED, source, from, to }));
  }
});

test("a list that comes behind another one changes its signs and nothing else", () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < FILES; number += 1) {
    const kind = random.pick(["*", "-", "+", ".", ")"]);
    const list = (name) => {
      const [indent, space] = [" ".repeat(random.below(4)), random.pick([" ", "  ", "   "])];
      return random.times(1, 3, (_, at) => {
        const marker = /[.)]/.test(kind) ? `${at + 1}${kind}` : kind;
        const inside = indent + " ".repeat(marker.length + space.length);
        const more = random.pick(["", `\n${inside}more`, `\n${inside}* nested\n${inside}* too`, `\n${inside}\`\`\`\n${inside}- code\n${inside}\`\`\``]);
        return `${indent}${marker}${space}${name} ${at}${more}`;
      }).join("\n");
    };
    const [one, other] = [list("one"), list("other")];
    // Indented as far as the content of the last item, it would be in that item.
    const [before] = one.match(/^ *\S+ +(?=one \d+\b(?![^]*one \d))/m) ?? [""];
    if (other.search(/\S/) >= before.length) continue;
    const third = random.chance(0.5) ? `\n\n${random.pick(["*", "-", "+"])} third\n` : "\n";
    const middle = random.pick(["## Heading", "Text.", "---"]);
    const source = `${one}\n\n${middle}\n\n${other}${third}`;
    const { content } = readMarkdown(source, plain).json;
    // A third list can be the same as the second, and a nested one is no fault of the first.
    if (content.length !== (third === "\n" ? 3 : 4)) continue;
    const text = saved(source, ([first, , ...rest]) => [first, ...rest]);
    const shown = JSON.stringify({ SEED, source, text });
    assert.ok(text.startsWith(`${one}\n\n`) && text.endsWith(third), shown);
    const made = text.slice(one.length + 2, text.length - third.length).split("\n");
    const old = other.split("\n");
    assert.equal(made.length, old.length, shown);
    const signs = new Set();
    made.forEach((line, at) => {
      const sign = /^( *\d*)[-+*.)](?= +other)/.exec(line);
      if (sign) signs.add(line.charAt(sign[0].length - 1));
      assert.equal(sign ? line.replace(/[-+*.)]/, kind) : line, old[at], shown);
    });
    assert.ok(signs.size === 1 && !signs.has(kind), shown);
  }
});

test("nested lists that come into another item keep their signs", () => {
  for (const [source, moved] of [
    ["* a\n* b\n  - c1\n  - c2\n", "* a\n* b\n* new\n  - c1\n  - c2\n"],
    ["- a\n- b\n  1) c1\n  2) c2\n", "- a\n- b\n- new\n  1) c1\n  2) c2\n"],
    ["- a\n- b\n  * c1\n    + d\n  * c2\n", "- a\n- b\n- new\n  * c1\n    + d\n  * c2\n"],
  ]) {
    const text = saved(source, ([list]) => {
      const nested = list.content[1].content.pop();
      list.content.push({ type: "listItem", content: [paragraph("new"), nested] });
      return [list];
    });
    assert.equal(text, moved);
  }
});
