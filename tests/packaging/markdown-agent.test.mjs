// Edits of an agent in Markdown files that wait for review: rejected they leave every byte, accepted they change their word.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Document, init } from "copydesk";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import { schemaData } from "copydesk/tiptap";
import { randomFrom } from "../oracle/random.mjs";
import { outcomeOf } from "./markdown/corpus.mjs";
import { plain } from "./markdown/schema.mjs";

const SEED = Number(process.env.SEED ?? 20261129);
const folder = new URL("../fixtures/notations/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");

/** Edits that put `zebra` behind a word that is in a document once. */
const OPERATIONS = {
  "a text": (document, word) => document.apply({ operation: "replace_text", old: word, new: `${word} zebra` }),
  "the document": (document, word) =>
    document.apply({ operation: "replace_lines", edits: [{ content: document.toHTML().replace(word, `${word} zebra`), format: "html" }] }),
};

/** All text nodes of a document. */
const texts = (node) => (node.text ? [node.text] : (node.content ?? []).flatMap(texts));

test("edits of an agent in files change their word when they are accepted, and nothing when they are rejected", async (t) => {
  t.diagnostic(`seed ${SEED}`);
  await init();
  const random = randomFrom(SEED);
  const outcomes = { kept: 0, own: 0, named: 0, changed: 0 };
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), "utf8");
    const opened = readMarkdown(source, plain);
    const all = texts(opened.json);
    for (const [name, apply] of Object.entries(OPERATIONS)) {
      const document = Document.fromJSON(opened.json, schemaData(plain), { locale: "en" });
      const isOnce = (word) => all.join("\n").split(word).length === 2 && document.toHTML().split(word).length === 2;
      const words = (all.join("\n").match(/\p{L}{5,}/gu) ?? []).filter(isOnce);
      if (words.length === 0) continue;
      const word = random.pick(words);
      const what = `seed ${SEED}, ${file}, ${name}, ${word}`;
      document.mode = "review";
      apply(document, word);
      assert.ok(document.hunks().length > 0, what);
      document.reject("all");
      const rejected = writeMarkdown(opened, document.toJSON(), { locale: "en" });
      assert.deepEqual([rejected.text, rejected.lost], [source, []], what);
      apply(document, word);
      document.accept("all");
      const { text, lost } = writeMarkdown(opened, document.toJSON(), { locale: "en" });
      const old = all.find((one) => one.includes(word));
      const outcome = outcomeOf({ source, text, lost, inserted: " zebra", old });
      outcomes[outcome] += 1;
      if (outcome === "changed") t.diagnostic(JSON.stringify([what, text]));
    }
  }
  // HTML has no links without a URL, and one space for several.
  assert.ok(outcomes.changed <= 3 && outcomes.named <= 2 && outcomes.kept > files.length, JSON.stringify(outcomes));
});
