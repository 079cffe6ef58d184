// B4: entities and escapes are decoded where the content plainly is escaped, and left alone where they are meant.
import { bold, code, h, li, p, pre, table, td, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B4");

const old = (t) => p(t("Take milk.", "加牛奶。"));

const PLAIN = {
  "&amp;": ["&amp;", "&"],
  "&lt; and &gt;": ["5 &lt; 7 &gt; 3", "5 < 7 > 3"],
  "&quot;": ["&quot;tea&quot;", '"tea"'],
  "&#39;": ["Ann&#39;s", "Ann's"],
  "&#x27;": ["Ann&#x27;s", "Ann's"],
  "&nbsp;": ["20&nbsp;°C", "20\u00A0°C"],
  "&mdash;": ["tea &mdash; milk", "tea — milk"],
  "&hellip;": ["tea&hellip;", "tea…"],
  "\\u2019": ["Ann\\u2019s", "Ann’s"],
  '\\"': ['the \\"best\\" tea', 'the "best" tea'],
};
for (const [name, [written, meant]] of Object.entries(PLAIN)) {
  add(`${name} in a line`, ["article", "quoted", "report"], (t) => [
    {
      form: "paragraph",
      before: [old(t)],
      after: [p(t(`Take ${meant} now.`, `请加 ${meant} 。`))],
      lines: [1],
      content: t(`Take ${written} now.`, `请加 ${written} 。`),
    },
    {
      form: "item",
      before: [ul(li(t("Take milk.", "加牛奶。")), li("x"))],
      after: [ul(li(t(`Take ${meant} now.`, `请加 ${meant} 。`)), li("x"))],
      lines: [1],
      content: t(`Take ${written} now.`, `请加 ${written} 。`),
    },
  ]);
}

add("entities in HTML", ["article", "last"], (t) => ({
  before: [old(t)],
  after: [p(t("Milk & ", "牛奶 & "), bold("5 < 7"), "\u00A0°C")],
  lines: [1],
  content: `<p>${t("Milk", "牛奶")} &amp; <strong>5 &lt; 7</strong>&nbsp;°C</p>`,
}));

add("entities in other places", ["chapters"], (t) => [
  {
    form: "title",
    before: [h(2, t("Drinks", "饮品")), old(t)],
    after: [h(2, t("Milk & tea", "牛奶 & 茶")), old(t)],
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      title: t("Milk &amp; tea", "牛奶 &amp; 茶"),
      content: `<p>${t("Take milk.", "加牛奶。")}</p>`,
    }),
  },
  {
    form: "new text",
    before: [h(2, t("Drinks", "饮品")), p(t("Take oolong.", "来点乌龙。"))],
    after: [h(2, t("Drinks", "饮品")), p(t("Take oolong & milk.", "来点乌龙 & 奶。"))],
    call: { operation: "replace_text", old: t("oolong", "乌龙"), new: t("oolong &amp; milk", "乌龙 &amp; 奶") },
  },
  {
    form: "section as text",
    before: [h(2, t("Drinks", "饮品")), old(t)],
    after: [h(2, t("Drinks", "饮品")), p(t("Milk & sugar.", "牛奶 & 糖。"))],
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      content: t("Milk &amp; sugar.", "牛奶 &amp; 糖。"),
    }),
  },
]);

const one = (t) => t("Warm the pot.", "温壶。");
const two = (t) => t("Pour the tea.", "倒茶。");
add("\\n between lines", ["article", "quoted", "twins"], (t) => [
  {
    form: "two paragraphs",
    before: [old(t)],
    after: [p(one(t)), p(two(t))],
    lines: [1],
    content: `${one(t)}\\n${two(t)}`,
  },
  {
    form: "a blank line",
    before: [old(t)],
    after: [p(one(t)), p(two(t))],
    lines: [1],
    content: `${one(t)}\\n\\n${two(t)}`,
  },
  {
    form: "two lines for two",
    before: [old(t), p("x")],
    after: [p(one(t)), p(two(t))],
    lines: [1, 2],
    content: `${one(t)}\\n${two(t)}`,
  },
  { form: "at the end", before: [old(t)], after: [p(one(t))], lines: [1], content: `${one(t)}\\n` },
  {
    form: "items",
    before: [ul(li("x"), li("y"))],
    after: [ul(li(one(t)), li(two(t)))],
    lines: [1, 2],
    content: `- ${one(t)}\\n- ${two(t)}`,
  },
]);
add("\\n between HTML blocks", ["article", "report"], (t) => ({
  before: [old(t)],
  after: [p(one(t)), p(two(t))],
  lines: [1],
  content: `<p>${one(t)}</p>\\n<p>${two(t)}</p>`,
}));
add('\\" in attributes', ["article", "last"], (t) => ({
  before: [old(t)],
  after: [p({ type: "text", text: one(t), marks: [{ type: "link", attrs: { href: "https://example.com/p" } }] })],
  lines: [1],
  content: `<p><a href=\\"https://example.com/p\\">${one(t)}</a></p>`,
}));

// What is meant stays.

add("escapes in code stay", ["article", "report"], (t) => [
  {
    form: "entity",
    before: [pre("html", `<b>x</b>\n<!-- ${t("end", "完")} -->`)],
    after: [pre("html", `<b>a &amp; b</b>\n<!-- ${t("end", "完")} -->`)],
    lines: [1],
    content: "<b>a &amp; b</b>",
  },
  {
    form: "\\n",
    before: [pre("js", `print("x");\n// ${t("end", "完")}`)],
    after: [pre("js", `print("a\\nb");\n// ${t("end", "完")}`)],
    lines: [1],
    content: 'print("a\\nb");',
  },
  {
    form: "quotes",
    before: [pre("js", `print("x");\n// ${t("end", "完")}`)],
    after: [pre("js", `print("\\"x\\"");\n// ${t("end", "完")}`)],
    lines: [1],
    content: 'print("\\"x\\"");',
  },
]);
add("backslashes that are meant stay", ["article", "twins"], (t) =>
  [
    ["path", "C:\\new\\teas"],
    ["share", "\\\\server\\notes"],
    ["regex", "\\d+\\w*"],
    ["latex", "\\frac{1}{2}"],
  ].map(([form, text]) => ({
    form,
    before: [old(t)],
    after: [p(t(`Look at ${text} first.`, `先看 ${text} 吧。`))],
    lines: [1],
    content: t(`Look at ${text} first.`, `先看 ${text} 吧。`),
  })),
);
add("an entity that is explained stays", ["article"], (t) => ({
  before: [p(t("Write ", "请写 "), code("&amp;"), t(" for it.", " 。"))],
  after: [p(t("Always write ", "请总是写 "), code("&amp;"), t(" for it.", " 。"))],
  lines: [1],
  content: t("Always write &amp; for it.", "请总是写 &amp; 。"),
}));
add("lone ampersands stay", ["article", "quoted"], (t) =>
  ["AT&T", "Q&A", "a&b;c", "R&D &more"].map((text, index) => ({
    form: ["AT&T", "Q&A", "a&b;c", "&more"][index],
    before: [old(t)],
    after: [p(t(`Ask ${text} now.`, `去问 ${text} 。`))],
    lines: [1],
    content: t(`Ask ${text} now.`, `去问 ${text} 。`),
  })),
);

export default cases;
