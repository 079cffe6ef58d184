// A7: attributes that HTML does not repeat stay where the node is plainly the same; one that is given wins.
import { bold, cell, h, head, highlight, img, li, link, mention, olFrom, p, pre, table, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A7");

const widths = [110, 70];
const row = (kind, ...texts) => tr(texts.map((text, index) => kind({ colwidth: [widths[index]] }, text)));
const priceTable = (t, price) =>
  table(
    row(head, t("Tea", "茶"), t("Price", "价格")),
    row(cell, t("Green", "绿茶"), price),
    row(cell, t("Black", "红茶"), "€ 9"),
  );
const html = (t, price) =>
  `<table><tbody><tr><th>${t("Tea", "茶")}</th><th>${t("Price", "价格")}</th></tr><tr><td>${t("Green", "绿茶")}</td><td>${price}</td></tr><tr><td>${t("Black", "红茶")}</td><td>€ 9</td></tr></tbody></table>`;
const lead = (t) => p(t("In short:", "简而言之："));
const tail = (t) => p(t("That is all.", "就这些。"));

add("column widths when the table is given again", ["article", "last"], (t) => [
  {
    form: "html",
    before: [lead(t), priceTable(t, "€ 12")],
    after: [lead(t), priceTable(t, "€ 13")],
    lines: [2, 7],
    content: html(t, "€ 13"),
  },
  {
    form: "html with p",
    before: [lead(t), priceTable(t, "€ 12")],
    after: [lead(t), priceTable(t, "€ 13")],
    lines: [2, 7],
    content: html(t, "€ 13").replaceAll(/<(t[dh])>(.*?)<\/\1>/g, "<$1><p>$2</p></$1>"),
  },
  {
    form: "markdown",
    before: [lead(t), priceTable(t, "€ 12")],
    after: [lead(t), priceTable(t, "€ 13")],
    lines: [2, 7],
    content: `| ${t("Tea", "茶")} | ${t("Price", "价格")} |\n|---|---|\n| ${t("Green", "绿茶")} | € 13 |\n| ${t("Black", "红茶")} | € 9 |`,
  },
  {
    form: "cell",
    before: [lead(t), priceTable(t, "€ 12")],
    after: [lead(t), priceTable(t, "€ 13")],
    lines: [5],
    content: "<td>€ 13</td>",
  },
  {
    form: "row",
    before: [lead(t), priceTable(t, "€ 12")],
    after: [lead(t), priceTable(t, "€ 13")],
    lines: [4, 5],
    content: `<tr><td>${t("Green", "绿茶")}</td><td>€ 13</td></tr>`,
  },
]);

const SRC = "https://example.com/pot.png";
const pot = (t, attrs = {}) =>
  img(SRC, { alt: t("A pot", "茶壶"), title: t("Our pot", "我们的壶"), width: 320, height: 240, ...attrs });
const images = (t) => [
  [
    "new description",
    `<img src="${SRC}" alt="${t("A brown pot", "棕色茶壶")}">`,
    { alt: t("A brown pot", "棕色茶壶") },
  ],
  ["only the source", `<img src="${SRC}">`, {}],
  ["new width", `<img src="${SRC}" width="500">`, { width: 500 }],
  ["new title", `<img src="${SRC}" title="${t("New", "新")}">`, { title: t("New", "新") }],
  ["empty description", `<img src="${SRC}" alt="">`, { alt: "" }],
  ["markdown", `![${t("A brown pot", "棕色茶壶")}](${SRC})`, { alt: t("A brown pot", "棕色茶壶") }],
];
add("an image", ["article", "report", "quoted"], (t) =>
  images(t).map(([form, content, attrs]) => {
    const after = [lead(t), pot(t, attrs)];
    // An explicit empty value removes an attribute; both ways to hold "none" are fair.
    const rule =
      attrs.alt === ""
        ? { anyOf: [after, [lead(t), pot(t, { alt: null })]] }
        : form === "only the source"
          ? { after, refusalOk: true }
          : { after };
    return { form, before: [lead(t), pot(t)], ...rule, lines: [2], content };
  }),
);

add("an image in a section that is given again", ["chapters", "last"], (t) => {
  const blocks = (word, image) => [h(2, t("The pot", "壶")), p(word), image, tail(t)];
  const [old, fresh] = [t("It is brown.", "它是棕色的。"), t("It is red.", "它是红色的。")];
  return [
    ["html", `<p>${fresh}</p><img src="${SRC}" alt="${t("A pot", "茶壶")}"><p>${t("That is all.", "就这些。")}</p>`],
    ["markdown", `${fresh}\n\n![${t("A pot", "茶壶")}](${SRC})\n\n${t("That is all.", "就这些。")}`],
  ].map(([form, content]) => ({
    form,
    before: blocks(old, pot(t)),
    after: blocks(fresh, pot(t)),
    call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
  }));
});

const LINK = { href: "https://example.com/leaf", target: "_blank", rel: "nofollow", title: "Leaves" };
const sentence = (t, attrs, start = t("Buy ", "买")) =>
  p(start, link(attrs, t("leaves", "茶叶")), t(" first.", "吧。"));
add("a link", ["article", "quoted", "report"], (t) => {
  const text = (start, tag) => `${start}${tag}${t(" first.", "吧。")}`;
  const tag = (attrs = "") => `<a href="${LINK.href}"${attrs}>${t("leaves", "茶叶")}</a>`;
  const start = t("Please buy ", "请买");
  return [
    { form: "p", after: [sentence(t, LINK, start)], content: `<p>${text(start, tag())}</p>` },
    { form: "inline", after: [sentence(t, LINK, start)], content: text(start, tag()) },
    {
      form: "markdown",
      after: [sentence(t, LINK, start)],
      content: text(start, `[${t("leaves", "茶叶")}](${LINK.href})`),
    },
    {
      form: "target is given",
      after: [sentence(t, { ...LINK, target: "_self" }, start)],
      content: `<p>${text(start, tag(' target="_self"'))}</p>`,
    },
    {
      form: "title is given",
      after: [sentence(t, { ...LINK, title: "New" }, start)],
      content: text(start, tag(' title="New"')),
    },
    {
      form: "new words of the link",
      after: [p(t("Buy ", "买"), link(LINK, t("fresh leaves", "新鲜的茶叶")), t(" first.", "吧。"))],
      content: `<p>${t("Buy ", "买")}<a href="${LINK.href}">${t("fresh leaves", "新鲜的茶叶")}</a>${t(" first.", "吧。")}</p>`,
    },
    {
      form: "another URL",
      after: [sentence(t, { ...LINK, href: "https://example.com/tea" })],
      content: `<p>${t("Buy ", "买")}<a href="https://example.com/tea">${t("leaves", "茶叶")}</a>${t(" first.", "吧。")}</p>`,
    },
    {
      form: "another URL in Markdown",
      after: [sentence(t, { ...LINK, href: "https://example.com/tea" }, start)],
      content: text(start, `[${t("leaves", "茶叶")}](https://example.com/tea)`),
    },
    {
      form: "no link any more",
      after: [p(t("Buy leaves first.", "买茶叶吧。"))],
      content: `<p>${t("Buy leaves first.", "买茶叶吧。")}</p>`,
    },
  ].map((rule) => ({ before: [sentence(t, LINK)], lines: [1], ...rule }));
});

add("links in a section that is given again", ["chapters"], (t) => ({
  before: [h(2, t("Shopping", "购物")), sentence(t, LINK), tail(t)],
  after: [h(2, t("Shopping", "购物")), sentence(t, LINK), p(t("That is really all.", "真的就这些。"))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: `<p>${t("Buy ", "买")}<a href="${LINK.href}">${t("leaves", "茶叶")}</a>${t(" first.", "吧。")}</p><p>${t("That is really all.", "真的就这些。")}</p>`,
  }),
}));

const steps = (t, start, first) => olFrom(start, li(first), li(t("Pour.", "倒水。")));
add("the start of a list", ["article", "last"], (t) => {
  const [old, fresh] = [t("Wait.", "等。"), t("Wait a minute.", "等一分钟。")];
  const items = `<li>${fresh}</li><li>${t("Pour.", "倒水。")}</li>`;
  return [
    { form: "html", after: [steps(t, 3, fresh)], content: `<ol>${items}</ol>` },
    {
      form: "html with p",
      after: [steps(t, 3, fresh)],
      content: `<ol><li><p>${fresh}</p></li><li><p>${t("Pour.", "倒水。")}</p></li></ol>`,
    },
    { form: "start is given", after: [steps(t, 5, fresh)], content: `<ol start="5">${items}</ol>` },
    { form: "markdown", after: [steps(t, 3, fresh)], content: `3. ${fresh}\n4. ${t("Pour.", "倒水。")}` },
    { form: "text", after: [steps(t, 3, fresh)], content: `${fresh}\n${t("Pour.", "倒水。")}` },
  ].map((rule) => ({ before: [lead(t), steps(t, 3, old)], lines: [2, 3], ...rule, after: [lead(t), ...rule.after] }));
});

add("the language of code", ["article", "report"], (t) => {
  const [old, fresh] = [`let tea = 1;\n// ${t("pour", "倒")}`, `let tea = 2;\n// ${t("pour", "倒")}`];
  return [
    { form: "pre code", after: [pre("js", fresh)], content: `<pre><code>${fresh}</code></pre>` },
    {
      form: "language is given",
      after: [pre("ts", fresh)],
      content: `<pre><code class="language-ts">${fresh}</code></pre>`,
    },
    { form: "text", after: [pre("js", fresh)], content: fresh },
    { form: "fence without a language", after: [pre("js", fresh)], content: `\`\`\`\n${fresh}\n\`\`\`` },
    { form: "fence", after: [pre("ts", fresh)], content: `\`\`\`ts\n${fresh}\n\`\`\`` },
  ].map((rule) => ({ before: [pre("js", old)], lines: [1, 2], ...rule }));
});

// The team of a mention is in no HTML.
const ANN = { ...mention("u9", "Ann Lee"), attrs: { id: "u9", label: "Ann Lee", team: "tea" } };
add("attributes of a mention that no HTML has", ["article", "quoted"], (t) => {
  const tag = '<span data-mention="u9">@Ann Lee</span>';
  const after = [p(t("Please ask ", "请问"), ANN, " ", bold(t("now", "现在")), t(".", "。"))];
  const text = `${t("Please ask ", "请问")}${tag} <strong>${t("now", "现在")}</strong>${t(".", "。")}`;
  return [
    { form: "p", content: `<p>${text}</p>` },
    { form: "inline", content: text },
  ].map((rule) => ({ before: [p(t("Ask ", "问"), ANN, t(".", "。"))], after, lines: [1], ...rule }));
});

add("the colour of a highlight", ["article"], (t) => ({
  before: [p(t("This is ", "这"), highlight(t("important", "很重要")), t(".", "。"))],
  after: [p(t("All of this is ", "这一切都"), highlight(t("important", "很重要")), t(".", "。"))],
  lines: [1],
  content: `<p>${t("All of this is ", "这一切都")}<mark>${t("important", "很重要")}</mark>${t(".", "。")}</p>`,
}));

add("everything in a section that is given again", ["chapters", "last"], (t) => {
  const blocks = (word) => [
    h(2, t("Everything", "全部")),
    p(word),
    priceTable(t, "€ 12"),
    pot(t),
    steps(t, 3, t("Wait.", "等。")),
    ul(li(sentence(t, LINK))),
  ];
  const content = `<p>${t("New words.", "新的话。")}</p>${html(t, "€ 12")}<img src="${SRC}" alt="${t("A pot", "茶壶")}"><ol><li>${t("Wait.", "等。")}</li><li>${t("Pour.", "倒水。")}</li></ol><ul><li>${t("Buy ", "买")}<a href="${LINK.href}">${t("leaves", "茶叶")}</a>${t(" first.", "吧。")}</li></ul>`;
  return {
    before: blocks(t("Old words.", "旧的话。")),
    after: blocks(t("New words.", "新的话。")),
    careful: true,
    call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
  };
});

export default cases;
