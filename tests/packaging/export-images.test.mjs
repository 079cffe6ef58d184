// Images that become a part of exported files, and the names of files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { embedImages, fileNameOf, toEPUB, toHTML, toMarkdown } from "copydesk/export";
import JSZip from "jszip";
import { doc, node, p, png, text } from "../exports/examples.mjs";
import { plain } from "./markdown/schema.mjs";

const PICTURE = png(30, 20);
const DATA = `data:image/png;base64,${PICTURE.toString("base64")}`;
const image = (src) => node("image", undefined, { src, alt: "A picture" });
const sources = (json) => [...(json.type === "image" ? [json.attrs.src] : []), ...(json.content ?? []).flatMap(sources)];

test("images of the folder and of the app are embedded, each read once, and others stay references", async () => {
  const asked = [];
  const read = async (name) => {
    asked.push(name);
    return /gone|https/.test(name) ? undefined : new Blob([PICTURE], { type: "image/png" });
  };
  const given = [
    ["a.png", "one/a.png", DATA],
    ["../%E8%8C%B6%20b.png?x#y", "茶 b.png", DATA],
    ["../../../a.png", "a.png", DATA],
    ["./a.png", "one/a.png", DATA],
    ["gone.png", "one/gone.png", "gone.png"],
    ["http://127.0.0.1/own.png", "http://127.0.0.1/own.png", DATA],
    ["https://images.example/a.png", "https://images.example/a.png", "https://images.example/a.png"],
    ["//images.example/https.png", "//images.example/https.png", "//images.example/https.png"],
    // Nothing that could be read.
    ["data:image/png;base64,AAAA", undefined, "data:image/png;base64,AAAA"],
    ["", undefined, ""],
    ["#x", undefined, "#x"],
    ["%.png", undefined, "%.png"],
    [null, undefined, null],
  ];
  const book = { title: "Tea", chapters: [{ path: "one/1.md", title: "One", json: doc(node("blockquote", given.map(([src]) => image(src)))) }, { json: doc(image("a.png")) }] };
  const before = JSON.stringify(book);
  const { title, chapters } = await embedImages(book, read);
  assert.deepEqual(asked.sort(), [...new Set(given.flatMap(([, name]) => name ?? []))].sort());
  assert.deepEqual(sources(chapters[0].json), given.map(([, , src]) => src));
  assert.deepEqual(sources(chapters[1].json), ["a.png"], "without a path there is no folder");
  assert.deepEqual([title, chapters[0].path, chapters[0].title], ["Tea", "one/1.md", "One"]);
  assert.equal(JSON.stringify(book), before);
});

test("every format takes what was embedded", async () => {
  const given = await embedImages(doc(p("Tea"), image("own:1")), async () => new Blob([PICTURE], { type: "image/png" }));
  assert.match(toHTML(given), new RegExp(`src="${DATA.slice(0, 60)}`));
  assert.ok(toMarkdown(given, plain).text.includes(`](${DATA})`));
  const { bytes, lost } = await toEPUB(given);
  assert.deepEqual(lost, []);
  const zip = await JSZip.loadAsync(bytes);
  assert.deepEqual(await zip.file(/\.png$/)[0].async("nodebuffer"), PICTURE);
});

test("an image that fails fails the export, and what is no publication is refused", async () => {
  await assert.rejects(embedImages(doc(image("http://a/b.png")), () => Promise.reject(new Error("the disk is gone"))), /the disk is gone/);
  await assert.rejects(embedImages({ chapters: [] }, async () => undefined), { code: "invalid_parameter" });
  assert.throws(() => fileNameOf("Tea"), { code: "invalid_parameter" });
});

test("the name of a file is the title, as every file system takes it", () => {
  const heading = (...content) => doc(p("Before"), node("heading", content, { level: 2 }));
  const deleted = { type: "deletion" };
  for (const [given, name] of [
    [{ title: " Tea: a/b\\c? ", chapters: [{ json: doc(p("x")) }] }, "Tea a b c"],
    [heading(text("Green"), text(" old", deleted), text(" tea")), "Green tea"],
    [{ chapters: [{ json: doc(p("x")) }, { json: heading(text("Second")) }] }, "Second"],
    [{ chapters: [{ title: "Given", json: doc(p("x")) }] }, "Given"],
    [heading(text("茶".repeat(100))), "茶".repeat(60)],
    [heading(text("😀".repeat(100))), "😀".repeat(60)],
    [heading(text("a\u0000\nb")), "a b"],
    [heading(text("???")), "document"],
    [doc(p("x")), "document"],
  ])
    assert.equal(fileNameOf(given), name);
});
