// Files of the installed packages as documents: opened and saved they are as they were, and an edit of one word changes
// that word alone. `cargo xtask markdown` plays all of them, or those of any folder.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { countOf } from "../browser/budget.mjs";
import { randomFrom } from "../oracle/random.mjs";
import { editWord, INSTALLED, markdownFiles, textOf } from "./markdown/corpus.mjs";
import { plain, poor, rich } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261124);
const FILES = countOf("FILES", 150, 50);
const LONGEST = 12_000;
const schemas = { plain, rich, poor };

test("files of packages stay as they are but for the word that was inserted", (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const paths = markdownFiles(INSTALLED);
  const played = new Set();
  const outcomes = { kept: 0, own: 0, named: 0, changed: 0 };
  for (let tries = 0; played.size < FILES && tries < paths.length; tries += 1) {
    const path = random.pick(paths);
    const source = textOf(path);
    if (played.has(path) || source === undefined || source.length > LONGEST) continue;
    played.add(path);
    const name = random.pick(Object.keys(schemas));
    const opened = readMarkdown(source, schemas[name]);
    const saved = writeMarkdown(opened, opened.json);
    assert.equal(saved.text, source, `${path}, ${name}`);
    assert.deepEqual(saved.lost, [], `${path}, ${name}`);
    const edit = editWord(source, schemas[name], random);
    if (!edit) continue;
    outcomes[edit.outcome] += 1;
    assert.notEqual(edit.outcome, "changed", `seed ${SEED}, ${path}, ${name}, “${edit.node.text}”`);
  }
  assert.ok(played.size === FILES && outcomes.kept > FILES * 0.9 - 3, JSON.stringify(outcomes));
});
