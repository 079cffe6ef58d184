// Random documents that Markdown can hold, as JSON of the schema `rich`.
const WORDS = ["tea", "snake_case", "2 * 3", "a*b*c", "[x]", "<b>", "&amp;", "C:\\dir", "# no", "1. no", "- no", "~~", "`", "|", "$5", "!", "![", "]( ", "http://a.b", "茶。", "注意：", "不要", "第3天", "😀", "é", "_", "**", "+", "=", "---", ":", "[^1]", "(c)", "\\"];

const text = (value, marks) => ({ type: "text", text: value, ...(marks?.length ? { marks: marks.map((type) => (typeof type === "string" ? { type } : type)) } : {}) });
const LINK = { type: "link", attrs: { href: "https://example.com/a_(b)?c=d&e", target: "_blank", rel: "noopener noreferrer nofollow", class: null, title: 'T "q"' } };

export function randomBlocks(random, most = 7) {
  const words = () => random.times(1, 4, () => random.pick(WORDS)).join(random.pick([" ", "", " "])).trim() || "x";

  function inline(depth = 0) {
    const parts = random.times(1, 5, () => {
      if (random.chance(0.08)) return { type: "hardBreak" };
      if (random.chance(0.06)) return { type: "mention", attrs: { id: `u${random.below(9)}`, label: random.pick(["Ann", 'A "B" <C>', "王"]), mentionSuggestionChar: "@" } };
      if (random.chance(0.06)) return { type: "inlineMath", attrs: { latex: random.pick(["a_1", "x^2 + \\frac{1}{2}", "\\$"]) } };
      if (random.chance(0.06)) return { type: "image", attrs: { src: "a b.png", alt: "A [b]", title: null, width: null, height: null } };
      if (random.chance(0.1)) return text(random.pick(["x", "a`b", "``", "a  b", "<b>", "第一"]), ["code"]);
      const marks = ["bold", "italic", "strike", "underline", LINK].filter(() => random.chance(0.2));
      return text(words() + (random.chance(0.6) && marks.length === 0 ? " " : ""), marks);
    });
    // No break at an end, none beside a space; nothing of Markdown sees them.
    const joined = [];
    for (const part of parts) {
      const last = joined.at(-1);
      if (part.type === "hardBreak" && (!last || last.type === "hardBreak")) continue;
      // `$a$$b$` is one formula.
      if (part.type === "inlineMath" && last?.type === "inlineMath") continue;
      if (last?.type === "text" && part.type === "text" && JSON.stringify(last.marks) === JSON.stringify(part.marks)) last.text += part.text;
      else joined.push({ ...part });
    }
    while (joined.at(-1)?.type === "hardBreak") joined.pop();
    joined.forEach((part, at) => {
      if (part.type !== "text" || part.marks?.some(({ type }) => type === "code")) return;
      if (!joined[at - 1] || joined[at - 1].type === "hardBreak") part.text = part.text.trimStart() || "x";
      if (!joined[at + 1] || joined[at + 1].type === "hardBreak") part.text = part.text.trimEnd() || "x";
      if (depth > 0) part.text = part.text.replaceAll("\n", " ");
    });
    return joined.length > 0 ? joined : [text("x")];
  }

  const paragraph = () => ({ type: "paragraph", attrs: { textAlign: null }, content: inline() });
  const item = (type, attrs, depth) => ({ type, ...(attrs && { attrs }), content: [paragraph(), ...(depth < 2 && random.chance(0.3) ? [random.pick([list, quote, code])(depth + 1)] : [])] });
  const code = () => ({ type: "codeBlock", attrs: { language: random.pick([null, "js", "c++"]) }, content: [text(random.pick(["a", "  b\n\n\tc", "```\nx\n```", "<b>&amp;", "~~~"]))] });
  const quote = (depth = 0) => ({ type: "blockquote", content: random.times(1, 2, () => (depth < 2 && random.chance(0.3) ? list(depth + 1) : paragraph())) });
  function list(depth = 0) {
    const kind = random.below(3);
    if (kind === 0) return { type: "bulletList", content: random.times(1, 3, () => item("listItem", null, depth)) };
    if (kind === 1) return { type: "orderedList", attrs: { start: random.pick([1, 1, 7]), type: null }, content: random.times(1, 3, () => item("listItem", null, depth)) };
    return { type: "taskList", content: random.times(1, 3, () => item("taskItem", { checked: random.chance(0.5) }, depth)) };
  }
  function table() {
    const aligns = random.times(1, 3, () => random.pick([null, "left", "right", "center"]));
    const row = (type) => ({ type: "tableRow", content: aligns.map((align) => ({ type, attrs: { colspan: 1, rowspan: 1, colwidth: null, align }, content: [random.chance(0.1) ? { type: "paragraph", attrs: { textAlign: null } } : paragraph()] })) });
    return { type: "table", content: [row("tableHeader"), ...random.times(0, 2, () => row("tableCell"))] };
  }
  const heading = () => ({ type: "heading", attrs: { textAlign: null, level: 1 + random.below(6) }, content: inline(1).filter(({ type }) => type !== "hardBreak") });
  const details = () => ({ type: "details", attrs: { open: random.chance(0.5) }, content: [{ type: "detailsSummary", content: [text(words().replace(/\s+/g, " "))] }, { type: "detailsContent", content: random.times(1, 2, () => random.pick([paragraph, list, quote])()) }] });
  const kinds = [paragraph, paragraph, paragraph, heading, list, list, table, code, quote, details, () => ({ type: "horizontalRule" }), () => ({ type: "blockMath", attrs: { latex: "x^2" } }), () => ({ type: "youtube", attrs: { src: "https://youtu.be/a?b&c", start: 3, width: 640, height: 480 } })];
  return random.times(1, most, () => random.pick(kinds)());
}
