// E1: lines with few signs are blocks, in ranges, sections and whole documents alike; signs say what kind of list it is.
import { bold, code, done, h, head, hr, img, italic, li, link, ol, p, pre, quote, table, tasks, td, th, todo, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add, whole } = collector("E1");

const SITE = { href: "https://example.com/tea", title: "Tea" };
const steps = (t) => [t("Warm the pot.", "温壶。"), t("Pour the water.", "倒水。")];
const words = (t) => [t("Read ", "先读"), link(SITE, t("the manual", "手册")), t(" first.", "。")];
const text = (t) => t("Read the manual first.", "先读手册。");

const BLOCKS = {
  "a list below text": (t) => ["- ", [p(t("Steps", "步骤")), ul(steps(t).slice(0, 1).map((one) => li(one)))]],
  "a number below text": (t) => ["1. ", [p(t("Steps", "步骤")), ol(steps(t).slice(0, 1).map((one) => li(one)))]],
  "a quotation below text": (t) => ["> ", [p(t("Steps", "步骤")), quote(p(steps(t)[0]))]],
};
for (const [name, make] of Object.entries(BLOCKS)) {
  add(name, ["article", "chapters"], (t) => {
    const [sign, blocks] = make(t);
    const content = `${t("Steps", "步骤")}\n${sign}${steps(t)[0]}`;
    return [
      { form: "lines", before: [p("x"), p("y")], after: blocks, lines: [1, 2], content },
      {
        form: "section",
        before: [h(2, t("Note", "注")), p("x"), h(2, t("Next", "后"))],
        after: [h(2, t("Note", "注")), ...blocks, h(2, t("Next", "后"))],
        call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
      },
    ];
  });
  whole(`${name}, whole document`, (t) => {
    const [sign, blocks] = make(t);
    const content = `${t("Steps", "步骤")}\n${sign}${steps(t)[0]}`;
    return { before: [p("x"), p("y")], after: blocks, call: { operation: "replace_lines", edits: [{ content }], whole: true } };
  });
}

add("lines of a section are blocks", ["article", "chapters"], (t) => ({
  before: [h(2, t("Note", "注")), p(words(t)), p("x"), h(2, t("Next", "后"))],
  after: [h(2, t("Note", "注")), p(words(t)), p(t("It is ", "它"), bold(t("hot", "很烫")), t(".", "。")), h(2, t("Next", "后"))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: `${text(t)}\n${t("It is **hot**.", "它**很烫**。")}`,
  }),
}));

add("a rule below text", ["article", "last"], (t) => ({
  before: [p("x"), p("y")],
  after: [p(steps(t)[0]), hr(), p(steps(t)[1])],
  lines: [1, 2],
  content: steps(t).join("\n---\n"),
}));

const KINDS = {
  bullets: [(i) => "- ", (...items) => ul(items.map((item) => li(item)))],
  numbers: [(i) => `${i + 1}. `, (...items) => ol(items.map((item) => li(item)))],
  tasks: [(i) => "- [ ] ", (...items) => tasks(items.map((item) => todo(item)))],
};
for (const [from, [, make]] of Object.entries(KINDS)) {
  for (const [to, [sign, other]] of Object.entries(KINDS).filter(([name]) => name !== from)) {
    add(`${from} become ${to}`, ["article", "report"], (t) => ({
      before: [make(p(words(t)), p(steps(t)[0]))],
      after: [other(p(words(t)), p(steps(t)[0]))],
      lines: [1, 2],
      content: [text(t), steps(t)[0]].map((line, index) => sign(index) + line).join("\n"),
    }));
  }
}

add("one item with another sign stays an item of its list", ["article", "report"], (t) => ({
  before: [ol(li(steps(t)[0]), li(p(words(t))))],
  after: [ol(li(steps(t)[1]), li(p(words(t))))],
  lines: [1],
  content: `- ${steps(t)[1]}`,
}));

add("items of a numbered list are shown two columns in", ["article", "chapters"], (t) => ({
  before: [p("x")],
  after: [ol(li(p(steps(t)[0]), ul(li(steps(t)[1]))), li(bold(t("Wait", "等待"))))],
  lines: [1],
  content: `1. ${steps(t)[0]}\n  - ${steps(t)[1]}\n2. **${t("Wait", "等待")}**`,
}));

const green = (t) => bold(t("Green", "绿茶"));
const black = (t) => link(SITE, t("Black", "红茶"));
const heads = (t) => tr(th(t("Name", "名称")), th(t("Price", "价格")));
const names = (t) => [t("Green", "绿茶"), t("Black", "红茶")];
add("a table becomes a list", ["article", "report"], (t) => ({
  before: [table(heads(t), tr(td(green(t)), td("3")), tr(td(black(t)), td("5")))],
  after: [ul(li(p(green(t))), li(p(black(t))))],
  lines: [1, 6],
  content: names(t)
    .map((name) => `- ${name}`)
    .join("\n"),
}));

add("rows are sorted", ["article", "report"], (t) => {
  const rows = [tr(td(green(t)), td("3")), tr(td(black(t)), td(italic("5"))), tr(td("x"), td("7"))];
  const texts = [`| ${names(t)[0]} | 3 |`, `| ${names(t)[1]} | 5 |`, "| x | 7 |"];
  const sorted = [2, 0, 1];
  const [of, ofTexts] = [sorted.map((at) => rows[at]), sorted.map((at) => texts[at]).join("\n")];
  return [
    { form: "rows", before: [table(heads(t), rows)], after: [table(heads(t), of)], lines: [3, 8], content: ofTexts },
    {
      form: "table",
      before: [table(heads(t), rows)],
      after: [table(heads(t), of)],
      lines: [1, 8],
      content: `| ${t("Name", "名称")} | ${t("Price", "价格")} |\n|---|---|\n${ofTexts}`,
    },
  ];
});

add("columns are swapped", ["article", "report"], (t) => ({
  before: [table(heads(t), tr(td(green(t)), td("3")), tr(td(black(t)), td(italic("5"))))],
  after: [
    table(
      tr(th(t("Price", "价格")), th(t("Name", "名称"))),
      tr(td("3"), td(green(t))),
      tr(td(italic("5")), td(black(t))),
    ),
  ],
  lines: [1, 6],
  content: `| ${t("Price", "价格")} | ${t("Name", "名称")} |\n|---|---|\n| 3 | ${names(t)[0]} |\n| 5 | ${names(t)[1]} |`,
}));

add("cells as they are shown, for more rows", ["article", "report"], (t) => {
  const before = [table(heads(t), tr(td(green(t)), td("3")))];
  const after = (price) => [table(heads(t), tr(td(green(t)), td("3")), tr(td("x"), td(price)))];
  return [
    { form: "bars", before, after: after("5"), lines: [3, 4], content: `| ${names(t)[0]}\n| 3\n| x\n| 5` },
    { form: "marks", before, after: after(bold("5")), lines: [3, 4], content: `${names(t)[0]}\n3\nx\n**5**` },
  ];
});

add("marks named in the text to find", ["article", "quoted"], (t) => {
  const line = (part) => [p(t("It is ", "它"), part, t(" now.", "了。"))];
  const very = t("very hot", "非常烫");
  const change = (form, from, to, old, replacement) => ({
    form,
    before: line(from),
    after: line(to),
    call: { operation: "replace_text", old, new: replacement },
  });
  const at = (url) => `[${very}](${url})`;
  return [
    change("bold goes", bold(very), very, `**${very}**`, very),
    change("bold becomes italic", bold(very), italic(very), `**${very}**`, `*${very}*`),
    change("tag goes", bold(very), very, `<strong>${very}</strong>`, very),
    change("code goes", code(very), very, `\`${very}\``, very),
    change("link goes", link(SITE, very), very, at(SITE.href), very),
    change("link stays", link(SITE, very), link(SITE, t("hot", "烫")), at(SITE.href), `[${t("hot", "烫")}](${SITE.href})`),
  ];
});

add("a line that goes with its end", ["article", "last"], (t) => [
  {
    form: "item",
    before: [ul(li("one"), li(p(words(t))), li("three"))],
    after: [ul(li("one"), li("three"))],
    call: { operation: "replace_text", old: `${text(t)}\n`, new: "" },
  },
  {
    form: "item with sign",
    before: [ol(li("one"), li(p(words(t))), li("three"))],
    after: [ol(li("one"), li("three"))],
    call: { operation: "replace_text", old: `\n2. ${text(t)}`, new: "" },
  },
]);

add("an image moves", ["article", "report"], (t) => {
  const picture = img("https://example.com/pot.png", { alt: t("A pot", "茶壶"), title: t("Our pot", "我们的壶") });
  const given = `![${t("A pot", "茶壶")}](https://example.com/pot.png)`;
  const [one, two] = steps(t);
  return [
    {
      form: "in the range",
      before: [p(one), picture, p(two)],
      after: [p(two), picture, p(one)],
      lines: [1, 3],
      content: `${two}\n\n${given}\n\n${one}`,
    },
    {
      form: "by two edits",
      before: [picture, p(one), p(two)],
      after: [p(one), p(two), picture],
      edits: [
        { lines: [1], content: "" },
        { lines: [3], content: `${two}\n\n${given}` },
      ],
    },
  ];
});

add("a fence around a document that has code", ["article", "chapters"], (t) => ({
  before: [h(2, t("Note", "注")), p("x"), h(2, t("Next", "后"))],
  after: [h(2, t("Note", "注")), p(steps(t)[0]), pre("js", "boil()"), p(steps(t)[1]), h(2, t("Next", "后"))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: `\`\`\`\n${steps(t)[0]}\n\n\`\`\`js\nboil()\n\`\`\`\n\n${steps(t)[1]}\n\`\`\``,
  }),
}));

add("tasks change places", ["article", "report"], (t) => ({
  before: [tasks(done(p(words(t))), todo(steps(t)[0]))],
  after: [tasks(done(steps(t)[0]), todo(p(words(t))))],
  lines: [1, 2],
  content: `- [x] ${steps(t)[0]}\n- [ ] ${text(t)}`,
}));

add("a comment in code may say other", ["article"], (t) => ({
  before: [pre("js", "boil();\n// the pot\npour();")],
  after: [pre("js", "boil();\n// use the existing pot\npour();")],
  lines: [2],
  content: "// use the existing pot",
}));

export default cases;
