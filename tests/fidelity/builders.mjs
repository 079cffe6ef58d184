// Builders of documents as ProseMirror JSON: doc(p("A ", bold("leaf")), ul(li("one"), li("two"))).
//
// Inline arguments are strings, or what the inline builders return. A block whose first argument is a string holds a
// paragraph of it where the schema wants blocks: li("one") is li(p("one")).

const flat = (parts) => parts.flat(Infinity).filter((part) => part !== undefined && part !== null && part !== "");
const BLOCKS = new Set();

function inline(parts) {
  const nodes = [];
  for (const part of flat(parts)) {
    const node = typeof part === "string" ? { type: "text", text: part } : part;
    const last = nodes.at(-1);
    const joins =
      last?.type === "text" && node.type === "text" && JSON.stringify(last.marks) === JSON.stringify(node.marks);
    if (joins) nodes[nodes.length - 1] = { ...last, text: last.text + node.text };
    else nodes.push(node);
  }
  return nodes;
}

function node(type, attrs, content) {
  const made = { type };
  if (attrs && Object.keys(attrs).length) made.attrs = attrs;
  if (content?.length) made.content = content;
  return made;
}

function block(type, attrs, content) {
  BLOCKS.add(type);
  return node(type, attrs, content);
}

/** Children of a node that holds blocks: runs of inline content become paragraphs. */
function blocks(parts) {
  const made = [];
  let run = [];
  const close = () => {
    if (run.length) made.push(p(...run));
    run = [];
  };
  for (const part of flat(parts)) {
    if (typeof part !== "string" && BLOCKS.has(part.type)) {
      close();
      made.push(part);
    } else run.push(part);
  }
  close();
  return made.length ? made : [p()];
}

// Inline

const marked =
  (type, attrs) =>
  (...parts) =>
    inline(parts).map((part) => {
      // The order of marks is the schema's; nodeFromJSON keeps what it is given, so builders sort by rank.
      const marks = [...(part.marks ?? []), attrs ? { type, attrs } : { type }];
      return { ...part, marks: marks.sort((a, b) => RANK.indexOf(a.type) - RANK.indexOf(b.type)) };
    });
const RANK = ["link", "bold", "code", "italic", "strike", "underline", "highlight"];

export const bold = marked("bold");
export const italic = marked("italic");
export const code = marked("code");
export const strike = marked("strike");
export const underline = marked("underline");
export const highlight = marked("highlight", { color: "yellow" });
/** link("https://…", "text"), or link({ href, title }, "text"). */
export const link = (to, ...parts) => marked("link", typeof to === "string" ? { href: to } : to)(...parts);
export const br = { type: "hardBreak" };
export const mention = (id, label) => ({ type: "mention", attrs: { id, label } });
export const math = (latex) => ({ type: "inlineMath", attrs: { latex } });

// Blocks

export const doc = (...parts) => node("doc", undefined, blocks(parts));
export const p = (...parts) => block("paragraph", undefined, inline(parts));
export const h = (level, ...parts) => block("heading", { level }, inline(parts));
export const quote = (...parts) => block("blockquote", undefined, blocks(parts));
export const pre = (language, text) => block("codeBlock", { language }, inline([text]));
export const hr = () => block("horizontalRule");
export const img = (src, attrs = {}) => block("image", { src, ...attrs });
export const ul = (...items) => block("bulletList", undefined, flat(items));
export const ol = (...items) => block("orderedList", undefined, flat(items));
/** An ordered list that counts from `start`. */
export const olFrom = (start, ...items) => block("orderedList", { start }, flat(items));
export const li = (...parts) => block("listItem", undefined, blocks(parts));
export const tasks = (...items) => block("taskList", undefined, flat(items));
export const todo = (...parts) => block("taskItem", { checked: false }, blocks(parts));
export const done = (...parts) => block("taskItem", { checked: true }, blocks(parts));
export const table = (...rows) => block("table", undefined, flat(rows));
export const tr = (...cells) =>
  block(
    "tableRow",
    undefined,
    flat(cells).map((cell) => (typeof cell === "string" || !cell.type?.startsWith("table") ? td(cell) : cell)),
  );
export const td = (...parts) => block("tableCell", undefined, blocks(parts));
export const th = (...parts) => block("tableHeader", undefined, blocks(parts));
/** A cell with attributes: cell({ colwidth: [120] }, "x"); head() is the same for header cells. */
export const cell = (attrs, ...parts) => block("tableCell", attrs, blocks(parts));
export const head = (attrs, ...parts) => block("tableHeader", attrs, blocks(parts));
export const details = (summary, ...parts) =>
  block("details", undefined, [
    block("detailsSummary", undefined, inline([summary])),
    block("detailsContent", undefined, blocks(parts)),
  ]);
