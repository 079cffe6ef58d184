// Documents and books that exported files are checked with: real ones, those of reports, and random ones.
import { readdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { readMarkdown } from "copydesk/markdown";
import { randomFrom } from "../oracle/random.mjs";
import { randomBlocks } from "../packaging/markdown/random.mjs";
import { rich } from "../packaging/markdown/schema.mjs";

const root = new URL("../../", import.meta.url);

export const text = (value, ...marks) => ({ type: "text", text: value, ...(marks.length > 0 && { marks: marks.map((mark) => (typeof mark === "string" ? { type: mark } : mark)) }) });
export const node = (type, content, attrs) => ({ type, ...(attrs && { attrs }), ...(content && { content: [content].flat().map((one) => (typeof one === "string" ? text(one) : one)) }) });
export const p = (...content) => node("paragraph", content);
export const doc = (...content) => node("doc", content);
export const heading = (value, level = 1, attrs = {}) => node("heading", value, { level, ...attrs });
export const link = (href) => ({ type: "link", attrs: { href } });
export const item = (...content) => node("listItem", content);
export const table = (...rows) => node("table", rows.map((cells) => node("tableRow", cells.map((cell) => (typeof cell === "string" ? node("tableCell", [p(cell)]) : cell)))));

/** A PNG of one color. */
export function png(width, height) {
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    let crc = ~0;
    for (const byte of body) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(~crc >>> 0, 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.set([8, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", size), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** Loads an image whose name has its size, such as `100x50.png`. */
export async function loadImage(src) {
  if (src.startsWith("data:")) return new Uint8Array(await (await fetch(src)).arrayBuffer());
  const [, width, height] = /(\d+)x(\d+)\.png$/.exec(src) ?? [];
  if (!width) throw new Error("There is no such image.");
  return new Uint8Array(png(Number(width), Number(height)));
}

const image = (src, attrs) => node("image", undefined, { src, alt: src.slice(0, 20), ...attrs });
const markdown = (source) => readMarkdown(source, rich).json;
const svg = (inside) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns='http://www.w3.org/2000/svg' width='5' height='5'>${inside}</svg>`)}`;

/** rstudio/bookdown#766, magicdawn/weread-spy#43: links of all kinds. */
export const LINKS = ["#first-tea", "#none", "ch002.md", "../img/x.png", "docs\\a.html", "https://", "https://a.example/100%", "https://a.example/a b", "mailto:a b@c.example", "https://a.example/a|b", "?q=1", "https://a.example/é", "https://a.example/[x]#a#b", "tel:+1 2", "/abs", "//a.example/x", "two.md", "./two.md#second", "#", "sub/"];

/** A document with the summary of its authors. */
function disclosure() {
  const agents = [{ name: "Robot & <b>", model: "m-1", provider: "Acme \u0001", characters: 5 }, { name: "", characters: 2 }];
  const authors = { kind: "mixed", agents, people: 6, sources: ["https://a.example/?a=1&b=<2>"] };
  return { title: "Tea", language: "en", author: "Ada", disclosure: authors, chapters: [{ json: doc(heading("Tea"), p("Tea is young.")) }] };
}

function links() {
  const paragraphs = LINKS.map((href) => p(text(`to ${href}`, link(href))));
  return { title: "Links", language: "en", chapters: [
    { path: "one.md", json: doc(heading("First tea"), ...paragraphs) },
    { path: "two.md", json: doc(heading("Second"), p(text("back", link("one.md#first-tea")))) },
  ] };
}

/** The documentation of the project, whose pages link to each other. */
function documentation() {
  const names = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md")).sort();
  return { title: "Documentation", language: "en", chapters: names.map((name) => ({ path: `docs/${name}`, json: markdown(readFileSync(new URL(`docs/${name}`, root), "utf8")) })) };
}

function layout() {
  const styled = (attrs) => text(JSON.stringify(attrs), { type: "textStyle", attrs });
  const wide = { colwidth: [400] };
  const cell = (content, attrs) => node("tableCell", content, attrs);
  return doc(
    heading("Layout"),
    p(...["red", "#0a0", "rgb(0, 0, 255)", "rgba(0,0,0,.5)", "hsl(120, 100%, 25%)", "var(--x)"].map((color) => styled({ color }))),
    p(styled({ fontFamily: "'Courier New', monospace" }), styled({ fontSize: "24px" }), styled({ backgroundColor: "gold" })),
    ...["a", "A", "i", "I"].map((type) => node("orderedList", [item(p("one"), node("orderedList", [item(p("nested"))], { start: 4, type: "a" })), item(p("two"))], { start: 3, type })),
    table([cell([p("wide")], wide), cell([p("narrow")], { colwidth: [80] })]),
    table(["a", "b"]),
    node("bulletList", [item(p("with a table"), table(["in", "a list"])), item(table(["first", "in an item"])), item(node("bulletList", [item(p("starts with a list"))]))]),
    node("blockquote", [p("quoted"), table(["in", "a quote"]), node("blockquote", [p("twice")])]),
    node("paragraph", "שלום, world! 12", { dir: "rtl" }),
    p("مرحبا بالعالم (test) 34"),
    // The words tell where the image between them is printed.
    p("above200"), image("100x200.png"), p("below200"),
    image("2000x400.png"), image("300x3000.png"),
    p("Inline ", image("20x20.png"), " in text."),
    table([cell([p("above90"), image("40x90.png"), p("below90")]), "beside"], [cell([image("2000x400.png")]), "below"]),
    image("missing.png"),
  );
}

/** Values that users, other programs and models write into attributes. */
const ODD = ["", "((", "red;", "red /*", "%%%", "rgb(", "'x", "-", "--", "1", "#", "#ggg", "var(--x)", "a, b", "url", "a'b", "calc(1px", "0", "12px 3", ".", "é", "center", "\0", "a\nb", "x".repeat(300)];
const ODD_URLS = ["https://[::1]/", "https://user:p@a.example/", "https://a.example/%zz", "https://bücher.example/ä?ö#ü", "https://①②⑦.0.0.1/x", "https://a。example", "https://0x7f.1/", "HTTPS://A.EXAMPLE/x", "https://a.example/\ud800", "https://a.example/😀", "http://a_b.example/", "https://-a.example/", "https://a..example/", "mailto:", "mailto:a@b?subject=x y&body=é", "tel:", "https://a.example/a:b@c", "https://a.example//x", "https://xn--a/", "https://a.example/\u200b", "https://a.example/{x}", "https://a.example/;x,y!*'()$&+", "https://a.example?x", "https://a.example#x?y"];

function odd() {
  const styled = (name, value) => text(`${name} ${value}`, { type: "textStyle", attrs: { [name]: value } });
  const styles = ODD.flatMap((value) => [
    p(...["color", "backgroundColor", "fontFamily", "fontSize"].map((name) => styled(name, value)), text("h", { type: "highlight", attrs: { color: value } })),
    node("paragraph", "x", { textAlign: value, dir: value }),
    heading("x", 2, { id: value, textAlign: value }),
    table([node("tableCell", [p("x")], { align: value, backgroundColor: value, colwidth: [value] })]),
    node("codeBlock", "x", { language: value }),
    node("orderedList", [item(p("x"))], { type: value, start: value }),
  ]);
  const urls = [...ODD_URLS, ...ODD.flatMap((value) => ["", "#", "https://a.example/", "https://", "mailto:", "https://a.example/?", "https://a.example:80/#", "tel:"].map((start) => start + value))];
  const nodes = [
    node("image", undefined, { src: "10x10.png", alt: "a", title: "t", width: "50%", height: -1 }),
    node("details", [node("detailsSummary", "s"), node("detailsContent", [p("x"), table(["a"])])]),
    node("bulletList", [item(p("x"), heading("in an item", 2))]),
    node("blockMath", undefined, { latex: "x<y" }),
    p(node("inlineMath", undefined, { latex: "a&b" }), node("mention", undefined, { id: "x" })),
    p(text("link in ", link("#same")), text("code", link("#same-1"), "code")),
    ...["https://a.example/x y", "#x"].map((src) => node("youtube", undefined, { src })),
    node("unknown", [p("x")]),
    p(text("a[^1]", link("https://a.example")), "b"), p("[^1]: note"),
    node("bulletList", []), p(), node("codeBlock", []),
  ];
  return { title: "Odd", language: "en", chapters: [{ json: doc(heading("Styles"), ...styles) }, { json: doc(heading("Links"), ...urls.map((href) => p(text("x", link(href))))) }, { json: doc(heading("Same"), heading("Same"), ...nodes) }, { json: doc() }] };
}

const spans = [[[1, 1], [1, 1]], [[2, 2], [1, 1]], [[1, 2], [1, 1]], [[1, 1], [2, 1]]];

/** Returns the examples: `{name, publication}`. */
export function examples({ random = 40, seed = 20261125 } = {}) {
  const choices = randomFrom(seed);
  const chapters = Array.from({ length: random }, (_, at) => ({ title: `Random ${at + 1}`, json: rich.nodeFromJSON(doc(...randomBlocks(choices))).toJSON() }));
  return [
    { name: "footnotes", publication: markdown(readFileSync(new URL("footnotes.md", import.meta.url), "utf8")) },
    { name: "links", publication: links() },
    { name: "disclosure", publication: disclosure() },
    { name: "layout", publication: { language: "en-US", chapters: [{ json: layout() }] } },
    // thomas-villani/all2md#207
    { name: "spans", publication: doc(table(...spans.map((row) => row.map(([colspan, rowspan]) => node("tableCell", [p("x")], { colspan, rowspan }))))) },
    // openSUSE/daps#241
    { name: "drawings", publication: doc(p("SVG"), ...["<script>alert(1)</script>", "<rect onload='alert(1)' width='5' height='5'/>", "<image href='https://a.example/x.png'/>", "<a href='javascript:alert(1)'><rect width='5' height='5'/></a>", "<rect>"].map((inside) => image(svg(inside)))) },
    { name: "hebrew", publication: { language: "he", chapters: [{ json: doc(heading("תה ירוק"), p("שלום עולם, tea 12."), node("bulletList", [item(p("עלה"))]), table(["א", "ב"]))}] } },
    { name: "chinese", publication: { chapters: [{ json: markdown("# 第一章 茶\n\n她来了。[^1]\n\n[^1]: 注释。\n\n[下一章](#第一章-茶)\n") }] } },
    { name: "odd", publication: odd() },
    { name: "documentation", publication: documentation() },
    { name: "random", publication: { title: "Random", chapters } },
  ];
}
