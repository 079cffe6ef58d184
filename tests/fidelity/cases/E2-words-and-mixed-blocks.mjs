// E2: marks stay on the words that have them, wherever these stand; ranges over several kinds of blocks are read by the
// signs of their lines, as a list or a table alone is.
import { bold, br, code, done, h, italic, li, link, ol, p, pre, quote, table, tasks, td, th, todo, tr, ul, underline } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add, whole } = collector("E2");

const SHOP = { href: "https://shop.example/tea", title: "Shop" };
const MAP = { href: "https://map.example/" };
const shop = (t) => link(SHOP, t("the shop", "商店"));
const map = (t) => link(MAP, t("the map", "地图"));

// Words with marks of their own.
const LINES = {
  "a phrase that moves": (t) => [
    [t("Bring cash or ", "现金或"), bold(t("vouchers", "代金券")), t(".", "。")],
    [t("Bring ", ""), bold(t("vouchers", "代金券")), t(", cheques or cash.", "、支票或现金。")],
  ],
  "two phrases that change places": (t) => [
    [t("Open ", "先看"), shop(t), t(", and then read ", "，再看"), map(t), t(".", "。")],
    [t("Open ", "先看"), map(t), t(", and then read ", "，再看"), shop(t), t(".", "。")],
  ],
  "words added behind a phrase": (t) => [
    [t("We serve ", "我们有"), bold(t("tea", "茶")), t(".", "。")],
    [t("We serve ", "我们有"), bold(t("tea", "茶")), t(" and small cakes.", "和小蛋糕。")],
  ],
  "words added before a phrase": (t) => [
    [italic(t("Autumn", "秋天")), t(" is the best time.", "最好。")],
    [t("Late ", "晚"), italic(t("Autumn", "秋天")), t(" is the best time.", "最好。")],
  ],
  "a number in the place of another": (t) => [
    [t("It costs ", "价格"), bold("20"), t(" euros today.", "欧元。")],
    [t("It costs ", "价格"), bold("25"), t(" euros today.", "欧元。")],
  ],
};
const plain = (parts) => parts.map((part) => (typeof part === "string" ? part : textOf(part))).join("");
const textOf = (part) => (Array.isArray(part) ? part.map(textOf).join("") : (part.text ?? (part.content ?? []).map(textOf).join("")));
for (const [name, make] of Object.entries(LINES)) {
  add(name, ["article", "quoted", "last"], (t) => {
    const [from, to] = make(t);
    return { before: [p(from)], after: [p(to)], lines: [1], content: plain(to) };
  });
}

add("new words have the marks that the line states", ["article", "report"], (t) => {
  const soon = t(" (from May)", "（五月起）");
  return [
    {
      form: "bold",
      before: [p(bold(t("Delivery", "配送")), t(" is free.", "免费。"))],
      after: [p(bold(t("Delivery", "配送")), soon, t(" is free.", "免费。"))],
      lines: [1],
      content: `**${t("Delivery", "配送")}**${soon}${t(" is free.", "免费。")}`,
    },
    {
      form: "link",
      before: [p(t("By post or ", "邮寄或"), map(t), t(".", "。"))],
      after: [p(t("By post, ", "邮寄、"), map(t), t(" or courier.", "或快递。"))],
      lines: [1],
      content: `${t("By post, ", "邮寄、")}[${t("the map", "地图")}](${MAP.href})${t(" or courier.", "或快递。")}`,
    },
  ];
});

add("items made of sentences take their phrases along", ["article", "last"], (t) => ({
  before: [p(t("Warm ", "温"), shop(t), t(". Pour ", "。倒"), bold(t("slowly", "慢慢")), t(". Wait.", "。等。"))],
  after: [
    ul(
      li(p(t("Warm ", "温"), shop(t), t(".", "。"))),
      li(p(t("Pour ", "倒"), bold(t("slowly", "慢慢")), t(".", "。"))),
      li(p(t("Wait.", "等。"))),
    ),
  ],
  lines: [1],
  content: t("- Warm the shop.\n- Pour slowly.\n- Wait.", "- 温商店。\n- 倒慢慢。\n- 等。"),
}));

const added = (t) => t("A note between them.", "中间的说明。");
whole("a new paragraph has no marks of the one behind it", (t) => ({
  before: [p(t("Begin.", "开始。")), p(t("Ask ", "问"), map(t), t(" for ", "，"), bold(t("help", "帮助")), t(".", "。"))],
  after: [
    p(t("Begin.", "开始。")),
    p(added(t)),
    p(t("Ask ", "问"), map(t), t(" for ", "，"), bold(t("help", "帮助")), t(".", "。")),
  ],
  call: {
    operation: "replace_lines",
    edits: [
      {
        content: `${t("Begin.", "开始。")}\n\n${added(t)}\n\n${t("Ask ", "问")}[${t("the map", "地图")}](${MAP.href})${t(" for ", "，")}**${t("help", "帮助")}**${t(".", "。")}`,
      },
    ],
  },
}));

// Lists beside other blocks.
const names = (t) => [t("Apples", "苹果"), t("Bread", "面包"), t("Cheese", "奶酪")];
const title = (t) => h(3, t("To buy", "采购"));
const list = (...items) => ul(items.map((item) => li(item)));
const MIXED = {
  "items reordered below their title": (t, [a, b, c]) => [list(a, b, c), list(c, a, b), `- ${c}\n- ${a}\n- ${b}`],
  "a first item below its title": (t, [a, b, c]) => [list(b, c), list(a, b, c), `- ${a}\n- ${b}\n- ${c}`],
  "an item moved in below its title": (t, [a, b]) => [list(a, b), ul(li(p(a), list(b))), `- ${a}\n  - ${b}`],
  "four columns of indent below a title": (t, [a, b]) => [list(a, b), ul(li(p(a), list(b))), `- ${a}\n    - ${b}`],
  "an inner item more below a title": (t, [a, b, c]) => [
    ul(li(p(a), list(b))),
    ul(li(p(a), list(c, b))),
    `- ${a}\n  - ${c}\n  - ${b}`,
  ],
  "an outer item behind an inner one": (t, [a, b, c]) => [
    ul(li(p(a), list(b))),
    ul(li(p(a), list(b)), li(p(c))),
    `- ${a}\n  - ${b}\n- ${c}`,
  ],
};
for (const [name, make] of Object.entries(MIXED)) {
  add(name, ["article", "report"], (t) => {
    const [from, to, content] = make(t, names(t));
    const count = (node) => (node.content ?? []).reduce((sum, child) => sum + count(child), node.type === "paragraph" ? 1 : 0);
    const lines = [1, 1 + count(from)];
    return { before: [title(t), from], after: [title(t), to], lines, content: `### ${t("To buy", "采购")}\n\n${content}` };
  });
}

add("four columns of indent in a list alone", ["article", "last"], (t) => {
  const [a, b, c] = names(t);
  return {
    before: [ul(li(p(a), list(b)))],
    after: [ul(li(p(a), list(b, c)))],
    lines: [1, 2],
    content: `- ${a}\n    - ${b}\n    - ${c}`,
  };
});

const closing = (t) => t("That is all.", "就这些。");
add("a paragraph behind a list", ["article", "report"], (t) => {
  const [a, b, c] = names(t);
  return [
    { form: "new", before: [list(a, b)], after: [list(a, b), p(closing(t))], lines: [1, 2], content: `- ${a}\n- ${b}\n\n${closing(t)}` },
    {
      form: "old",
      before: [list(a, b), p("x")],
      after: [list(a, b, c), p(closing(t))],
      lines: [2, 3],
      content: `- ${b}\n- ${c}\n\n${closing(t)}`,
    },
  ];
});
whole("a paragraph behind a quotation", (t) => ({
  before: [quote(p("x")), p("y")],
  after: [quote(p("x")), p(closing(t)), p("y")],
  call: { operation: "replace_lines", edits: [{ content: `> x\n\n${closing(t)}\n\ny` }] },
}));

add("ticks below a title", ["article", "report"], (t) => {
  const [a, b] = names(t);
  return {
    before: [title(t), tasks(todo(p(a, " ", bold("x"))), todo(b))],
    after: [title(t), tasks(done(p(a, " ", bold("x"))), todo(b))],
    lines: [1, 3],
    content: `### ${t("To buy", "采购")}\n\n- [x] ${a} **x**\n- [ ] ${b}`,
  };
});

add("an inner task ticked by its text", ["article", "report"], (t) => {
  const [a, b, c] = names(t);
  return {
    before: [tasks(todo(p(a), tasks(todo(b), todo(c))))],
    after: [tasks(todo(p(a), tasks(todo(b), done(c))))],
    call: { operation: "replace_text", old: `- [ ] ${c}`, new: `- [x] ${c}` },
  };
});

add("an inner item more by its text", ["article", "report"], (t) => {
  const [a, b, c] = names(t);
  return {
    before: [ul(li(p(a), list(b)))],
    after: [ul(li(p(a), list(b, c)))],
    call: { operation: "replace_text", old: `- ${b}`, new: `- ${b}\n- ${c}` },
  };
});

add("blocks in the place of a paragraph found by its text", ["article", "last"], (t) => ({
  before: [p(t("Only a draft.", "只是草稿。"))],
  after: [p(t("Only a draft.", "只是草稿。")), h(3, t("Sources", "来源")), p(t("None yet.", "还没有。"))],
  call: {
    operation: "replace_text",
    old: t("Only a draft.", "只是草稿。"),
    new: t("Only a draft.\n\n### Sources\n\nNone yet.", "只是草稿。\n\n### 来源\n\n还没有。"),
  },
}));

// Tables beside other blocks, and rows as a model writes them.
const price = (t) => tr(th(t("Name", "名称")), th(t("Price", "价格")));
const leaf = (t) => tr(td(bold(t("Leaf", "叶"))), td("4"));
const cells = (t) => [t("Name", "名称"), t("Price", "价格"), t("Leaf", "叶"), "4"];
add("cells as they are shown, with a title behind them", ["article", "report"], (t) => ({
  before: [table(price(t), leaf(t)), h(2, t("Later", "以后"))],
  after: [table(price(t), leaf(t)), h(3, t("Later", "以后"))],
  lines: [1, 5],
  content: `${cells(t)
    .map((cell) => `| ${cell}`)
    .join("\n")}\n### ${t("Later", "以后")}`,
}));
add("rows with a paragraph behind them", ["article", "report"], (t) => ({
  before: [table(price(t), leaf(t)), p("x")],
  after: [table(price(t), leaf(t), tr(td("y"), td("5"))), p(closing(t))],
  lines: [3, 5],
  content: `| ${t("Leaf", "叶")} | 4 |\n| y | 5 |\n\n${closing(t)}`,
}));
add("a column more beside marks", ["article", "report"], (t) => ({
  before: [table(price(t), leaf(t))],
  after: [table(tr(th(t("Name", "名称")), th("n"), th(t("Price", "价格"))), tr(td(bold(t("Leaf", "叶"))), td("1"), td("4")))],
  lines: [1, 4],
  content: `| ${t("Name", "名称")} | n | ${t("Price", "价格")} |\n|---|---|---|\n| **${t("Leaf", "叶")}** | 1 | 4 |`,
}));
add("a row whose cell has several lines", ["article", "report"], (t) => {
  const after = [table(tr(td("a"), td("b")), tr(td("x"), td("y")))];
  return [
    { form: "paragraphs", before: [table(tr(td(p("a"), p("c")), td("b")), tr(td("x"), td("y")))], after, lines: [1, 3], content: "| a | b |" },
    { form: "break", before: [table(tr(td(p("a", br, "c")), td("b")), tr(td("x"), td("y")))], after, lines: [1, 3], content: "| a | b |" },
  ];
});

// Content that is taken for what it says.
add("a sentence that introduces a list is text", ["article", "last"], (t) => {
  const [a, b] = names(t);
  const intro = t("Here are our rules:", "以下是规则：");
  return { before: [p(intro), list(a)], after: [p(intro), list(a, b)], lines: [1, 2], content: `${intro}\n\n- ${a}\n- ${b}` };
});
whole("lines that repeat others are content", (t) => {
  const [a, b, c] = names(t);
  return {
    before: [h(2, "1"), p(a), p(b), p(c), h(2, "2"), p("x")],
    after: [h(2, "1"), p(a), p(b), p(c), h(2, "2"), p(a), p(b), p(c)],
    call: { operation: "replace_lines", edits: [{ start_line: 6, end_line: 6, content: [a, b, c].join("\n") }] },
  };
});
add("code in backticks in a new section", ["article"], (t) => ({
  before: [p("x")],
  append: [[h(2, t("Tests", "测试")), p(t("Run ", "运行"), code("npm test"), t(" first.", "。"))]],
  call: { operation: "append", title: t("Tests", "测试"), content: `${t("Run ", "运行")}\`npm test\`${t(" first.", "。")}` },
}));
add("Markdown with an inline tag", ["article", "last"], (t) => ({
  before: [p("x")],
  after: [p(bold(t("Bold", "粗")), t(" and ", "和"), underline(t("under", "下")), t(".", "。"))],
  lines: [1],
  content: `**${t("Bold", "粗")}**${t(" and ", "和")}<u>${t("under", "下")}</u>${t(".", "。")}`,
}));
whole("a paragraph behind code", (t) => ({
  before: [pre("sh", "ls"), p("y")],
  after: [pre("sh", "ls"), p(closing(t)), p("y")],
  call: { operation: "replace_lines", edits: [{ content: `\`\`\`sh\nls\n\`\`\`\n\n${closing(t)}\n\ny` }] },
}));
add("breaks at the ends of lines", ["article", "last"], (t) => {
  const [a, b, c] = names(t);
  const before = [p(a, br, b)];
  const after = [p(a, br, c)];
  return [
    { form: "spaces", before, after, lines: [1, 2], content: `${a}  \n${c}` },
    { form: "backslash", before, after, lines: [1, 2], content: `${a}\\\n${c}` },
  ];
});

add("an item inside a numbered list is written three columns in", ["article", "report"], (t) => {
  const [a, b, c] = names(t);
  return {
    before: [ol(li(p(a), p(b)), li(p("x")))],
    after: [ol(li(p(a), p(c)), li(p("x")))],
    lines: [1, 2],
    content: `1. ${a}\n   ${c}`,
  };
});

export default cases;
