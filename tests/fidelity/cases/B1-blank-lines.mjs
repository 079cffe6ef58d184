// B1: blank lines between paragraphs of the content are separators.
import { bold, br, h, li, ol, p, pre, quote, table, tasks, td, todo, done, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B1");

const a = (t) => t("The pot is warm.", "壶是温的。");
const b = (t) => t("The leaves are in.", "茶叶放好了。");
const a2 = (t) => t("The pot is very warm.", "壶很温热。");
const b2 = (t) => t("All leaves are in.", "茶叶全放好了。");
const c = (t) => t("Then comes the water.", "然后倒水。");

const GAPS = {
  "one blank line": "\n\n",
  "two blank lines": "\n\n\n",
  "a blank line with spaces": "\n  \n",
  CRLF: "\r\n\r\n",
};
add("two paragraphs", ["article", "quoted", "twins"], (t) =>
  Object.entries(GAPS).map(([form, gap]) => ({
    form,
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b2(t))],
    lines: [1, 2],
    content: a2(t) + gap + b2(t),
  })),
);

add("one paragraph becomes three", ["article", "last", "deep"], (t) => ({
  before: [p(a(t))],
  after: [p(a2(t)), p(b(t)), p(c(t))],
  lines: [1],
  content: [a2(t), b(t), c(t)].join("\n\n"),
}));

const HOLDERS = {
  items: (...texts) => [ul(texts.map((text) => li(text)))],
  numbers: (...texts) => [ol(texts.map((text) => li(text)))],
  tasks: (...texts) => [tasks(texts.map((text) => todo(text)))],
  "cells of a row": (...texts) => [table(tr(texts.map((text) => td(text))))],
  "paragraphs of a quotation": (...texts) => [quote(texts.map((text) => p(text)))],
};
for (const [name, hold] of Object.entries(HOLDERS)) {
  add(name, ["article", "report"], (t) => ({
    before: hold(a(t), b(t), c(t)),
    after: hold(a2(t), b2(t), c(t)),
    lines: [1, 2],
    content: `${a2(t)}\n\n${b2(t)}`,
  }));
}

add("items with signs", ["article", "minutes"], (t) =>
  [
    {
      form: "bullets",
      before: HOLDERS.items(a(t), b(t)),
      after: HOLDERS.items(a2(t), b2(t)),
      content: `- ${a2(t)}\n\n- ${b2(t)}`,
    },
    {
      form: "numbers",
      before: HOLDERS.numbers(a(t), b(t)),
      after: HOLDERS.numbers(a2(t), b2(t)),
      content: `1. ${a2(t)}\n\n2. ${b2(t)}`,
    },
    {
      form: "tasks",
      before: [tasks(todo(a(t)), done(b(t)))],
      after: [tasks(todo(a2(t)), done(b2(t)))],
      content: `- [ ] ${a2(t)}\n\n- [x] ${b2(t)}`,
    },
  ].map((rule) => ({ ...rule, lines: [1, 2] })),
);

add("around Markdown headings", ["deep", "last", "first"], (t) => {
  const before = [h(3, t("Old", "旧")), p(a(t))];
  return [
    {
      form: "heading and paragraph",
      before,
      after: [h(3, t("New", "新")), p(a2(t))],
      lines: [1, 2],
      content: `### ${t("New", "新")}\n\n${a2(t)}`,
    },
    {
      form: "two headings",
      before,
      after: [h(3, t("New", "新")), p(a2(t)), h(4, t("Then", "然后")), p(b(t))],
      lines: [1, 2],
      content: `### ${t("New", "新")}\n\n${a2(t)}\n\n#### ${t("Then", "然后")}\n\n${b(t)}`,
    },
    {
      form: "and a list",
      before,
      after: [h(3, t("New", "新")), p(a2(t)), ul(li(b(t)), li(c(t)))],
      lines: [1, 2],
      content: `### ${t("New", "新")}\n\n${a2(t)}\n\n- ${b(t)}\n- ${c(t)}`,
    },
  ];
});

add("at the ends of the content", ["article", "quoted"], (t) =>
  [
    { form: "after", content: `${a2(t)}\n` },
    { form: "before", content: `\n${a2(t)}` },
    { form: "both", content: `\n\n${a2(t)}\n\n` },
    { form: "CRLF after", content: `${a2(t)}\r\n` },
  ].map((rule) => ({ ...rule, before: [p(a(t)), p(b(t))], after: [p(a2(t)), p(b(t))], lines: [1] })),
);

add("an empty paragraph that is there stays", ["article", "quoted"], (t) => ({
  before: [p(a(t)), p(), p(b(t))],
  after: [p(a2(t)), p(), p(b2(t))],
  lines: [1, 3],
  content: `${a2(t)}\n\n${b2(t)}`,
}));

add("blank lines in code stay", ["article", "last"], (t) => ({
  before: [pre("js", `one();\n\ntwo(); // ${t("pour", "倒")}`)],
  after: [pre("js", `one();\n\n\nthree(); // ${t("pour", "倒")}`)],
  lines: [1, 3],
  content: `one();\n\n\nthree(); // ${t("pour", "倒")}`,
}));

add("HTML with blank lines between blocks", ["article", "report"], (t) => ({
  before: [p(a(t)), p(b(t))],
  after: [p(a2(t)), ul(li(b2(t)), li(c(t)))],
  lines: [1, 2],
  content: `<p>${a2(t)}</p>\n\n<ul>\n\n  <li>${b2(t)}</li>\n\n  <li>${c(t)}</li>\n\n</ul>\n`,
}));

add("Markdown with marks", ["article", "deep"], (t) => ({
  before: [p(a(t)), p(b(t))],
  after: [p(t("It is ", "它"), bold(t("hot", "很烫")), t(".", "。")), p(b2(t))],
  lines: [1, 2],
  content: `${t("It is ", "它")}**${t("hot", "很烫")}**${t(".", "。")}\n\n${b2(t)}`,
}));

add("lines of a paragraph with hard breaks", ["article"], (t) => ({
  before: [p(a(t), br, b(t))],
  anyOf: [[p(a2(t), br, b2(t))], [p(a2(t)), p(b2(t))]],
  lines: [1, 2],
  content: `${a2(t)}\n\n${b2(t)}`,
}));

add("sections", ["chapters", "last"], (t) => ({
  before: [h(2, t("Steps", "步骤")), p(a(t))],
  after: [h(2, t("Steps", "步骤")), p(a2(t)), p(b(t))],
  call: ({ section }) => ({ operation: "replace", sectionIndex: section, content: `${a2(t)}\n\n${b(t)}` }),
}));

export default cases;
