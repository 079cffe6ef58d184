// Markdown files in an editor, and exports in a page: libraries that are loaded with the first file, images of the page, paper.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toHTML } from "copydesk/export";
import JSZip from "jszip";
import { randomFrom } from "../oracle/random.mjs";
import { INSTALLED, markdownFiles, outcomeOf, textOf } from "../packaging/markdown/corpus.mjs";
import { randomNotes } from "../packaging/markdown/notes.mjs";
import { countOf } from "./budget.mjs";
import { opener, root } from "./harness.mjs";

/** The random notes; files of packages are a quarter as many. */
const NOTES = countOf("NOTES", 240, 60);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const openPage = opener("export");
const heading = (text) => ({ type: "heading", attrs: { level: 1 }, content: [{ type: "text", text }] });
const paragraph = (text) => ({ type: "paragraph", content: [{ type: "text", text }] });
const image = (src) => ({ type: "image", attrs: { src, alt: "A picture" } });
const doc = (...content) => ({ type: "doc", content });

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const chapters = ["One", "Two", "Three"].map((title) => ({ json: doc(heading(title), paragraph(`Text of ${title}`)) }));

/** A page that serves an image, and the scripts that it requests. */
async function open(t) {
  const scripts = [];
  const page = await openPage(t, {
    // The images of the examples are not there.
    expected: [/status of 404/],
    async prepare(page) {
      // Files of packages show images of the web.
      await page.route(/^https:/, (route) => route.fulfill({ contentType: "image/png", body: Buffer.from(PNG, "base64") }));
      page.on("request", (request) => request.url().endsWith(".js") && scripts.push(request.url()));
      await page.route("**/own.png", (route) => route.fulfill({ contentType: "image/png", body: Buffer.from(PNG, "base64") }));
      await page.route("**/gone.png", (route) => route.fulfill({ status: 404 }));
    },
  });
  return { page, scripts };
}

test("an editor opens files, and saves what was not edited as it was", async (t) => {
  const { page } = await open(t);
  const { commonmark, gfm } = JSON.parse(readFileSync(join(root, "tests/fixtures/commonmark/examples.json"), "utf8"));
  const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  const sources = [...[...commonmark, ...gfm].map(({ markdown }) => markdown), ...pages.map((name) => readFileSync(join(root, "docs", name), "utf8"))];
  const saved = await page.evaluate((sources) => sources.map((source) => edited(source)), sources);
  saved.forEach(({ text, lost }, at) => assert.deepEqual([text, lost], [sources[at], []]));
  const typed = await page.evaluate((sources) => sources.map((source) => edited(source, "Zebra ")), sources);
  assert.ok(typed.filter(({ hasTyped }) => hasTyped).length > 300);
  typed.forEach(({ text, lost, hasTyped }, at) => assert.deepEqual([text.includes("Zebra"), lost], [hasTyped, []], sources[at]));
});

test(`a word typed in notes of other programs, and in files of packages, is all that an editor changes (SEED=${SEED})`, async (t) => {
  const { page } = await open(t);
  const random = randomFrom(SEED);
  const files = markdownFiles(INSTALLED);
  const ofPackages = Array.from({ length: 400 }, () => textOf(random.pick(files))).filter((source) => source?.length < 8_000).slice(0, NOTES / 4);
  const sources = [...Array.from({ length: NOTES }, () => randomNotes(random)), ...ofPackages];
  const outcomes = { kept: 0, own: 0, named: 0, changed: 0 };
  for (const source of sources) {
    const inserted = random.pick([" zebra", "zebra", "斑马"]);
    const { unchanged, ...typed } = await page.evaluate((given) => typedInside(...given), [source, inserted, random.below(1000) / 1000]);
    assert.deepEqual([unchanged.text, unchanged.lost], [source, []]);
    if (typed.text === undefined) continue;
    assert.ok(typed.isStable, source);
    const outcome = outcomeOf({ source, inserted, ...typed });
    outcomes[outcome] += 1;
    if (outcome === "changed") t.diagnostic(JSON.stringify([inserted, typed.old, source, typed.text]));
  }
  // Signs of several marks beside one word are written as tags together.
  assert.ok(outcomes.changed <= 2 && outcomes.named <= 6 && outcomes.kept > NOTES, JSON.stringify(outcomes));
});

test(`files are opened and saved in a worker as in the page, also when it fails (SEED=${SEED})`, async (t) => {
  const { page } = await open(t);
  const random = randomFrom(SEED);
  const sources = [...Array.from({ length: 30 }, () => randomNotes(random)), "", "a\r\nb\r\n", "---\na: 1\n---\n\nText\n", "> ".repeat(300), "a".repeat(2_000_001)];
  for (const [kind, workers] of [["usual", 1], ["broken", 1], ["closed", 2], ["closed before", 2]]) {
    const both = await page.evaluate(([given, kind]) => inWorker(given, kind), [sources, kind]);
    for (const [aside, here] of both) assert.deepEqual(aside, here, kind);
    assert.deepEqual([both.at(-2)[0].code, both.at(-1)[0].code], ["too_deep", "too_large"]);
    assert.equal(both[0][0].here && both[0][0].wrong.code, "invalid_parameter");
    assert.equal(await page.evaluate(() => workers), workers, kind);
  }
});

test("the libraries of a format are loaded with its first file", async (t) => {
  const { page, scripts } = await open(t);
  const make = (name) => page.evaluate(([name, json]) => make(name, json), [name, doc(paragraph("x"))]);
  const start = scripts.length;
  await make("toHTML");
  assert.equal(scripts.length, start);
  const docx = await make("toDOCX");
  assert.ok(docx.bytes > 1000);
  const after = scripts.length;
  assert.ok(after > start);
  await make("toDOCX");
  assert.equal(scripts.length, after);
  assert.ok((await make("toEPUB")).bytes > 1000);
  assert.ok(scripts.length > after);
});

test("images of the page become part of a file, and those that fail are named", async (t) => {
  const { page } = await open(t);
  const json = doc(image("own.png"), image(`data:image/png;base64,${PNG}`), image("gone.png"));
  for (const name of ["toDOCX", "toEPUB"]) {
    const { lost } = await page.evaluate(([name, json]) => make(name, json), [name, json]);
    assert.deepEqual(lost, [{ kind: "image", name: "gone.png", reason: "The server answered 404." }]);
  }
});

test("a page draws what a file cannot hold", async (t) => {
  const { page } = await open(t);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="red"/><script>parent.evil = true</script></svg>';
  const broken = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='3' height='2'%3E%3Crect";
  const json = doc(image(`data:image/svg+xml,${encodeURIComponent(svg)}`), image(broken));
  const { bytes, lost, evil } = await page.evaluate(async (json) => ({ ...(await files.toDOCX(json)), evil: window.evil }), json);
  assert.equal(evil, undefined);
  assert.deepEqual(lost.map(({ kind, name }) => [kind, name]), [["image", broken]]);
  const zip = await JSZip.loadAsync(Uint8Array.from(Object.values(bytes)));
  const [picture, ...others] = Object.keys(zip.files).filter((name) => /^word\/media\/./.test(name));
  assert.deepEqual([/\.png$/.test(picture), others], [true, []]);
  const png = Buffer.from(await zip.file(picture).async("uint8array"));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [60, 40]);
  assert.match(await zip.file("word/document.xml").async("string"), /<wp:extent cx="285750" cy="190500"/);
});

test("the print dialog opens when the images are there, and leaves nothing behind", async (t) => {
  const { page } = await open(t);
  const own = new URL("own.png", page.url()).href;
  const evil = { type: "codeBlock", content: [{ type: "text", text: "</code><script>parent.evil = true</script>" }] };
  const book = { title: "Book", chapters: [...chapters, { json: doc(image(own), image("gone.png"), evil) }] };
  await page.evaluate((book) => make("printPublication", book), book);
  const { printed, left, evil: ran } = await page.evaluate(() => ({ printed, left: document.querySelectorAll("iframe").length, evil: window.evil }));
  assert.equal(printed.length, 1);
  const [{ title, text, images, frames }] = printed;
  assert.deepEqual([title, frames, left, ran], ["Book", 1, 0, undefined]);
  assert.deepEqual(images[0], 1);
  for (const name of ["One", "Two", "Three"]) assert.match(text, new RegExp(`Text of ${name}`));
});

test("chapters start on new pages of paper", async (t) => {
  const { page } = await open(t);
  const pagesOf = async (publication) => {
    await page.setContent(toHTML(publication));
    return (await page.pdf()).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g).length;
  };
  // The table of contents, and three chapters.
  assert.equal(await pagesOf({ title: "Book", chapters }), 4);
  assert.equal(await pagesOf(chapters[0].json), 1);
});
