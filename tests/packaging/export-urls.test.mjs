// URLs and images of exported files: what leads to another host says so, and no file runs or loads anything.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX, toEPUB, toHTML, toMarkdown } from "copydesk/export";
import { readMarkdown } from "copydesk/markdown";
import JSZip from "jszip";
import { rich } from "./markdown/schema.mjs";
import { random } from "./route-server.mjs";

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const REFERENCES = JSON.parse(readFileSync(new URL("../fixtures/urls/references.json", import.meta.url), "utf8"));
const doc = (...content) => ({ type: "doc", content });
const linked = (href) => ({ type: "paragraph", content: [{ type: "text", text: "t", marks: [{ type: "link", attrs: { href } }] }] });
const image = (src) => ({ type: "image", attrs: { src, alt: "A picture" } });
const xml = (text, type = "text/xml") => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(text, type);
const attributes = (text, tag, name) => [...xml(text, "application/xhtml+xml").getElementsByTagName(tag)].map((one) => one.getAttribute(name)).filter((value) => value !== null);

/** The host that a browser asks for a reference, whatever the page; null for that of the page. */
function hostOf(text) {
  const [one, two] = ["ftp://one.test/a/b", "ftp://two.test/a/b"].map((base) => (URL.canParse(text, base) ? new URL(text, base) : undefined));
  if (!one || !two) return undefined;
  return one.hostname === two.hostname ? one.hostname : null;
}

test("the table of references is what the platform's parser says", () => {
  for (const [text, host] of REFERENCES) assert.equal(hostOf(text), host, JSON.stringify(text));
});

/** The targets of the links of a document in each kind of file. */
async function targets(json) {
  const files = { docx: await toDOCX(json), epub: await toEPUB(json) };
  const [docx, epub] = await Promise.all([files.docx, files.epub].map(({ bytes }) => JSZip.loadAsync(bytes)));
  const relations = xml(await docx.file("word/_rels/document.xml.rels").async("string"));
  const lostIn = (file) => file.lost.filter(({ kind }) => kind === "link").length;
  const isLink = (one) => /hyperlink$/.test(one.getAttribute("Type"));
  const { text, lost } = toMarkdown(json, rich);
  const inMarkdown = [];
  rich.nodeFromJSON(readMarkdown(text, rich).json).descendants((node) => {
    for (const { type, attrs } of node.marks) if (type.name === "link") inMarkdown.push(attrs.href);
  });
  return {
    docx: [...relations.getElementsByTagName("Relationship")].filter(isLink).map((one) => one.getAttribute("Target")),
    // Links to the document itself are none to other files.
    epub: attributes(await epub.file("EPUB/chapter-001.xhtml").async("string"), "a", "href").filter((href) => href !== "chapter-001.xhtml"),
    html: attributes(toHTML(json).replace("<!doctype html>", "<!DOCTYPE html>"), "a", "href"),
    markdown: inMarkdown,
    lost,
    lostIn: { docx: lostIn(files.docx), epub: lostIn(files.epub) },
  };
}

const PAGE = "ftp://one.test/a/b";
/** Returns true for a reference that a browser takes for one to the page itself. */
const isToItself = (text) => URL.canParse(text, PAGE) && new URL(text, PAGE).href.split("#")[0] === PAGE;

/** Returns false for the name of a host that has an empty or too long part (RFC 1035, 2.3.4). */
const canExist = (host) => !host || host.startsWith("[") || host.replace(/\.$/, "").split(".").every(({ length }) => length > 0 && length < 64);

/**
 * Returns the texts that may be links of a file. The files of a book have no others beside them (EPUB 3.3, 3.6), and no
 * document here has a heading that a fragment could lead to.
 */
const ofFile = {
  docx: (texts) => texts.filter((text) => !isToItself(text) && canExist(hostOf(text))),
  epub: (texts) => texts.filter((text) => hostOf(text) !== null && canExist(hostOf(text))),
  html: (texts) => texts,
  markdown: (texts) => texts,
};

/** Fails unless all programs read the links of the files as a browser reads the document's. Returns the number of links. */
async function agree(texts) {
  // A link that is in no file is in none of them.
  const kept = texts.filter((text) => toHTML(doc(linked(text))).includes("<a "));
  const { lost, lostIn, ...files } = await targets(doc(...texts.map(linked)));
  assert.deepEqual(lost.filter(({ name }) => name === "link").map(({ block }) => block), texts.flatMap((text, at) => (kept.includes(text) ? [] : [at])));
  for (const [name, found] of Object.entries(files)) {
    const expected = ofFile[name](kept);
    assert.equal(found.length, expected.length, `${name} COPYDESK_SEED=${seed}`);
    // What is not written is named; a link to the document as a whole is one.
    if (name in lostIn) assert.equal(lostIn[name], texts.length - expected.length - kept.filter((text) => isToItself(text) && !/#[^]*[^\0-\x20]/.test(text)).length, `${name} COPYDESK_SEED=${seed}`);
    found.forEach((target, at) => {
      const where = `${name}: ${JSON.stringify(expected[at])} became ${JSON.stringify(target)} COPYDESK_SEED=${seed}`;
      const host = hostOf(expected[at]);
      assert.equal(hostOf(target), host, where);
      // Programs that know paths of the local network take two slashes at the beginning for one.
      if (host) assert.match(target, /^https?:\/\/[^/\\]/i, where);
      else assert.doesNotMatch(target.replace(/[\p{C}\s]/gu, ""), /^[/\\]{2}|^[^?#]*\\/, where);
    });
  }
  return kept.length;
}

test("links to other hosts are absolute URLs in every file", async () => {
  assert.equal(await agree(REFERENCES.map(([text]) => text)), REFERENCES.length);
});

test("random references lead where a browser goes (150 texts)", async () => {
  const next = random(seed);
  const parts = ["/", "\\", "//", "\\\\", "\t", "\n", "\r", " ", "\u0001", "\u00a0", "\ufffe", "\ud800", "\u200b", "a.example", "share", "..", ".", "?", "#", "@", ":", "https:", "http:", "file:", "javascript:", "data:", "%2f", "%5c", "／", "。", "[::1]", ":80", "x"];
  const text = () => Array.from({ length: 1 + Math.floor(next() * 7) }, () => parts[Math.floor(next() * parts.length)]).join("");
  assert.ok((await agree(Array.from({ length: 150 }, text).filter((one) => !/^[\0-\x20]*$/.test(one)))) > 50);
});

test("links that run or read something are in no file, and named as lost in Markdown", async () => {
  const bad = ["javascript:alert(1)", "java\tscript:x", "java\u200bscript:x", "\u0001JAVASCRIPT:x", "vbscript:x", "data:text/html,x", "file:///etc/passwd", "file:\\\\a.example\\share", "C:\\Windows", "https://", "http://[", "ms-word:ofe|u|https://a.example/x"];
  const { lost, lostIn, ...files } = await targets(doc(...bad.map(linked)));
  assert.deepEqual(lostIn, { docx: bad.length, epub: bad.length });
  assert.deepEqual(files, { docx: [], epub: [], html: [], markdown: [] });
  assert.deepEqual(lost.map(({ kind, name, block }) => [kind, name, block]), bad.map((_, at) => ["mark", "link", at]));
  for (const { message } of lost) assert.match(message, /^A file cannot have this URL/);
  const images = toMarkdown(doc({ type: "paragraph", content: ["javascript:x", "https://a.example/x.png", "\\\\a.example\\x.png"].map(image) }), rich);
  assert.deepEqual(images.text.match(/\]\([^)]*\)/g).slice(-2), ["](https://a.example/x.png)", "](https://a.example/x.png)"]);
  assert.ok(!images.text.includes("javascript"));
  assert.equal(images.lost.filter(({ name }) => name === "src").length, 1);
  assert.match(toMarkdown(doc(linked("javascript:x")), rich, { locale: "zh-CN" }).lost[0].message, /URL/);
});

test("long references are read", async () => {
  for (const long of [" ".repeat(200_000), "\t\\".repeat(50_000), "/\u200b".repeat(50_000), "https://a.example/" + " ".repeat(100_000), ":".repeat(100_000)])
    for (const text of [long, `${long}x`, `x${long}x`]) assert.equal(typeof toHTML(doc(linked(text))), "string");
});

test("images of other hosts are requested with a scheme", async () => {
  const asked = [];
  const loadImage = async (src) => (asked.push(src), Promise.reject(new Error("none")));
  const sources = ["\\\\a.example\\x.png", "//a.example/x.png", "/\t/a.example/x.png", "own/x.png", "https://a.example/y.png"];
  await toEPUB(doc(...sources.map(image)), { loadImage });
  assert.deepEqual(asked.sort(), ["https://a.example/x.png", "https://a.example/y.png", "own/x.png"]);
});

const SVG = 'xmlns="http://www.w3.org/2000/svg" width="5" height="5"';
const dataURL = (svg) => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** The SVG of a book with one image, and what was lost. */
async function inBook(svg) {
  const { bytes, lost } = await toEPUB(doc(image(dataURL(svg)), { type: "paragraph" }));
  const zip = await JSZip.loadAsync(bytes);
  const file = zip.file("EPUB/images/image-1.svg");
  const page = await zip.file("EPUB/chapter-001.xhtml").async("string");
  assert.equal(page.includes("<img"), !!file, "the page shows what the book has");
  return { svg: file && (await file.async("string")), lost };
}

/** Fails if an SVG has anything that runs, moves, links or loads. */
function assertInert(svg, given) {
  const parsed = xml(svg, "image/svg+xml");
  for (const element of [...parsed.getElementsByTagName("*")]) {
    assert.equal(element.namespaceURI, "http://www.w3.org/2000/svg", given);
    assert.doesNotMatch(element.localName, /^(?:script|foreignObject|a|set|animate\w*|iframe|handler|listener|audio|video|discard|feImage)$/i, given);
    if (element.localName === "style") assert.doesNotMatch(element.textContent, /@|\\|url\(\s*["']?(?!#)/i, given);
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith("xmlns")) continue;
      assert.doesNotMatch(name, /^on|^src$|base$/i, given);
      assert.doesNotMatch(value, /script:|url\(\s*["']?(?!#|["'])|\/\/(?!\/)[a-z]/i, given);
      if (/href$/.test(name)) assert.match(value, /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)/, given);
    }
  }
  assert.doesNotMatch(svg, /<!DOCTYPE|<!ENTITY|<\?xml-stylesheet/i, given);
}

test("an SVG that draws only is in a book as it looks", async () => {
  const picture = `<svg ${SVG} viewBox="0 0 5 5" xmlns:xlink="http://www.w3.org/1999/xlink"><title>Tea &amp; leaf</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><style>.a{fill:red;stroke:url(#g)}</style></defs><g fill="url(#g)" style="opacity:.5; filter: url('#f')"><path d="M0 0L5 5" class="a"/><use href="#g"/><use xlink:href="#g"/><text>a<tspan>b</tspan>第</text></g><image href="data:image/png;base64,AAAA"/></svg>`;
  const { svg, lost } = await inBook(picture);
  assert.deepEqual(lost, []);
  assertInert(svg, picture);
  const shape = (text) => [...xml(text, "image/svg+xml").getElementsByTagName("*")].map((one) => [one.localName, [...one.attributes].filter(({ name }) => !name.startsWith("xmlns")).map(({ name, value }) => [name, value]), one.textContent]);
  assert.deepEqual(shape(svg), shape(picture));
});

test("what runs, moves, links or loads in an SVG is left out of a book, and named", async () => {
  for (const [active, named] of [
    ["<script>alert(1)</script>", "script"],
    ["<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>", "script"],
    ["<h:script xmlns:h='http://www.w3.org/1999/xhtml'>alert(1)</h:script>", "h:script"],
    ["<s:script xmlns:s='http://www.w3.org/2000/svg'>alert(1)</s:script>", "s:script"],
    ["<rect onload='alert(1)'/>", "onload"],
    ["<rect OnClick='alert(1)'/>", "OnClick"],
    ["<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><iframe src='https://evil.example'/></body></foreignObject>", "foreignObject"],
    ["<image href='https://evil.example/x.png'/>", "href"],
    ["<image href='//evil.example/x.png'/>", "href"],
    ["<image href='\\\\evil.example\\x.png'/>", "href"],
    ["<image href='data:image/svg+xml,%3Csvg/%3E'/>", "href"],
    ["<image xmlns:x='http://www.w3.org/1999/xlink' x:href='file:///etc/passwd'/>", "x:href"],
    ["<use href='https://evil.example/x.svg#a'/>", "href"],
    ["<feImage href='https://evil.example/x.png'/>", "feImage"],
    ["<a href='javascript:alert(1)'><rect/></a>", "href"],
    ["<a href='https://evil.example'><text>x</text></a>", "href"],
    ["<rect><set attributeName='href' to='javascript:alert(1)'/></rect>", "set"],
    ["<rect><animate attributeName='href' values='javascript:alert(1)'/></rect>", "animate"],
    ["<style>@import 'https://evil.example/x.css';</style>", "style"],
    ["<style>rect{background:url(https://evil.example/x)}</style>", "style"],
    ["<style>rect{fill:\\75rl(https://evil.example/x)}</style>", "style"],
    ["<style><![CDATA[@font-face{src:url(//evil.example)}]]></style>", "style"],
    ["<rect style='fill:url(https://evil.example/x#a)'/>", "style"],
    ["<rect fill='url( \"https://evil.example/x\" )'/>", "fill"],
    ["<rect filter='URL(//evil.example/x)'/>", "filter"],
    ["<rect cursor='image-set(\"https://evil.example/x\" 1x)'/>", "cursor"],
    ["<g xml:base='https://evil.example/'><use href='#a'/></g>", "xml:base"],
    ["<handler xmlns:ev='http://www.w3.org/2001/xml-events' ev:event='load'>alert(1)</handler>", "handler"],
    ["<audio src='https://evil.example/x'/>", "audio"],
    [`<rect fill="url(${" ".repeat(50_000)}x"/>`, "fill"],
    [`<rect fill="url(#${" ".repeat(50_000)}"/>`, "fill"],
  ]) {
    const given = `<svg ${SVG}><rect id="a" width="5" height="5"/>${active}</svg>`;
    const { svg, lost } = await inBook(given);
    assert.ok(svg, `${active} ${JSON.stringify(lost)}`);
    assertInert(svg, active);
    assert.match(svg, /<rect id="a" width="5" height="5"\/>/);
    assert.equal(lost.length, 1, active);
    assert.match(lost[0].reason, new RegExp(`without (?:\\S+, )*${named}[,:]`), active);
  }
});

test("an SVG that is not well-formed or not one is not in a book", async () => {
  for (const given of [
    `<svg ${SVG}><rect>`,
    `<svg ${SVG}><rect a="1" a="2"/></svg>`,
    `<svg ${SVG}>&unknown;</svg>`,
    `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><svg ${SVG}><text>&b;</text></svg>`,
    '<svg xmlns="urn:x" width="5" height="5"><rect/></svg>',
    `<html xmlns="http://www.w3.org/1999/xhtml"><svg ${SVG}/><script>alert(1)</script></html>`,
    `<svg ${SVG}>${"<g>".repeat(5000)}${"</g>".repeat(5000)}</svg>`,
    `<svg ${SVG}/><svg ${SVG}/>`,
  ]) {
    const { svg, lost } = await inBook(given);
    assert.equal(svg, null, given.slice(0, 100));
    assert.deepEqual(lost.map(({ kind }) => kind), ["image"], given.slice(0, 100));
  }
  const { svg, lost } = await inBook(`<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.css"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- x --><svg ${SVG}><metadata>x</metadata></svg>`);
  assert.deepEqual(lost, []);
  assertInert(svg, "prolog");
});

test("random SVGs are inert in a book (100)", async () => {
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const names = ["svg", "g", "a", "use", "image", "style", "script", "rect", "text", "set", "animate", "foreignObject", "feImage", "filter", "h:div", "h:script", "x:y", "Script"];
  const attributes = ["href", "l:href", "onload", "style", "fill", "src", "xml:base", "id", "to", "values", "attributeName", "x:onload", "ONCLICK", "from", "clip-path"];
  const values = ["#a", "https://evil.example/", "javascript:alert(1)", "data:text/html,x", "data:image/png;base64,AA", "url(#a)", "url(//evil.example)", "u\\72l(x)", "red", "java\tscript:x", "  //evil.example"];
  const texts = ["x", "@import url(//evil.example);", ".a{fill:url(#b)}", "alert(1)", "&lt;script&gt;", "<![CDATA[<script>alert(1)</script>]]>", "<!-- --><?x y?>"];
  const element = (depth) => {
    const name = pick(names);
    const own = new Map(Array.from({ length: Math.floor(next() * 3) }, () => [pick(attributes), pick(values)]));
    const inside = depth ? Array.from({ length: Math.floor(next() * 4) }, () => (next() < 0.4 ? pick(texts) : element(depth - 1))) : [];
    return `<${name}${[...own].map(([key, value]) => ` ${key}="${value}"`).join("")}>${inside.join("")}</${name}>`;
  };
  let kept = 0;
  for (let at = 0; at < 100; at++) {
    const given = `<svg ${SVG} xmlns:l="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:x="urn:x">${element(3)}${element(3)}</svg>`;
    const { svg } = await inBook(given);
    if (svg === null) continue;
    kept++;
    assertInert(svg, `${given} COPYDESK_SEED=${seed}`);
  }
  assert.ok(kept > 80, `${kept}`);
});
