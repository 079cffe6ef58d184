// The sample novels have exactly the faults that are planted in them: a naive check by regular expressions.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { plain } from "./markdown/schema.mjs";

const novels = fileURLToPath(new URL("../../www/src/content/novels/", import.meta.url));
const DIGITS = "零一二三四五六七八九";

/** Reads 3, ３, 三, 十, 十一, 二十. */
function numberOf(written) {
  const arabic = written.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
  if (/^\d+$/.test(arabic)) return Number(arabic);
  const [tens, ones] = written.includes("十") ? written.split("十") : ["零", written];
  return (tens === "" ? 1 : DIGITS.indexOf(tens)) * 10 + (ones === "" ? 0 : DIGITS.indexOf(ones));
}

/** The marks of a novel in their order. */
function marksOf(chapters) {
  return chapters.flatMap(({ file, text }) => {
    const lines = text.split("\n");
    return lines.flatMap((content, index) => {
      const waiver = /^<!-- copydesk-ignore (\w+):/.exec(lines[index - 1] ?? "")?.[1];
      if (content.startsWith("<!--")) return [];
      return [...content.matchAll(/第([\d０-９零一二三四五六七八九十]+)天|\bDay (\d+)|\[(TIME|SETUP|REF):([^\]]*)\]/g)].map((found) => {
        const [, chinese, english, kind = "DAY", value] = found;
        return { file, line: index + 1, kind, value: value ?? numberOf(chinese ?? english), waiver };
      });
    });
  });
}

function faultsOf(chapters) {
  const marks = marksOf(chapters);
  const faults = [];
  const add = (check, list, code, { file, line, waiver }, details) => {
    faults.push({ check, list, code, file, line, details, ...(waiver === check && { waived: true }) });
  };
  let [day, left, date] = [undefined, undefined, undefined];
  const chapter = ({ file }) => Number(/ch(\d+)/.exec(file)[1]);
  for (const mark of marks) {
    if (mark.kind === "DAY") {
      const [from, to] = [day, mark.value];
      const isNext = (before) => before !== undefined && (to === before || to === before + 1);
      day = to;
      if (from === undefined || isNext(from) || isNext(left)) {
        if (left !== undefined && to >= left) left = undefined;
        continue;
      }
      add("timeline", "errors", to > from ? "day_jump" : "day_back", mark, { chapter: chapter(mark), from, to });
      if (to < from) left = Math.max(left ?? 0, from);
    } else if (mark.kind === "TIME") {
      const written = `[TIME:${mark.value}]`;
      if (!/^\d{4}-\d\d-\d\d$/.test(mark.value)) add("timeline", "errors", "time_format", mark, { chapter: chapter(mark), mark: written });
      else if (!new Date(`${mark.value}T00:00:00Z`).toJSON()?.startsWith(mark.value)) add("timeline", "errors", "time_impossible", mark, { chapter: chapter(mark), mark: written });
      else {
        if (date !== undefined && mark.value < date) add("timeline", "errors", "time_order", mark, { chapter: chapter(mark), from: date, to: mark.value });
        date = mark.value;
      }
    }
  }
  const setups = marks.filter(({ kind }) => kind === "SETUP");
  const references = marks.filter(({ kind }) => kind === "REF");
  for (const mark of setups) if (setups.find(({ value }) => value === mark.value) !== mark) add("references", "errors", "duplicate_setup", mark, { id: mark.value });
  for (const mark of references) if (!setups.some(({ value }) => value === mark.value)) add("references", "errors", "missing_setup", mark, { chapter: chapter(mark), id: mark.value });
  for (const mark of setups) if (!references.some(({ value }) => value === mark.value)) add("references", "warnings", "unused_setup", mark, { id: mark.value });
  return faults;
}

for (const language of ["zh", "en"]) {
  const names = readdirSync(`${novels}${language}/chapters`).sort();
  const chapters = names.map((name) => ({ file: `chapters/${name}`, text: readFileSync(`${novels}${language}/chapters/${name}`, "utf8") }));

  test(`the novel in ${language} has the faults of its table, and no others`, () => {
    assert.deepEqual(names, Array.from({ length: 10 }, (_, at) => `ch${String(at + 1).padStart(3, "0")}.md`));
    const table = JSON.parse(readFileSync(`${novels}${language}/faults.json`, "utf8"));
    assert.deepEqual(faultsOf(chapters), table);
    // Each kind of fault is there, and one that is waived.
    assert.equal(new Set(table.map(({ code }) => code)).size, 8);
    assert.equal(table.filter(({ waived }) => waived).length, 1);
  });

  test(`the novel in ${language} opens as documents and is saved as it was`, () => {
    for (const { text } of chapters) {
      const opened = readMarkdown(text, plain);
      assert.deepEqual(writeMarkdown(opened, opened.json).text, text);
      assert.equal(opened.json.content[0].type, "heading");
    }
  });
}
