// Documents that no editor has made: every function refuses them as invalid, or makes a file that opens.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML, toMarkdown } from "copydesk/export";
import JSZip from "jszip";
import { rich } from "./markdown/schema.mjs";
import { random } from "./route-server.mjs";

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const wellFormed = (text, where) => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", `${where}: ${message}`) }).parseFromString(text, "text/xml");

/** Fails unless each function refuses the document or makes a file of well-formed parts. Returns the number of files. */
async function export_(json, where) {
  let files = 0;
  const loadImage = () => Promise.reject(new Error("none"));
  const checks = {
    html: async () => wellFormed(toHTML(json).replace("<!doctype html>", "<!DOCTYPE html>"), where),
    epub: async () => {
      const zip = await JSZip.loadAsync((await toEPUB(json, { loadImage })).bytes);
      for (const name of Object.keys(zip.files)) if (/\.(?:xhtml|opf)$/.test(name)) wellFormed(await zip.file(name).async("string"), `${name} of ${where}`);
    },
    docx: async () => {
      const zip = await JSZip.loadAsync((await toDOCX(json, { loadImage })).bytes);
      for (const name of ["word/document.xml", "word/numbering.xml", "word/_rels/document.xml.rels"]) {
        const text = await zip.file(name).async("string");
        wellFormed(text, `${name} of ${where}`);
        assert.doesNotMatch(text, /="(?:\[object|function|NaN|undefined|Infinity|-?\d+e\+?)/, `${name} of ${where}`);
      }
    },
    markdown: async () => assert.equal(typeof toMarkdown(json, rich).text, "string"),
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      files++;
    } catch (thrown) {
      assert.equal(thrown.code, "invalid_parameter", `${name} of ${where}: ${thrown.stack}`);
    }
  }
  return files;
}

test("documents with odd names, attributes and content (200)", async () => {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const odd = () => pick(["__proto__", "constructor", "toString", "hasOwnProperty", "", "x", 1e308, -1, 0, NaN, Infinity, 1.5, null, true, [], {}, ["x"], { toString: 1 }, "<b>", "\u0000", "\ud800", "]]>", "a".repeat(2000), "url(//evil.example)", "-->"]);
  const types = ["paragraph", "heading", "bulletList", "orderedList", "listItem", "taskList", "taskItem", "blockquote", "codeBlock", "horizontalRule", "image", "table", "tableRow", "tableCell", "tableHeader", "details", "detailsSummary", "detailsContent", "blockMath", "inlineMath", "hardBreak", "text", "mention", "constructor", "__proto__", "unknown"];
  const marks = ["bold", "link", "textStyle", "highlight", "constructor", "__proto__", "toString", "unknown"];
  const names = ["textAlign", "level", "start", "checked", "language", "src", "alt", "title", "width", "height", "colspan", "rowspan", "align", "href", "color", "latex", "label", "id", "fontFamily", "open", "__proto__", "constructor"];
  const attrs = () => (next() < 0.01 ? odd() : Object.fromEntries(Array.from({ length: Math.floor(next() * 4) }, () => [pick(names), odd()])));
  const node = (depth) => {
    const type = next() < 0.004 ? odd() : pick(types);
    const content = next() < 0.004 ? odd() : Array.from({ length: depth > 0 ? Math.floor(next() * 4) : 0 }, () => (next() < 0.004 ? odd() : node(depth - 1)));
    return {
      type,
      ...(next() < 0.7 && { attrs: attrs() }),
      ...(type === "text" ? { text: next() < 0.8 ? "some text" : odd() } : { content }),
      ...(next() < 0.3 && { marks: next() < 0.01 ? odd() : [{ type: next() < 0.05 ? odd() : pick(marks), attrs: attrs() }] }),
    };
  };
  let files = 0;
  for (let at = 0; at < 200; at++) {
    const json = { type: "doc", content: [node(3), node(3)] };
    files += await export_(json, `${JSON.stringify(json)} COPYDESK_SEED=${seed}`);
  }
  assert.ok(files > 150, `${files} files`);
});

test("documents that nest too deep, or within themselves, are refused", async () => {
  const nested = (depth) => {
    let json = { type: "paragraph" };
    for (let at = 0; at < depth; at++) json = { type: "blockquote", content: [json] };
    return { type: "doc", content: [json] };
  };
  assert.equal(await export_(nested(50), "50"), 4);
  for (const depth of [5000, 100_000]) assert.equal(await export_(nested(depth), `${depth}`), 0);
  const circle = { type: "doc", content: [] };
  circle.content.push({ type: "blockquote", content: [circle] });
  assert.equal(await export_(circle, "circle"), 0);
});
