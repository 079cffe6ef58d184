// The classes again in forms that their own files do not have: HTML with attributes, CRLF, tabs, full-width digits and
// punctuation, lists in quotations, tables with spans, tasks in lists, code with bars, images between text.
import {
  bold,
  cell,
  code,
  done,
  h,
  head,
  hr,
  img,
  italic,
  li,
  link,
  ol,
  p,
  pre,
  quote,
  strike,
  table,
  tasks,
  td,
  th,
  todo,
  tr,
  ul,
} from "../builders.mjs";
import { literal, literalInCode } from "../literal.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("forms");

const pot = (t) => t("The pot must be warm before the leaves go in.", "放入茶叶之前，壶必须温热。");
const leaves = (t) => t("Take two spoons of leaves for each guest.", "每位客人取两勺茶叶。");
const wait = (t) => t("Wait for three minutes with the lid on.", "盖上盖子等三分钟。");
const fresh = (t) => t("Take three spoons of fresh leaves for each guest.", "每位客人取三勺新鲜茶叶。");

// Line ends

add("CRLF between lines", ["article", "quoted"], (t) =>
  [
    { form: "paragraphs", hold: (...list) => list.map((text) => p(text)), sign: "" },
    { form: "items", hold: (...list) => [ul(list.map((text) => li(text)))], sign: "- " },
    { form: "tasks", hold: (...list) => [tasks(list.map((text) => todo(text)))], sign: "- [ ] " },
    { form: "quotation", hold: (...list) => [quote(list.map((text) => p(text)))], sign: "> " },
  ].map(({ form, hold, sign }) => ({
    form,
    before: hold(pot(t), leaves(t)),
    after: hold(pot(t), fresh(t)),
    lines: [1, 2],
    content: `${sign}${pot(t)}\r\n${sign}${fresh(t)}\r\n`,
  })),
);
add("CRLF in a fence", ["article"], (t) => ({
  before: [pre("js", `a();\nb(); // ${t("pour", "倒")}`)],
  after: [pre("ts", `a();\nc(); // ${t("pour", "倒")}`)],
  lines: [1, 2],
  content: `\`\`\`ts\r\na();\r\nc(); // ${t("pour", "倒")}\r\n\`\`\`\r\n`,
}));

// HTML with attributes

add("HTML with classes and styles", ["article", "report"], (t) =>
  [
    {
      form: "paragraph",
      before: [p(pot(t)), p(leaves(t))],
      after: [p(pot(t)), p(fresh(t))],
      lines: [2],
      content: `<p class="lead" style="margin: 0" data-line="2">${fresh(t)}</p>`,
    },
    {
      form: "item",
      before: [ul(li(pot(t)), li(leaves(t)))],
      after: [ul(li(pot(t)), li(fresh(t)))],
      lines: [2],
      content: `<li class="item" id="x"><span>${fresh(t)}</span></li>`,
    },
    {
      form: "cell",
      before: [table(tr(th("A"), th("B")), tr("1", "2"))],
      after: [table(tr(th("A"), th("B")), tr("1", "3"))],
      lines: [4],
      content: '<td class="n" data-column="2">3</td>',
    },
    {
      form: "link",
      before: [p(t("Read ", "请读"), link("https://example.com/m", t("the manual", "手册")), ".")],
      after: [p(t("Do read ", "务必读"), link("https://example.com/m", t("the manual", "手册")), ".")],
      lines: [1],
      content: `<p>${t("Do read ", "务必读")}<a data-x="1" href="https://example.com/m">${t("the manual", "手册")}</a>.</p>`,
    },
    {
      form: "neighbours",
      before: [p(pot(t)), p(leaves(t)), p(wait(t))],
      after: [p(pot(t)), p(fresh(t)), p(wait(t))],
      lines: [2],
      content: `<p class="a">${pot(t)}</p>\n<p class="b">${fresh(t)}</p>\n<p class="c">${wait(t)}</p>`,
    },
  ],
);

// Lists in quotations

add("a list in a quotation", ["article", "last"], (t) => [
  {
    form: "with both signs",
    before: [quote(p(pot(t)), ul(li(leaves(t)), li(wait(t))))],
    after: [quote(p(pot(t)), ul(li(fresh(t)), li(wait(t))))],
    lines: [2],
    content: `> - ${fresh(t)}`,
  },
  {
    form: "with the sign of the item",
    before: [quote(p(pot(t)), ul(li(leaves(t)), li(wait(t))))],
    after: [quote(p(pot(t)), ul(li(fresh(t)), li(wait(t))))],
    lines: [2],
    content: `- ${fresh(t)}`,
  },
  {
    form: "task",
    before: [quote(tasks(todo(leaves(t)), todo(wait(t))))],
    after: [quote(tasks(done(leaves(t)), todo(wait(t))))],
    lines: [1],
    content: `> - [x] ${leaves(t)}`,
  },
  {
    form: "task without the quotation's sign",
    before: [quote(tasks(todo(leaves(t)), todo(wait(t))))],
    after: [quote(tasks(todo(leaves(t)), done(wait(t))))],
    lines: [2],
    content: `- [x] ${wait(t)}`,
  },
  {
    form: "an item moves in",
    before: [quote(ul(li(pot(t)), li(leaves(t))))],
    after: [quote(ul(li(p(pot(t)), ul(li(leaves(t))))))],
    lines: [2],
    content: `>   - ${leaves(t)}`,
  },
  {
    form: "html",
    before: [quote(p(pot(t)), ul(li(leaves(t)), li(wait(t))))],
    after: [quote(p(pot(t)), ul(li(fresh(t)), li(wait(t))))],
    lines: [2],
    content: `<li>${fresh(t)}</li>`,
  },
]);

// Levels of items

add("three levels", ["article", "chapters"], (t) => [
  {
    form: "one deeper",
    before: [ul(li(p("a"), ul(li("b"), li(leaves(t)))))],
    after: [ul(li(p("a"), ul(li(p("b"), ul(li(leaves(t)))))))],
    lines: [3],
    content: `    - ${leaves(t)}`,
  },
  {
    form: "an item with items moves out with them left below",
    before: [ul(li(p("a"), ul(li(p(leaves(t)), ul(li("c"))))))],
    after: [ul(li("a"), li(p(leaves(t)), ul(li("c"))))],
    lines: [2, 3],
    content: `- ${leaves(t)}\n  - c`,
  },
  {
    form: "all flat",
    before: [ul(li(p("a"), ul(li(p(leaves(t)), ul(li("c"))))))],
    after: [ul(li("a"), li(leaves(t)), li("c"))],
    lines: [1, 3],
    content: `- a\n- ${leaves(t)}\n- c`,
  },
  {
    form: "all nested",
    before: [ol(li("a"), li(leaves(t)), li("c"))],
    after: [ol(li(p("a"), ol(li(p(leaves(t)), ol(li("c"))))))],
    lines: [1, 3],
    content: `1. a\n  1. ${leaves(t)}\n    1. c`,
  },
]);
add("a new item below another", ["article", "report"], (t) => [
  {
    form: "bullets",
    before: [ul(li(pot(t)), li(wait(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(wait(t)))],
    lines: [1],
    content: `- ${pot(t)}\n  - ${leaves(t)}`,
  },
  {
    form: "tasks",
    before: [tasks(done(pot(t)), todo(wait(t)))],
    after: [tasks(done(p(pot(t)), tasks(todo(leaves(t)))), todo(wait(t)))],
    lines: [1],
    content: `- [x] ${pot(t)}\n  - [ ] ${leaves(t)}`,
  },
  {
    form: "numbers",
    before: [ol(li(pot(t)), li(wait(t)))],
    after: [ol(li(p(pot(t)), ol(li(leaves(t)))), li(wait(t)))],
    lines: [1],
    content: `1. ${pot(t)}\n  1. ${leaves(t)}`,
  },
]);

// Tasks with marks and in several edits

add("tasks and marks", ["article", "last"], (t) => [
  {
    form: "the words keep their marks",
    before: [tasks(todo(p(t("Ask ", "请问"), bold(t("the cook", "厨师")))), todo("x"))],
    after: [tasks(done(p(t("Ask ", "请问"), bold(t("the cook", "厨师")))), todo("x"))],
    lines: [1],
    content: `- [x] ${t("Ask the cook", "请问厨师")}`,
  },
  {
    form: "Markdown in the words",
    before: [tasks(todo(t("Ask the cook", "请问厨师")), todo("x"))],
    after: [tasks(done(p(t("Ask ", "请问"), bold(t("the cook", "厨师")))), todo("x"))],
    lines: [1],
    content: `- [x] ${t("Ask **the cook**", "请问**厨师**")}`,
  },
  {
    form: "struck through",
    before: [tasks(todo(t("Ask the cook", "请问厨师")), todo("x"))],
    after: [tasks(done(p(strike(t("Ask the cook", "请问厨师")))), todo("x"))],
    lines: [1],
    content: `- [x] ~~${t("Ask the cook", "请问厨师")}~~`,
  },
  {
    form: "in two edits",
    before: [tasks(todo(pot(t)), todo(leaves(t)), todo(wait(t)))],
    after: [tasks(done(pot(t)), todo(leaves(t)), done(wait(t)))],
    edits: [
      { lines: [1], content: `- [x] ${pot(t)}` },
      { lines: [3], content: `- [x] ${wait(t)}` },
    ],
  },
]);

// Tables

const rows = (t) => [
  tr(th(t("Tea", "茶")), th(t("Price", "价格"))),
  tr(t("Green", "绿茶"), "€ 12"),
  tr(t("Black", "红茶"), "€ 9"),
];
add("tables with header rows and spans", ["article", "minutes"], (t) => [
  {
    form: "a cell of a spanning row",
    before: [table(tr(head({ colspan: 2 }, t("Prices", "价格"))), tr(t("Green", "绿茶"), "€ 12"))],
    after: [table(tr(head({ colspan: 2 }, t("Our prices", "我们的价格"))), tr(t("Green", "绿茶"), "€ 12"))],
    lines: [1],
    content: t("Our prices", "我们的价格"),
  },
  {
    form: "the spanning cell as HTML",
    before: [table(tr(head({ colspan: 2 }, t("Prices", "价格"))), tr(t("Green", "绿茶"), "€ 12"))],
    after: [table(tr(head({ colspan: 2 }, t("Our prices", "我们的价格"))), tr(t("Green", "绿茶"), "€ 12"))],
    lines: [1],
    content: `<th colspan="2">${t("Our prices", "我们的价格")}</th>`,
  },
  {
    form: "a cell beside a tall one",
    before: [table(tr(cell({ rowspan: 2 }, t("Tea", "茶")), td("€ 12")), tr(td("€ 9")))],
    after: [table(tr(cell({ rowspan: 2 }, t("Tea", "茶")), td("€ 12")), tr(td("€ 10")))],
    lines: [3],
    content: "€ 10",
  },
  {
    form: "header cells stay header cells",
    before: [table(rows(t))],
    after: [table(tr(th(t("Kind", "种类")), th(t("Cost", "费用"))), ...rows(t).slice(1))],
    lines: [1, 2],
    content: `| ${t("Kind", "种类")} | ${t("Cost", "费用")} |`,
  },
  {
    form: "cells of a column change places",
    before: [table(rows(t))],
    after: [table(rows(t)[0], tr(t("Black", "红茶"), "€ 9"), tr(t("Green", "绿茶"), "€ 12"))],
    lines: [3, 6],
    content: `${t("Black", "红茶")}\n€ 9\n${t("Green", "绿茶")}\n€ 12`,
  },
  {
    form: "a row of Markdown with marks",
    before: [table(rows(t))],
    after: [table(...rows(t).slice(0, 2), tr(td(p(bold(t("Black", "红茶")))), "€ 9"))],
    lines: [5, 6],
    content: `| **${t("Black", "红茶")}** | € 9 |`,
  },
  {
    form: "a dash for a cell",
    before: [table(rows(t))],
    after: [table(...rows(t).slice(0, 2), tr(t("Black", "红茶"), "---"))],
    lines: [6],
    content: "---",
  },
  {
    form: "a minus for a cell",
    before: [table(rows(t))],
    after: [table(...rows(t).slice(0, 2), tr(t("Black", "红茶"), "- 9"))],
    lines: [6],
    content: "- 9",
  },
]);

// Code with bars, signs and fences

add("code with bars", ["article", "quoted"], (t) =>
  literalInCode(t, [
    ["bars", "a | b | c"],
    ["or", `if (a || b) pour("${t("tea", "茶")}");`],
    ["a row", "| a | b |"],
    ["a rule", "---"],
    ["a task", "- [x] done"],
    ["a number", "1. one"],
    ["a quotation", ">quoted"],
    ["a tilde", "~~x~~ __y__"],
  ]),
);

// Headings

add("headings with links and marks", ["deep", "last"], (t) => [
  {
    form: "the link stays",
    before: [h(3, t("About ", "关于"), link("https://example.com/t", t("tea", "茶"))), p(pot(t))],
    after: [h(3, t("All about ", "全部关于"), link("https://example.com/t", t("tea", "茶"))), p(pot(t))],
    lines: [1],
    content: t("All about tea", "全部关于茶"),
  },
  {
    form: "with its sign",
    before: [h(3, t("About ", "关于"), link("https://example.com/t", t("tea", "茶"))), p(pot(t))],
    after: [h(3, t("All about ", "全部关于"), link("https://example.com/t", t("tea", "茶"))), p(pot(t))],
    lines: [1],
    content: `### ${t("All about tea", "全部关于茶")}`,
  },
  {
    form: "Markdown link",
    before: [h(3, t("About tea", "关于茶")), p(pot(t))],
    after: [h(3, t("About ", "关于"), link("https://example.com/t", t("tea", "茶"))), p(pot(t))],
    lines: [1],
    content: t("About [tea](https://example.com/t)", "关于[茶](https://example.com/t)"),
  },
  {
    form: "html of the same level",
    before: [h(3, t("About tea", "关于茶")), p(pot(t))],
    after: [h(3, t("About ", "关于"), italic(t("tea", "茶"))), p(pot(t))],
    lines: [1],
    content: `<h3 id="tea">${t("About ", "关于")}<em>${t("tea", "茶")}</em></h3>`,
  },
]);

// Images and empty paragraphs between text

add("images and empty paragraphs between text", ["article", "twins"], (t) => [
  {
    form: "the image is given as it is shown",
    before: [p(pot(t)), img("https://example.com/a.png", { alt: "A" }), p(leaves(t))],
    after: [p(pot(t)), img("https://example.com/a.png", { alt: "A" }), p(fresh(t))],
    lines: [1, 3],
    content: `${pot(t)}\n![A](https://example.com/a.png)\n${fresh(t)}`,
  },
  {
    form: "the image is left out",
    before: [p(pot(t)), img("https://example.com/a.png", { alt: "A" }), p(leaves(t))],
    after: [p(pot(t)), p(leaves(t))],
    lines: [2],
    content: "",
  },
  {
    form: "an empty paragraph stays",
    before: [p(pot(t)), p(), p(leaves(t))],
    after: [p(pot(t)), p(), p(fresh(t))],
    lines: [1, 3],
    content: `${pot(t)}\n\n${fresh(t)}`,
  },
  {
    form: "an empty paragraph is filled",
    before: [p(pot(t)), p(), p(leaves(t))],
    after: [p(pot(t)), p(wait(t)), p(leaves(t))],
    lines: [2],
    content: wait(t),
  },
  {
    form: "a rule for an empty paragraph",
    before: [p(pot(t)), p(), p(leaves(t))],
    after: [p(pot(t)), hr(), p(leaves(t))],
    lines: [2],
    content: "---",
  },
]);

// Full-width digits and punctuation

add("full-width signs are text", ["article"], (t) =>
  literal(t, [
    ["digits", t("１２３ cups", "１２３杯")],
    ["number", t("１．First, warm the pot", "１．先温壶")],
    ["asterisks", t("＊not bold＊", "＊不加粗＊")],
    ["bars", t("a｜b｜c", "甲｜乙｜丙")],
    ["angles", t("＜b＞not bold＜/b＞", "＜b＞不加粗＜/b＞")],
    ["hash", t("＃tea", "＃茶")],
    ["brackets", t("【note】 drink up", "【注】喝完")],
    ["dash", t("— a pause — and on", "——停顿——继续")],
  ]),
);
add("marks beside signs", ["article", "quoted"], (t) =>
  [
    ["in brackets", t("(**bold**)", "（**粗体**）"), [t("(", "（"), bold(t("bold", "粗体")), t(")", "）")]],
    ["before a comma", t("**Bold**, then", "**粗体**，然后"), [bold(t("Bold", "粗体")), t(", then", "，然后")]],
    ["code", t("Run `make` now", "现在运行`make`吧"), [t("Run ", "现在运行"), code("make"), t(" now", "吧")]],
    ["two codes", "`a` + `b`", [code("a"), " + ", code("b")]],
    ["bold italic", t("***Very*** old", "***很***老"), [bold(italic(t("Very", "很"))), t(" old", "老")]],
    ["a name in code", "__init__", ["__init__"]],
    ["a phrase", t("__very old__ tea", "__很老__ 的茶"), [bold(t("very old", "很老")), t(" tea", " 的茶")]],
    ["a title", t("read *The Tea*", "请读*《茶》*吧"), [t("read ", "请读"), italic(t("The Tea", "《茶》")), t("", "吧")]],
  ].map(([form, content, parts]) => ({
    form,
    before: [p(t("Old words.", "旧的话。"))],
    after: [p(...parts)],
    lines: [1],
    content,
  })),
);

// Neighbours in other forms

add("neighbours with signs and numbers", ["article", "report"], (t) => {
  const hold = (middle) => [ol(li(pot(t)), li(middle), li(wait(t)))];
  return [
    ["numbers", `1. ${pot(t)}\n2. ${fresh(t)}\n3. ${wait(t)}`],
    ["brackets", `1) ${pot(t)}\n2) ${fresh(t)}\n3) ${wait(t)}`],
    ["HTML list", `<ol start="1"><li>${pot(t)}</li><li>${fresh(t)}</li></ol>`],
    ["HTML items", `<li>${fresh(t)}</li><li>${wait(t)}</li>`],
    ["text", `${fresh(t)}\n${wait(t)}`],
  ].map(([form, content]) => ({ form, before: hold(leaves(t)), after: hold(fresh(t)), lines: [2], content }));
});
add("a neighbour that a heading is", ["deep", "last"], (t) =>
  [
    ["html", `<h4>${t("Steps", "步骤")}</h4><p>${fresh(t)}</p>`],
    ["markdown", `#### ${t("Steps", "步骤")}\n\n${fresh(t)}`],
    ["text", `${t("Steps", "步骤")}\n${fresh(t)}`],
  ].map(([form, content]) => ({
    form,
    before: [h(4, t("Steps", "步骤")), p(leaves(t))],
    after: [h(4, t("Steps", "步骤")), p(fresh(t))],
    lines: [2],
    content,
  })),
);

// Fences

add("fences around content", ["article", "quoted"], (t) => [
  {
    form: "text",
    before: [p(leaves(t))],
    after: [p(fresh(t))],
    lines: [1],
    content: `\`\`\`text\n${fresh(t)}\n\`\`\``,
  },
  {
    form: "no language",
    before: [p(leaves(t))],
    after: [p(fresh(t))],
    lines: [1],
    content: `\`\`\`\n${fresh(t)}\n\`\`\``,
  },
  {
    form: "tildes",
    before: [p(leaves(t))],
    after: [p(fresh(t))],
    lines: [1],
    content: `~~~html\n<p>${fresh(t)}</p>\n~~~`,
  },
  {
    form: "stated Markdown",
    before: [p(leaves(t))],
    after: [pre(null, t("brew(tea)", "沏(茶)"))],
    lines: [1],
    content: `\`\`\`\n${t("brew(tea)", "沏(茶)")}\n\`\`\``,
    format: "markdown",
  },
]);

// Whole documents

const book = (t, middle) => [
  h(1, t("A book of tea", "茶之书")),
  p(pot(t)),
  p(leaves(t)),
  p(wait(t)),
  h(2, t("How", "做法")),
  p(middle),
  ul(li("a"), li("b"), li("c")),
  p(t("Nothing else is needed.", "别的都不需要。")),
];
add("most of a document", [null], (t) => [
  {
    form: "a section that is nearly all",
    before: book(t, t("Old.", "旧。")).slice(0, 1).concat(book(t, "x").slice(1, 4), book(t, "x").slice(5)),
    refused: true,
    codes: ["would_drop"],
    call: { operation: "replace", sectionIndex: 0, content: `<p>${fresh(t)}</p>` },
  },
  {
    form: "a section of several",
    before: book(t, t("Old.", "旧。")),
    after: [...book(t, "x").slice(0, 5), p(fresh(t))],
    call: { operation: "replace", sectionIndex: 1, content: `<p>${fresh(t)}</p>` },
  },
  {
    form: "a whole rewrite of the same length",
    before: book(t, t("Old.", "旧。")),
    after: book(t, fresh(t)).map((block) => (block.type === "paragraph" ? p("Neu.") : block)),
    call: {
      operation: "replace_lines",
      edits: [
        {
          content: `<h1>${t("A book of tea", "茶之书")}</h1><p>Neu.</p><p>Neu.</p><p>Neu.</p><h2>${t("How", "做法")}</h2><p>Neu.</p><ul><li>a</li><li>b</li><li>c</li></ul><p>Neu.</p>`,
        },
      ],
    },
  },
]);

export default cases;
