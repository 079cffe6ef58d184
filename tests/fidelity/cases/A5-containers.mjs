// A5: HTML can take lines out of their container, and does not put a container into itself.
import { bold, done, h, li, ol, p, pre, quote, table, tasks, td, th, todo, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A5");

const texts = (t) => [t("Warm the pot.", "温壶。"), t("Add leaves.", "放茶叶。"), t("Pour hot water.", "倒热水。")];
const other = (t) => [
  t("First, the pot must be warm.", "首先，壶要温热。"),
  t("Then come the leaves.", "然后放茶叶。"),
  t("Last comes the water.", "最后倒水。"),
];
const ps = (list) => list.map((text) => `<p>${text}</p>`).join("");
const lead = (t) => p(t("How to do it:", "做法："));

const LISTS = {
  "a bulleted list": (items) => ul(items.map((text) => li(text))),
  "a numbered list": (items) => ol(items.map((text) => li(text))),
  "a task list": (items) => tasks(items.map((text, index) => (index ? todo(text) : done(text)))),
};
for (const [name, make] of Object.entries(LISTS)) {
  add(`${name} becomes paragraphs`, ["article", "minutes", "quoted"], (t) => [
    {
      form: "same words",
      before: [lead(t), make(texts(t))],
      after: [lead(t), ...texts(t).map((text) => p(text))],
      lines: [2, 4],
      content: ps(texts(t)),
    },
    {
      form: "other words",
      before: [lead(t), make(texts(t))],
      after: [lead(t), ...other(t).map((text) => p(text))],
      lines: [2, 4],
      content: ps(other(t)),
    },
    {
      form: "one paragraph",
      before: [lead(t), make(texts(t))],
      after: [lead(t), p(texts(t).join(t(" ", "")))],
      lines: [2, 4],
      content: `<p>${texts(t).join(t(" ", ""))}</p>`,
    },
  ]);
}

add("a nested list becomes paragraphs", ["article", "last"], (t) => ({
  before: [ul(li(p(texts(t)[0]), ul(li(texts(t)[1]))), li(texts(t)[2]))],
  after: texts(t).map((text) => p(text)),
  lines: [1, 3],
  content: ps(texts(t)),
}));

add("an item given as a paragraph stays an item", ["article", "report"], (t) => ({
  before: [ul(texts(t).map((text) => li(text)))],
  after: [
    ul(
      texts(t)
        .with(1, other(t)[1])
        .map((text) => li(text)),
    ),
  ],
  lines: [2],
  content: `<p>${other(t)[1]}</p>`,
}));

add("a quotation is unwrapped", ["article", "report"], (t) => [
  {
    form: "same words",
    before: [lead(t), quote(texts(t).map((text) => p(text)))],
    after: [lead(t), ...texts(t).map((text) => p(text))],
    lines: [2, 4],
    content: ps(texts(t)),
  },
  {
    form: "other words",
    before: [lead(t), quote(texts(t).map((text) => p(text)))],
    anyOf: [
      [lead(t), ...other(t).map((text) => p(text))],
      [lead(t), quote(other(t).map((text) => p(text)))],
    ],
    lines: [2, 4],
    content: ps(other(t)),
  },
]);

add("a quotation given for a quotation", ["article", "deep", "last"], (t) => [
  {
    form: "whole",
    before: [quote(p(texts(t)[0]), p(texts(t)[1]))],
    after: [quote(p(other(t)[0]), p(other(t)[1]))],
    lines: [1, 2],
    content: `<blockquote><p>${other(t)[0]}</p><p>${other(t)[1]}</p></blockquote>`,
  },
  {
    form: "one line",
    before: [quote(p(texts(t)[0]), p(texts(t)[1]), p(texts(t)[2]))],
    after: [quote(p(texts(t)[0]), p(other(t)[1]), p(texts(t)[2]))],
    lines: [2],
    content: `<blockquote><p>${other(t)[1]}</p></blockquote>`,
  },
  {
    form: "markdown",
    before: [quote(p(texts(t)[0]), p(texts(t)[1]))],
    after: [quote(p(other(t)[0]), p(texts(t)[1]))],
    lines: [1],
    content: `> ${other(t)[0]}`,
  },
  {
    form: "without p",
    before: [quote(p(texts(t)[0]))],
    after: [quote(p(other(t)[0]))],
    lines: [1],
    content: `<blockquote>${other(t)[0]}</blockquote>`,
  },
  {
    form: "one paragraph",
    before: [quote(p(texts(t)[0]), p(texts(t)[1]))],
    after: [quote(p(texts(t)[0]), p(other(t)[1]))],
    lines: [2],
    content: `<p>${other(t)[1]}</p>`,
  },
]);

add("a list given for a list", ["article", "chapters"], (t) => [
  {
    form: "ul",
    before: [ul(texts(t).map((text) => li(text)))],
    after: [ul(other(t).map((text) => li(text)))],
    lines: [1, 3],
    content: `<ul>${other(t)
      .map((text) => `<li>${text}</li>`)
      .join("")}</ul>`,
  },
  {
    form: "ol for ul",
    before: [lead(t), ul(texts(t).map((text) => li(text)))],
    after: [lead(t), ol(texts(t).map((text) => li(text)))],
    lines: [2, 4],
    content: `<ol>${texts(t)
      .map((text) => `<li>${text}</li>`)
      .join("")}</ol>`,
  },
  {
    form: "ul for ol",
    before: [lead(t), ol(texts(t).map((text) => li(text)))],
    after: [lead(t), ul(texts(t).map((text) => li(text)))],
    lines: [2, 4],
    content: `<ul>\n${texts(t)
      .map((text) => `<li><p>${text}</p></li>`)
      .join("\n")}\n</ul>`,
  },
  {
    form: "tasks for ul",
    before: [lead(t), ul(texts(t).map((text) => li(text)))],
    after: [lead(t), tasks(texts(t).map((text) => todo(text)))],
    lines: [2, 4],
    content: `<ul data-type="taskList">${texts(t)
      .map((text) => `<li data-type="taskItem" data-checked="false"><p>${text}</p></li>`)
      .join("")}</ul>`,
  },
  {
    form: "markdown numbers for ul",
    before: [lead(t), ul(texts(t).map((text) => li(text)))],
    after: [lead(t), ol(texts(t).map((text) => li(text)))],
    lines: [2, 4],
    content: texts(t)
      .map((text, index) => `${index + 1}. ${text}`)
      .join("\n"),
  },
]);

add("a code block becomes blocks", ["article", "report"], (t) => {
  const block = pre(null, texts(t).join("\n"));
  return [
    {
      form: "paragraphs",
      before: [lead(t), block],
      after: [lead(t), ...texts(t).map((text) => p(text))],
      lines: [2, 4],
      content: ps(texts(t)),
    },
    {
      form: "list",
      before: [lead(t), block],
      after: [lead(t), ol(texts(t).map((text) => li(text)))],
      lines: [2, 4],
      content: `<ol>${texts(t)
        .map((text) => `<li>${text}</li>`)
        .join("")}</ol>`,
    },
    {
      form: "heading",
      before: [lead(t), block],
      after: [lead(t), h(3, t("Steps", "步骤")), p(texts(t).join(" "))],
      lines: [2, 4],
      content: `<h3>${t("Steps", "步骤")}</h3><p>${texts(t).join(" ")}</p>`,
    },
  ];
});

add("HTML in a block of HTML code is code", ["article", "last"], (t) => [
  {
    form: "one line",
    before: [pre("html", `<main>\n<p>${texts(t)[0]}</p>\n</main>`)],
    after: [pre("html", `<main>\n<p>${other(t)[0]}</p>\n</main>`)],
    lines: [2],
    content: `<p>${other(t)[0]}</p>`,
  },
  {
    form: "all lines",
    before: [pre("html", `<p>${texts(t)[0]}</p>\n<p>${texts(t)[1]}</p>`)],
    after: [pre("html", `<p>${other(t)[0]}</p>\n<p>${other(t)[1]}</p>`)],
    lines: [1, 2],
    content: `<p>${other(t)[0]}</p>\n<p>${other(t)[1]}</p>`,
    refusalOk: true,
  },
  {
    form: "jsx",
    before: [pre("jsx", `return (\n  <b>{tea}</b>\n);`)],
    after: [pre("jsx", `return (\n  <i>{tea}</i>\n);`)],
    lines: [2],
    content: "  <i>{tea}</i>",
  },
]);

add("paragraphs become something else", ["article", "quoted"], (t) => {
  const before = [lead(t), ...texts(t).map((text) => p(text))];
  const items = texts(t)
    .map((text) => `<li>${text}</li>`)
    .join("");
  return [
    {
      form: "ul",
      before,
      after: [lead(t), ul(texts(t).map((text) => li(text)))],
      lines: [2, 4],
      content: `<ul>${items}</ul>`,
    },
    {
      form: "ol",
      before,
      after: [lead(t), ol(texts(t).map((text) => li(text)))],
      lines: [2, 4],
      content: `<ol>${items}</ol>`,
    },
    {
      form: "markdown ul",
      before,
      after: [lead(t), ul(texts(t).map((text) => li(text)))],
      lines: [2, 4],
      content: texts(t)
        .map((text) => `- ${text}`)
        .join("\n"),
    },
    {
      form: "quote",
      before,
      after: [lead(t), quote(texts(t).map((text) => p(text)))],
      lines: [2, 4],
      content: `<blockquote>${ps(texts(t))}</blockquote>`,
    },
    {
      form: "heading",
      before,
      after: [lead(t), h(4, texts(t)[0]), p(texts(t)[1]), p(texts(t)[2])],
      lines: [2],
      content: `<h4>${texts(t)[0]}</h4>`,
    },
    {
      form: "code",
      before,
      after: [lead(t), pre("sh", texts(t).join("\n"))],
      lines: [2, 4],
      content: `<pre><code class="language-sh">${texts(t).join("\n")}</code></pre>`,
    },
    {
      form: "table",
      before,
      after: [lead(t), table(tr(texts(t)[0], texts(t)[1])), p(texts(t)[2])],
      lines: [2, 3],
      content: `<table><tbody><tr><td>${texts(t)[0]}</td><td>${texts(t)[1]}</td></tr></tbody></table>`,
    },
  ];
});

add("a heading becomes a paragraph", ["deep", "first"], (t) => [
  {
    form: "p",
    before: [h(3, texts(t)[0]), p(texts(t)[1])],
    after: [p(texts(t)[0]), p(texts(t)[1])],
    lines: [1],
    content: `<p>${texts(t)[0]}</p>`,
  },
  {
    form: "bold p",
    before: [h(3, texts(t)[0]), p(texts(t)[1])],
    after: [p(bold(texts(t)[0])), p(texts(t)[1])],
    lines: [1],
    content: `<p><strong>${texts(t)[0]}</strong></p>`,
  },
]);

add("a table becomes a list", ["article", "report"], (t) => ({
  before: [
    lead(t),
    table(tr(th(t("Step", "步骤")), th(t("Time", "时间"))), tr(texts(t)[0], "1"), tr(texts(t)[1], "2")),
  ],
  after: [lead(t), ul(li(`${texts(t)[0]} 1`), li(`${texts(t)[1]} 2`))],
  refusalOk: true,
  lines: [2, 7],
  content: `<ul><li>${texts(t)[0]} 1</li><li>${texts(t)[1]} 2</li></ul>`,
}));

add("blocks in a cell stay in the cell", ["article", "report"], (t) => {
  const row = (...parts) => [
    table(tr(th(t("Step", "步骤")), th(t("Note", "备注"))), tr(td(texts(t)[0]), td(...parts))),
  ];
  return [
    {
      form: "list",
      before: row(texts(t)[1]),
      after: row(ul(li(texts(t)[1]), li(texts(t)[2]))),
      lines: [4],
      content: `<ul><li>${texts(t)[1]}</li><li>${texts(t)[2]}</li></ul>`,
    },
    {
      form: "two paragraphs",
      before: row(texts(t)[1]),
      after: row(p(texts(t)[1]), p(texts(t)[2])),
      lines: [4],
      content: ps(texts(t).slice(1)),
    },
    {
      form: "heading",
      before: row(texts(t)[1]),
      after: row(h(4, texts(t)[1])),
      lines: [4],
      content: `<h4>${texts(t)[1]}</h4>`,
    },
  ];
});

export default cases;
