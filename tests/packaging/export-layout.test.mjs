// The layout of DOCX files, in their XML. The sections in comments are those of ECMA-376-1:2016.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMParser } from "@xmldom/xmldom";
import { toDOCX } from "copydesk/export";
import JSZip from "jszip";
import { doc, heading, item, loadImage, node, p, table, text } from "../exports/examples.mjs";

const xml = (source) => new DOMParser({ onError: (level, message) => assert.equal(level, "warning", message) }).parseFromString(source, "text/xml");
const all = (parent, name) => [...parent.getElementsByTagName(name)];
const value = (element, name = "w:val") => element?.getAttribute(name) ?? undefined;
const number = (element, name) => Number(value(element, name));
const textOf = (element) => all(element, "w:t").map((one) => one.textContent).join("");

async function opened(publication, options) {
  const { bytes, lost } = await toDOCX(publication, { loadImage, ...options });
  const zip = await JSZip.loadAsync(bytes);
  const part = async (name) => xml(await zip.file(`word/${name}.xml`).async("string"));
  const document = await part("document");
  return { lost, zip, part, document, body: all(document, "w:body")[0] };
}

const blocks = (parent) => [...parent.childNodes].filter(({ nodeName }) => /^w:(?:p|tbl)$/.test(nodeName));
const image = (width, height, attrs) => node("image", undefined, { src: `${width}x${height}.png`, alt: "x", ...attrs });
const cell = (content, attrs) => node("tableCell", content, attrs);
/** Twentieths of a point, and English metric units (20.1.2.1), of a pixel: a 96th of an inch. */
const [DXA, EMU] = [15, 9525];
/** A4 and its margins of an inch. */
const ROOM = { width: 11_906 - 2 * 1_440, height: 16_838 - 2 * 1_440 };

test("lines are as high as what is in them", async () => {
  // 17.3.1.33: `exact` and `atLeast` are heights, and a line of `exact` height cuts an image.
  const { part, document } = await opened(doc(p("x"), image(100, 200)));
  const spacings = [...all(await part("styles"), "w:spacing"), ...all(document, "w:spacing")].filter((one) => value(one, "w:line"));
  assert.ok(spacings.length > 0);
  for (const one of spacings) assert.equal(value(one, "w:lineRule"), "auto");
});

test("images fit the page, their column or their item, in their proportions", async () => {
  const sizes = [[30, 20], [2_000, 400], [300, 3_000], [5_000, 5_000]];
  const images = sizes.map(([width, height]) => image(width, height));
  const places = {
    page: [doc(...images), ROOM.width],
    paragraph: [doc(p(...images)), ROOM.width],
    // Two columns of the same width, and the margins of a cell: 108 at each side.
    cell: [doc(table([cell(images), "x"])), ROOM.width / 2 - 216],
    item: [doc(node("bulletList", [item(p(...images))])), ROOM.width - 425],
    quote: [doc(node("blockquote", images)), ROOM.width - 567],
  };
  for (const [name, [json, width]] of Object.entries(places)) {
    const extents = all((await opened(json)).body, "wp:extent").map((one) => [number(one, "cx"), number(one, "cy")]);
    assert.equal(extents.length, sizes.length, name);
    extents.forEach(([cx, cy], at) => {
      const [wide, high] = sizes[at];
      assert.ok(cx <= width * 635 && cy <= ROOM.height * 635, `${name}: ${cx} x ${cy}`);
      assert.ok(Math.abs(cx / cy - wide / high) < 0.1 * (wide / high), `${name}: ${cx} x ${cy}`);
      // One that fits keeps its size.
      if (at === 0) assert.deepEqual([cx, cy], [wide * EMU, high * EMU], name);
      else assert.ok(cx > (width * 635) / 2 || cy > (ROOM.height * 635) / 2, `${name}: ${cx} x ${cy} is small`);
    });
  }
  const [wanted] = all((await opened(doc(image(400, 200, { width: 100 })))).body, "wp:extent");
  assert.deepEqual([number(wanted, "cx"), number(wanted, "cy")], [100 * EMU, 50 * EMU]);
});

/** The widths of the columns of a table, each checked with those of its cells (17.4.16, 17.4.71). */
function widthsOf(element) {
  const widths = all(element, "w:gridCol").map((one) => number(one, "w:w"));
  for (const row of all(element, "w:tr")) {
    let column = 0;
    for (const one of all(row, "w:tc")) {
      const span = number(all(one, "w:gridSpan")[0]) || 1;
      const [given] = all(one, "w:tcW");
      const expected = widths.slice(column, column + span).reduce((sum, width) => sum + width);
      if (given) assert.equal(number(given, "w:w"), expected);
      column += span;
    }
    assert.equal(column, widths.length);
  }
  return widths;
}

test("columns are as wide as in the editor, and a table is as wide as the page at most", async () => {
  const tables = {
    wanted: table([cell([p("a")], { colwidth: [200] }), cell([p("b")], { colwidth: [100] })]),
    part: table([cell([p("a")], { colwidth: [200] }), "b"], ["c", "d"]),
    spanned: table([cell([p("a")], { colspan: 2, colwidth: [50, 150] }), "b"], ["c", "d", "e"]),
    wide: table([cell([p("a")], { colwidth: [900] }), cell([p("b")], { colwidth: [300] })]),
    none: table(["a", "b", "c"]),
  };
  const { body } = await opened(doc(...Object.values(tables)));
  const found = Object.fromEntries(all(body, "w:tbl").map((one, at) => [Object.keys(tables)[at], widthsOf(one)]));
  assert.deepEqual(found.wanted, [200 * DXA, 100 * DXA]);
  assert.deepEqual(found.part, [200 * DXA, ROOM.width - 200 * DXA]);
  assert.deepEqual(found.spanned, [50 * DXA, 150 * DXA, ROOM.width - 200 * DXA]);
  assert.equal(Math.round(found.wide[0] / found.wide[1]), 3);
  assert.equal(new Set(found.none).size, 1);
  for (const name of ["part", "spanned", "wide", "none"]) {
    const sum = found[name].reduce((total, width) => total + width);
    assert.ok(sum <= ROOM.width && sum > ROOM.width - 5, `${name}: ${sum}`);
  }
  // 17.4.52: without it, programs fit columns to their content.
  for (const one of all(body, "w:tbl")) assert.equal(value(all(one, "w:tblLayout")[0], "w:type"), "fixed");
});

test("colors, fonts and sizes of text are in the file, and those that no file has in `lost`", async () => {
  const styled = (attrs) => text("x", { type: "textStyle", attrs });
  const properties = async (...content) => {
    const { body, lost } = await opened(doc(p(...content)));
    return { runs: all(body, "w:r").map((run) => all(run, "w:rPr")[0]), lost: lost.map(({ kind, name }) => [kind, name]) };
  };
  // CSS Color 4: names, digits and functions; a transparent color is what it is on white.
  const colors = { red: "FF0000", "#0a0": "00AA00", "#12345678": "8F9FAF", "rgb(0, 0, 255)": "0000FF", "rgb(0 50% 100% / 50%)": "80BFFF", "rgba(0,0,0,.5)": "808080", "hsl(120, 100%, 25%)": "008000", RebeccaPurple: "663399" };
  const { runs, lost } = await properties(...Object.keys(colors).map((color) => styled({ color })));
  assert.deepEqual(runs.map((run) => value(all(run, "w:color")[0])), Object.values(colors));
  assert.deepEqual(lost, []);
  // 17.3.2.38 and 17.3.2.39: half points, of which a pixel has one and a half.
  const sizes = await properties(...["24px", "12pt", "1in", "2em", "10"].map((fontSize) => styled({ fontSize })));
  assert.deepEqual(sizes.runs.map((run) => ["w:sz", "w:szCs"].map((name) => value(all(run, name)[0]))), [["36", "36"], ["24", "24"], ["144", "144"], ["48", "48"], ["15", "15"]]);
  const fonts = await properties(...["'Courier New', monospace", "Georgia", '"SimSun"', "serif"].map((fontFamily) => styled({ fontFamily })));
  assert.deepEqual(fonts.runs.map((run) => value(all(run, "w:rFonts")[0], "w:ascii")), ["Courier New", "Georgia", "SimSun", "Times New Roman"]);
  const marked = await properties(styled({ backgroundColor: "gold" }), text("x", { type: "highlight", attrs: { color: "#abc" } }), text("x", "highlight"));
  assert.deepEqual(marked.runs.map((run) => value(all(run, "w:shd")[0], "w:fill")), ["FFD700", "AABBCC", "FFF59D"]);
  const none = await properties(styled({ color: "var(--x)" }), styled({ color: "var(--x)", fontSize: "calc(1px + 1em)" }), styled({ color: "inherit", fontFamily: null }));
  assert.deepEqual(none.lost, [["style", "var(--x)"], ["style", "calc(1px + 1em)"]]);
  const { body } = await opened(doc(table([cell([p("x")], { backgroundColor: "#00ff00" })])));
  assert.equal(value(all(all(body, "w:tcPr")[0], "w:shd")[0], "w:fill"), "00FF00");
});

/** The format and the start of the numbering of a paragraph (17.9.15, 17.9.18, 17.9.1). */
function numberingOf(paragraph, numbering) {
  const [id, level] = ["w:numId", "w:ilvl"].map((name) => value(all(paragraph, name)[0]));
  const instance = all(numbering, "w:num").find((one) => value(one, "w:numId") === id);
  const abstract = all(numbering, "w:abstractNum").find((one) => value(one, "w:abstractNumId") === value(all(instance, "w:abstractNumId")[0]));
  const own = all(abstract, "w:lvl").find((one) => value(one, "w:ilvl") === level);
  return { id, level, format: value(all(own, "w:numFmt")[0]), start: value(all(own, "w:start")[0]) };
}

test("lists have their types, and each counts from its start", async () => {
  // 17.18.59, and the types of `ol` in HTML.
  const formats = { 1: "decimal", a: "lowerLetter", A: "upperLetter", i: "lowerRoman", I: "upperRoman" };
  const nested = node("orderedList", [item(p("nested"))], { start: 4, type: "a" });
  const lists = Object.keys(formats).map((type) => node("orderedList", [item(p(`type ${type}`), nested)], { start: 3, type }));
  const { body, part } = await opened(doc(...lists, node("orderedList", [item(p("next"))]), node("bulletList", [item(p("bullet"))])));
  const numbering = await part("numbering");
  const found = all(body, "w:p").filter((one) => all(one, "w:numPr").length > 0).map((one) => ({ text: textOf(one), ...numberingOf(one, numbering) }));
  for (const [type, format] of Object.entries(formats)) {
    const { level, start, ...own } = found.find((one) => one.text === `type ${type}`);
    assert.deepEqual([own.format, level, start], [format, "0", "3"]);
  }
  const inner = found.filter((one) => one.text === "nested");
  assert.deepEqual([...new Set(inner.map(({ format, level, start }) => `${format} ${level} ${start}`))], ["lowerLetter 1 4"]);
  // Lists of one numbering would go on counting.
  const ordered = found.filter(({ format }) => format !== "bullet");
  assert.equal(new Set(ordered.map(({ id }) => id)).size, ordered.length);
  assert.deepEqual([found.at(-2).format, found.at(-2).start, found.at(-1).format], ["decimal", "1", "bullet"]);
});

test("tables are tables of their own, each with a paragraph behind it", async () => {
  // 17.4.37 and 17.4.65: neighbouring tables are read as one, and a cell ends with a paragraph.
  const { body } = await opened(doc(table(["one"]), table(["two"]), p("x"), table([cell([table(["inner"]), table(["other"])]), cell([])])));
  const tables = all(body, "w:tbl");
  assert.equal(tables.length, 5);
  for (const one of tables) assert.equal(one.nextSibling?.nodeName, "w:p");
  for (const one of all(body, "w:tc")) assert.equal(blocks(one).at(-1)?.nodeName, "w:p");
  assert.equal(all(tables[0], "w:tr").length, 1);
});

test("tables in lists and quotes stand in them, below the number of their item", async () => {
  const { body } = await opened(doc(node("bulletList", [item(p("text"), table(["a", "b"])), item(table(["first"]))]), node("blockquote", [table(["quoted"]), node("blockquote", [table(["twice"])])])));
  const written = blocks(body).map((one) => [one.nodeName, all(one, "w:numPr").length > 0, textOf(one)]).filter(([name, isItem, content]) => name === "w:tbl" || isItem || content);
  assert.deepEqual(written, [["w:p", true, "text"], ["w:tbl", false, "ab"], ["w:p", true, ""], ["w:tbl", false, "first"], ["w:tbl", false, "quoted"], ["w:tbl", false, "twice"]]);
  const tables = all(body, "w:tbl");
  // 17.4.50: the distance from the margin, which the text of its item or quote has too.
  const indents = tables.map((one) => number(all(one, "w:tblInd")[0], "w:w"));
  assert.deepEqual(indents, [425, 425, 567, 2 * 567]);
  tables.forEach((one, at) => assert.ok(Math.abs(indents[at] + widthsOf(one).reduce((sum, width) => sum + width) - ROOM.width) < 5));
});

test("text that is written from right to left is so in its paragraphs, runs and tables", async () => {
  const runsOf = async (...content) => {
    const { body } = await opened(doc(...content));
    return all(body, "w:p").map((one) => ({
      // 17.3.1.6 and 17.3.2.30
      isRightToLeft: all(one, "w:bidi").length > 0,
      runs: all(one, "w:r").map((run) => [textOf(run), all(run, "w:rtl").length > 0]),
    }));
  };
  const rtl = (value) => node("paragraph", value, { dir: "rtl" });
  // The order that UAX #9 gives: W7 for digits, N0 for brackets, N1 and N2 for other signs.
  const cases = [
    [p("plain (text) 12"), false, [["plain (text) 12", false]]],
    [p("שלום, world! 12"), true, [["שלום, ", true], ["world! 12", false]]],
    [p("مرحبا (test) 34."), true, [["مرحبا (", true], ["test", false], [") ", true], ["34", false], [".", true]]],
    [p("see (שלום) now"), false, [["see (", false], ["שלום", true], [") now", false]]],
    [rtl("a שלום 12 ש"), true, [["a", false], [" שלום 12 ש", true]]],
    [rtl("12."), true, [["12.", true]]],
    [node("paragraph", "שלום", { dir: "ltr" }), false, [["שלום", true]]],
    [heading("שָׁלוֹם"), true, [["שָׁלוֹם", true]]],
  ];
  const found = await runsOf(...cases.map(([json]) => json));
  cases.forEach(([, isRightToLeft, runs], at) => assert.deepEqual(found[at], { isRightToLeft, runs }));
  // A word in bold is in bold in both kinds of script (17.3.2.2).
  const { body } = await opened(doc(p(text("שלום", "bold")), table(["א", "ב"]), table(["a"])));
  assert.equal(all(body, "w:bCs").length, 1);
  // 17.4.1
  assert.deepEqual(all(body, "w:tbl").map((one) => all(one, "w:bidiVisual").length), [1, 0]);
  // In a book of such a language, what has no letters follows it.
  const book = await opened({ language: "he", chapters: [{ json: doc(p("12.")) }] });
  assert.equal(all(book.body, "w:bidi").length, 1);
  assert.equal(value(all(await book.part("styles"), "w:lang")[0], "w:bidi"), "he");
});

test("pages have the paper of the language or of the option, and numbers", async () => {
  const sizes = { en: [11_906, 16_838], "en-US": [12_240, 15_840], "es-MX": [12_240, 15_840], "zh-CN": [11_906, 16_838], "en-GB": [11_906, 16_838] };
  const sizeOf = (document) => ["w:w", "w:h"].map((name) => number(all(document, "w:pgSz")[0], name));
  for (const [language, size] of Object.entries(sizes)) {
    assert.deepEqual(sizeOf((await opened({ language, chapters: [{ json: doc(p("x")) }] })).document), size, language);
  }
  // Millimeters of ISO 216, and inches, in twentieths of a point.
  const papers = { A5: [148, 210], B5: [176, 250], Letter: [215.9, 279.4], Legal: [215.9, 355.6] };
  for (const [pageSize, size] of Object.entries(papers)) {
    assert.deepEqual(sizeOf((await opened(doc(p("x")), { pageSize })).document), size.map((length) => Math.round((length / 25.4) * 1_440)), pageSize);
  }
  await assert.rejects(toDOCX(doc(p("x")), { pageSize: "A3x" }), { code: "invalid_parameter" });
  const { zip, document } = await opened({ chapters: [{ json: doc(p("one")) }, { json: doc(p("two")) }] });
  const footer = xml(await zip.file("word/footer1.xml").async("string"));
  // 17.16.5.44
  assert.match(all(footer, "w:instrText").map((one) => one.textContent).join(""), /PAGE/);
  // 17.10.5: a section without a footer has that of the section before it.
  assert.deepEqual(all(document, "w:sectPr").map((one) => all(one, "w:footerReference").length), [1, 0]);
  const without = await opened(doc(p("x")), { pageNumbers: false });
  assert.deepEqual([all(without.document, "w:footerReference").length, without.zip.file("word/footer1.xml")], [0, null]);
});

test("headings stay with the text below them", async () => {
  const { part, body } = await opened(doc(...[1, 2, 3, 4, 5, 6].map((level) => heading(`h${level}`, level))));
  const styles = all(await part("styles"), "w:style");
  for (const paragraph of all(body, "w:p")) {
    const style = styles.find((one) => value(one, "w:styleId") === value(all(paragraph, "w:pStyle")[0]));
    // 17.3.1.15
    assert.equal(all(style, "w:keepNext").length, 1, textOf(paragraph));
    assert.notEqual(value(all(style, "w:keepNext")[0]), "false");
  }
});
