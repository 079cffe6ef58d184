// A short notation for documents and updates, used by the tables in this folder.
//
//   doc(h2("Tea"), p("a ", b("bold"), " word"), ul("one", li("two", ul("deeper"))))
//
// Omitted attributes have the schema's defaults. An object as the first argument is the attributes. Inside items, cells and
// quotes, adjacent text is one paragraph.

const isAttrs = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !value.type;
const INLINE = ["text", "hardBreak", "mention", "image"];

function flat(content) {
  const nodes = content.flat(Infinity).filter((node) => node !== "");
  return nodes.map((node) => (typeof node === "string" ? { type: "text", text: node } : node));
}

const make = (type, content, attrs) => ({ type, ...(attrs && { attrs }), ...(content.length && { content }) });

/** Creates an inline node. */
const textblock = (type, fixed) => (...given) => {
  const attrs = isAttrs(given[0]) ? given.shift() : undefined;
  return make(type, flat(given), fixed || attrs ? { ...fixed, ...attrs } : undefined);
};

/** Creates a node with blocks. */
const container = (type, fixed) => (...given) => {
  const attrs = isAttrs(given[0]) ? given.shift() : undefined;
  const blocks = [];
  let open;
  for (const node of flat(given)) {
    if (!INLINE.includes(node.type) || (node.type === "image" && !open)) {
      blocks.push(node);
      open = undefined;
    } else if (open) {
      open.content.push(node);
    } else {
      blocks.push((open = { type: "paragraph", content: [node] }));
    }
  }
  return make(type, blocks.length ? blocks : [{ type: "paragraph" }], fixed || attrs ? { ...fixed, ...attrs } : undefined);
};

/** Creates a node whose children are made by `item`. */
const list = (type, item, is) => (...given) => {
  const attrs = isAttrs(given[0]) ? given.shift() : undefined;
  return make(type, given.map((one) => (is.includes(one.type) ? one : item(one))), attrs);
};

export const doc = (...content) => make("doc", flat(content));
export const p = textblock("paragraph");
export const [h1, h2, h3] = [1, 2, 3].map((level) => textblock("heading", { level }));
export const pre = textblock("codeBlock");
export const q = container("blockquote");
export const callout = container("callout");
export const li = container("listItem");
export const open = container("taskItem", { checked: false });
export const done = container("taskItem", { checked: true });
export const td = container("tableCell");
export const th = container("tableHeader");
export const ul = list("bulletList", li, ["listItem"]);
export const ol = list("orderedList", li, ["listItem"]);
export const todo = list("taskList", open, ["taskItem"]);
export const row = list("tableRow", td, ["tableCell", "tableHeader"]);
export const table = list("table", null, ["tableRow"]);
export const hr = () => ({ type: "horizontalRule" });
export const br = { type: "hardBreak" };
/** The page's content security policy blocks these images: they are never loaded. */
export const src = (name) => `https://pictures.example/${name}.png`;
export const img = (name, attrs) => ({ type: "image", attrs: { src: src(name), alt: name, ...attrs } });
export const math = (latex) => ({ type: "mathBlock", attrs: { latex } });
export const at = (id) => ({ type: "mention", attrs: { id, label: id } });

const mark = (type, attrs) => (...content) =>
  flat(content).map((node) => ({ ...node, marks: [...(node.marks ?? []), { type, ...(attrs && { attrs }) }] }));

export const b = mark("bold");
export const i = mark("italic");
export const s = mark("strike");
export const u = mark("underline");
export const code = mark("code");
export const to = (page) => mark("link", { href: `https://${page}.example/` });
export const a = to("a");
export const note = (id) => mark("comment", { id });
export const hl = (color) => mark("highlight", { color });

/** One range of lines. */
export const lines = (start_line, end_line, content, format) => ({ operation: "replace_lines", edits: [range(start_line, end_line, content, format)] });
export const range = (start_line, end_line, content, format) => ({ start_line, end_line, content, ...(format && { format }) });
export const ranges = (...edits) => ({ operation: "replace_lines", edits });
export const whole = (content, format) => ({ operation: "replace_lines", edits: [{ content, ...(format && { format }) }] });
export const text = (old, now, more) => ({ operation: "replace_text", old, new: now, ...more });
