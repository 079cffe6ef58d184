// A9: an edit touches only what it must, and paragraphs that are all rewritten are changes of their own.
import { bold, br, h, li, ol, p, quote, table, tasks, td, th, todo, done, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A9");

const old = (t) => [
  t("The pot must be warm.", "壶必须温热。"),
  t("Take two spoons of leaves.", "取两勺茶叶。"),
  t("Wait for three minutes.", "等三分钟。"),
];
const fresh = (t) => [
  t("Begin with hot china.", "先烫瓷器。"),
  t("Measure carefully by weight.", "按重量仔细称。"),
  t("Patience is rewarded at last.", "耐心终有回报。"),
];
const ps = (list) => list.map((text) => `<p>${text}</p>`).join("");
const paragraphs = (list) => list.map((text) => p(text));

add("paragraphs that are all rewritten", ["article", "quoted", "twins"], (t) =>
  [
    { form: "text", content: fresh(t).join("\n") },
    { form: "html", content: ps(fresh(t)) },
    { form: "markdown", content: fresh(t).join("\n\n"), format: "markdown" },
  ].map((rule) => ({ ...rule, before: paragraphs(old(t)), after: paragraphs(fresh(t)), hunks: 3, lines: [1, 3] })),
);

add("items that are all rewritten", ["article", "report"], (t) =>
  [
    { form: "text", content: fresh(t).join("\n") },
    {
      form: "html",
      content: `<ul>${fresh(t)
        .map((text) => `<li>${text}</li>`)
        .join("")}</ul>`,
    },
    {
      form: "markdown",
      content: fresh(t)
        .map((text) => `- ${text}`)
        .join("\n"),
    },
  ].map((rule) => ({
    ...rule,
    before: [ul(old(t).map((text) => li(text)))],
    after: [ul(fresh(t).map((text) => li(text)))],
    hunks: 3,
    lines: [1, 3],
  })),
);

add("a section whose paragraphs are all rewritten", ["chapters", "last"], (t) => ({
  before: [h(2, t("Steps", "步骤")), ...paragraphs(old(t))],
  after: [h(2, t("Steps", "步骤")), ...paragraphs(fresh(t))],
  hunks: 3,
  call: ({ section }) => ({ operation: "replace", sectionIndex: section, content: ps(fresh(t)) }),
}));

add("one of three given lines differs", ["article", "minutes", "quoted"], (t) =>
  [
    { form: "text", content: old(t).with(1, fresh(t)[1]).join("\n") },
    { form: "html", content: ps(old(t).with(1, fresh(t)[1])) },
  ].map((rule) => ({
    ...rule,
    before: paragraphs(old(t)),
    after: paragraphs(old(t).with(1, fresh(t)[1])),
    careful: true,
    lines: [1, 3],
  })),
);

add("a section in which one paragraph differs", ["chapters", "last"], (t) => {
  const blocks = (middle) => [
    h(2, t("Steps", "步骤")),
    p(old(t)[0]),
    p(middle),
    ul(li(old(t)[2]), li(p(bold(t("And drink.", "然后喝。"))))),
  ];
  const list = `<ul><li>${old(t)[2]}</li><li><strong>${t("And drink.", "然后喝。")}</strong></li></ul>`;
  return {
    before: blocks(old(t)[1]),
    after: blocks(fresh(t)[1]),
    careful: true,
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      content: ps([old(t)[0], fresh(t)[1]]) + list,
    }),
  };
});

add("one block changes its type", ["article", "deep"], (t) =>
  [
    { form: "html", content: `<h4>${old(t)[0]}</h4>${ps(old(t).slice(1))}` },
    { form: "markdown", content: `#### ${old(t)[0]}\n\n${old(t)[1]}\n\n${old(t)[2]}` },
  ].map((rule) => ({
    ...rule,
    before: paragraphs(old(t)),
    after: [h(4, old(t)[0]), ...paragraphs(old(t).slice(1))],
    careful: true,
    lines: [1, 3],
  })),
);

const rows = (t) => [
  [t("Tea", "茶"), t("Price", "价格")],
  [t("Green", "绿茶"), "€ 12"],
  [t("Black", "红茶"), "€ 9"],
];
const tableOf = (list) => table(list.map((cells, index) => tr(cells.map((text) => (index ? td(text) : th(text))))));
const html = (list) =>
  `<table><tbody>${list.map((cells, index) => `<tr>${cells.map((text) => (index ? `<td>${text}</td>` : `<th>${text}</th>`)).join("")}</tr>`).join("")}</tbody></table>`;
add("a table", ["article", "minutes"], (t) => {
  const column = rows(t).map((cells, index) => [...cells, [t("Water", "水温"), "70 °C", "95 °C"][index]]);
  const row = [...rows(t), [t("White", "白茶"), "€ 20"]];
  const cell = rows(t).with(1, [t("Green", "绿茶"), "€ 13"]);
  const gone = rows(t).toSpliced(1, 1);
  return Object.entries({ "a column more": column, "a row more": row, "a new cell": cell, "a row less": gone }).map(
    ([form, list]) => ({
      form,
      before: [p(old(t)[0]), tableOf(rows(t))],
      after: [p(old(t)[0]), tableOf(list)],
      careful: true,
      lines: [2, 7],
      content: html(list),
    }),
  );
});

add("a list", ["article", "report"], (t) => {
  const list = (items) => `<ol>${items.map((text) => `<li>${text}</li>`).join("")}</ol>`;
  const variants = {
    "an item more": old(t).toSpliced(1, 0, fresh(t)[1]),
    "an item less": old(t).toSpliced(1, 1),
    "an item first": [fresh(t)[0], ...old(t)],
    "items in another order": [old(t)[1], old(t)[0], old(t)[2]],
  };
  return Object.entries(variants).map(([form, items]) => ({
    form,
    before: [p(t("How:", "做法：")), ol(old(t).map((text) => li(text)))],
    after: [p(t("How:", "做法：")), ol(items.map((text) => li(text)))],
    careful: form !== "items in another order",
    lines: [2, 4],
    content: list(items),
  }));
});

add("one task of many", ["article", "last"], (t) => ({
  before: [tasks(old(t).map((text) => todo(text)))],
  after: [tasks(old(t).map((text, index) => (index === 1 ? done(text) : todo(text))))],
  careful: true,
  lines: [1, 3],
  content: old(t)
    .map((text, index) => `- [${index === 1 ? "x" : " "}] ${text}`)
    .join("\n"),
}));

// The whole document is given again, with one difference.
const article = (t, middle, price = "€ 9") => [
  h(1, t("A book of tea", "茶之书")),
  p(t("Tea is ", "茶是"), bold(t("old", "古老的")), t(".", "。")),
  h(2, t("How", "做法")),
  ol(old(t).map((text) => li(text))),
  p(middle),
  quote(p(t("So they say.", "人们这么说。"))),
  h(2, t("Prices", "价格")),
  tableOf(rows(t).with(2, [t("Black", "红茶"), price])),
  p(t("Line one", "第一行"), br, t("line two", "第二行")),
];
const articleHtml = (t, middle, price) =>
  `<h1>${t("A book of tea", "茶之书")}</h1><p>${t("Tea is ", "茶是")}<strong>${t("old", "古老的")}</strong>${t(".", "。")}</p><h2>${t("How", "做法")}</h2><ol>${old(
    t,
  )
    .map((text) => `<li><p>${text}</p></li>`)
    .join(
      "",
    )}</ol><p>${middle}</p><blockquote><p>${t("So they say.", "人们这么说。")}</p></blockquote><h2>${t("Prices", "价格")}</h2>${html(rows(t).with(2, [t("Black", "红茶"), price]))}<p>${t("Line one", "第一行")}<br>${t("line two", "第二行")}</p>`;
const articleText = (t, middle, price) =>
  [
    t("A book of tea", "茶之书"),
    t("Tea is old.", "茶是古老的。"),
    t("How", "做法"),
    ...old(t),
    middle,
    t("So they say.", "人们这么说。"),
    t("Prices", "价格"),
    ...rows(t)
      .with(2, [t("Black", "红茶"), price])
      .flat(),
    t("Line one", "第一行"),
    t("line two", "第二行"),
  ].join("\n");
for (const [form, write] of Object.entries({ html: articleHtml, text: articleText })) {
  add(`the whole document as ${form}`, [null], (t) => ({
    before: article(t, t("Nothing else.", "别无其他。")),
    after: article(t, t("Nothing else, really.", "真的别无其他。"), "€ 8"),
    careful: true,
    call: {
      operation: "replace_lines",
      edits: [{ content: write(t, t("Nothing else, really.", "真的别无其他。"), "€ 8") }],
    },
  }));
}

export default cases;
