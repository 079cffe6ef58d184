// Plays all Markdown files of folders: `node corpus-run.mjs [--files N] [--seed N] [--write] [FOLDER…]`. The default is
// the installed packages and crates. `--write` puts the figures into docs/markdown.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { randomFrom } from "../../oracle/random.mjs";
import { editWord, INSTALLED, markdownFiles, textOf } from "./corpus.mjs";
import { plain, poor, rich } from "./schema.mjs";

const page = fileURLToPath(new URL("../../../docs/markdown.md", import.meta.url));
const { values, positionals } = parseArgs({
  options: { files: { type: "string" }, seed: { type: "string", default: "1" }, write: { type: "boolean" } },
  allowPositionals: true,
});
const random = randomFrom(Number(values.seed));
const schemas = { plain, rich, poor };
const outcomes = ["kept", "own", "named", "changed"];
const counts = new Map();
const faults = [];
const played = { files: 0, runs: 0 };

for (const path of chosen(markdownFiles(positionals.length > 0 ? positionals : INSTALLED))) {
  const source = textOf(path);
  if (source === undefined) continue;
  played.files += 1;
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      play(path, source, name, schema);
    } catch (thrown) {
      faults.push(`${path} (${name}): ${thrown.message}`);
    }
  }
}
report();

/** The paths in random order, at most as many as asked for. */
function chosen(paths) {
  if (values.files === undefined) return paths;
  const left = [...paths];
  return Array.from({ length: Math.min(Number(values.files), left.length) }, () => left.splice(random.below(left.length), 1)[0]);
}

function play(path, source, name, schema) {
  const opened = readMarkdown(source, schema);
  const saved = writeMarkdown(opened, opened.json);
  played.runs += 1;
  if (saved.text !== source || saved.lost.length > 0) faults.push(`${path} (${name}): not saved as it was`);
  const edit = editWord(source, schema, random);
  if (!edit) return;
  const row = counts.get(edit.family) ?? Object.fromEntries(outcomes.map((outcome) => [outcome, 0]));
  row[edit.outcome] += 1;
  counts.set(edit.family, row);
  if (edit.outcome === "changed") faults.push(`${path} (${name}): an edit changed more than “${edit.node.text}”`);
}

function report() {
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  const total = Object.fromEntries(outcomes.map((outcome) => [outcome, rows.reduce((sum, [, row]) => sum + row[outcome], 0)]));
  const table = [
    "| the word is in a | only the word changed | and its own signs | named in `lost` | more changed |",
    "|---|--:|--:|--:|--:|",
    ...[...rows, ["**all**", total]].map(([family, row]) => `| ${family} | ${outcomes.map((outcome) => row[outcome]).join(" | ")} |`),
  ].join("\n");
  const head = `${played.files} files in three schemas, seed ${values.seed}: ${played.runs} times opened and saved, with one word inserted in each.`;
  console.log(`${head}\n\n${table}\n`);
  for (const fault of faults) console.log(fault);
  if (values.write) {
    const text = readFileSync(page, "utf8");
    const figures = /(?<=<!-- figures of cargo xtask markdown -->)[^]*?(?=<!-- end of figures -->)/;
    writeFileSync(page, text.replace(figures, () => `\n${head}\n\n${table}\n`));
  } else if (faults.length > 0) process.exitCode = 1;
}
