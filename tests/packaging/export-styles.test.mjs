// Styles of exported pages and books: values that programs read, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toEPUB, toHTML } from "copydesk/export";
import JSZip from "jszip";
import { doc, p, text } from "../exports/examples.mjs";

const styled = (attrs) => text("x", { type: "textStyle", attrs });
const stylesOf = (source) => {
  const parsed = new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(source.replace("<!doctype html>", "<!DOCTYPE html>"), "application/xhtml+xml");
  return [...parsed.getElementsByTagName("p")].map((one) => one.getElementsByTagName("span")[0]?.getAttribute("style") ?? null);
};

/** Values of CSS by their syntax (CSS Syntax 3), and texts that are none, or that load something. */
const GOOD = ["red", "#12ab", "rgb(0 0 255 / 50%)", "rgba(0,0,0,.5)", "hsl(120, 100%, 25%)", "var(--x)", "calc(1px + 2em)", "color-mix(in srgb, red 10%, var(--y))", "'Courier New', monospace", '"Noto Serif", serif', "宋体", "思源宋体, \"Songti SC\"", "-apple-system", "1.5em", "+3px"];
const BAD = ["red;", "red; background: url(x)", "url(x)", "URL(https://a.example)", "image-set('x')", "expression(x)", "((", "rgb(", "rgb(1))", "'x", "a'b", "red /*", "red*/", "\\75rl(x)", "xrgb(1)", "%%%", "#", "#ggg", "12px3", "-", "<b>", "{", "}", "@import", "x:y", "a\0b", "x".repeat(301)];

test("values of CSS are in pages and books as they are, others are left out and named", async () => {
  for (const fontFamily of GOOD) assert.deepEqual(stylesOf(toHTML(doc(p(styled({ fontFamily }))))), [`font-family: ${fontFamily}`], fontFamily);
  // Attributes of documents that no editor has made.
  assert.deepEqual(stylesOf(toHTML(doc(...[{ toString: 1 }, [], {}, 1, true].map((color) => p(styled({ color })))))), Array(5).fill(null));
  for (const color of BAD) assert.deepEqual(stylesOf(toHTML(doc(p(styled({ color }))))), [null], color);
  const { bytes, lost } = await toEPUB(doc(...[...GOOD, ...BAD].map((color) => p(styled({ color, fontSize: "2em" })))));
  assert.deepEqual(lost.map(({ kind, name }) => [kind, name]), BAD.map((value) => ["style", value.replace("\0", "").slice(0, 60)]));
  const page = await (await JSZip.loadAsync(bytes)).file("EPUB/chapter-001.xhtml").async("string");
  assert.deepEqual(stylesOf(page), [...GOOD.map((color) => `color: ${color}; font-size: 2em`), ...BAD.map(() => "font-size: 2em")]);
});
