// A3: rows given for the lines of a row replace that row, cell by cell.
import { bold, cell, code, head, link, p, table, td, th, tr } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A3");

const header = (t) => tr(th(t("Tea", "茶")), th(t("Caffeine", "咖啡因")), th(t("Water", "水温")));
const green = (t) => tr(t("Green", "绿茶"), "30 %", "70 °C");
const black = (t) => tr(td(bold(t("Black", "红茶"))), "60 %", "95 °C");
const white = (t) => tr(t("White", "白茶"), "20 %", "75 °C");
const all = (t) => [header(t), green(t), black(t), white(t)];
const html = (...cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join("")}</tr>`;
const md = (...cells) => `| ${cells.join(" | ")} |`;

/** The ways to write rows. */
const FORMS = {
  html: (...rows) => rows.map((cells) => html(...cells)).join(""),
  "html lines": (...rows) => rows.map((cells) => html(...cells)).join("\n"),
  tbody: (...rows) => `<tbody>${rows.map((cells) => html(...cells)).join("")}</tbody>`,
  table: (...rows) => `<table><tbody>${rows.map((cells) => html(...cells)).join("")}</tbody></table>`,
  markdown: (...rows) => rows.map((cells) => md(...cells)).join("\n"),
  "markdown, no outer bars": (...rows) => rows.map((cells) => cells.join(" | ")).join("\n"),
  text: (...rows) => rows.flat().join("\n"),
};
const forms = (names, make) => names.map((form) => ({ form, ...make(FORMS[form]) }));

add("one row", ["article", "report"], (t) =>
  forms(["html", "table", "markdown", "text"], (write) => ({
    before: [table(all(t))],
    after: [table(header(t), tr(t("Green", "绿茶"), "0 %", "80 °C"), black(t), white(t))],
    lines: [4, 6],
    content: write([t("Green", "绿茶"), "0 %", "80 °C"]),
  })),
);

add("the last row", ["last", "quoted"], (t) =>
  forms(["html", "tbody", "markdown"], (write) => ({
    before: [table(all(t))],
    after: [table(header(t), green(t), black(t), tr(t("Oolong", "乌龙茶"), "40 %", "85 °C"))],
    lines: [10, 12],
    content: write([t("Oolong", "乌龙茶"), "40 %", "85 °C"]),
  })),
);

add("a row without outer bars", ["article"], (t) =>
  forms(["markdown, no outer bars"], (write) => ({
    before: [table(all(t))],
    after: [table(header(t), tr(t("Green", "绿茶"), "0 %", "80 °C"), black(t), white(t))],
    refusalOk: true,
    lines: [4, 6],
    content: write([t("Green", "绿茶"), "0 %", "80 °C"]),
  })),
);

add("two rows", ["article", "minutes"], (t) =>
  forms(["html lines", "markdown", "text"], (write) => ({
    before: [table(all(t))],
    after: [
      table(
        header(t),
        green(t),
        tr(td(bold(t("Black", "红茶"))), "55 %", "95 °C"),
        tr(t("White", "白茶"), "25 %", "75 °C"),
      ),
    ],
    lines: [7, 12],
    content: write([form0(write, t("Black", "红茶")), "55 %", "95 °C"], [t("White", "白茶"), "25 %", "75 °C"]),
  })),
);
/** In markup a bold word must be written as such. */
function form0(write, word) {
  const sample = write(["x"]);
  return sample.includes("<") ? `<strong>${word}</strong>` : sample.includes("|") ? `**${word}**` : word;
}

add("two rows for one add a row", ["article", "report", "last"], (t) =>
  forms(["html", "markdown"], (write) => ({
    before: [table(all(t))],
    after: [table(header(t), green(t), tr(t("Oolong", "乌龙茶"), "40 %", "85 °C"), black(t), white(t))],
    lines: [4, 6],
    content: write([t("Green", "绿茶"), "30 %", "70 °C"], [t("Oolong", "乌龙茶"), "40 %", "85 °C"]),
  })),
);

add("one row for two removes a row", ["article", "chapters"], (t) =>
  forms(["html", "markdown"], (write) => ({
    before: [table(all(t))],
    after: [table(header(t), tr(t("Green", "绿茶"), "30 %", "75 °C"), white(t))],
    lines: [4, 9],
    content: write([t("Green", "绿茶"), "30 %", "75 °C"]),
  })),
);

add("too few or too many columns", ["article", "report"], (t) =>
  [
    ["few html", html(t("Green", "绿茶"), "0 %")],
    ["many html", html(t("Green", "绿茶"), "0 %", "80 °C", "x")],
    ["many markdown", md(t("Green", "绿茶"), "0 %", "80 °C", "x")],
    ["few markdown", md(t("Green", "绿茶"), "0 %")],
  ].map(([form, content]) => ({ form, before: [table(all(t))], refused: true, lines: [4, 6], content })),
);

add("the header row", ["article"], (t) => [
  {
    form: "html",
    before: [table(all(t))],
    after: [
      table(
        tr(th(t("Kind", "种类")), th(t("Caffeine", "咖啡因")), th(t("Best water", "最佳水温"))),
        green(t),
        black(t),
        white(t),
      ),
    ],
    lines: [1, 3],
    content: `<tr><th>${t("Kind", "种类")}</th><th>${t("Caffeine", "咖啡因")}</th><th>${t("Best water", "最佳水温")}</th></tr>`,
  },
  {
    form: "markdown",
    before: [table(all(t))],
    after: [
      table(
        tr(th(t("Kind", "种类")), th(t("Caffeine", "咖啡因")), th(t("Best water", "最佳水温"))),
        green(t),
        black(t),
        white(t),
      ),
    ],
    lines: [1, 3],
    content: md(t("Kind", "种类"), t("Caffeine", "咖啡因"), t("Best water", "最佳水温")),
  },
  {
    form: "text",
    before: [table(all(t))],
    after: [
      table(
        tr(th(t("Kind", "种类")), th(t("Caffeine", "咖啡因")), th(t("Best water", "最佳水温"))),
        green(t),
        black(t),
        white(t),
      ),
    ],
    lines: [1, 3],
    content: [t("Kind", "种类"), t("Caffeine", "咖啡因"), t("Best water", "最佳水温")].join("\n"),
  },
]);

add("a table in Markdown for all lines", ["article", "report"], (t) => ({
  before: [table(header(t), green(t), white(t))],
  after: [table(header(t), green(t), tr(t("White", "白茶"), "15 %", "75 °C"))],
  lines: [1, 9],
  content: [
    md(t("Tea", "茶"), t("Caffeine", "咖啡因"), t("Water", "水温")),
    "|---|---|---|",
    md(t("Green", "绿茶"), "30 %", "70 °C"),
    md(t("White", "白茶"), "15 %", "75 °C"),
  ].join("\n"),
}));

add("a table in Markdown with one more row", ["article", "last"], (t) => ({
  before: [table(header(t), green(t))],
  after: [table(header(t), green(t), tr(t("White", "白茶"), "15 %", "75 °C"))],
  lines: [1, 6],
  content: [
    md(t("Tea", "茶"), t("Caffeine", "咖啡因"), t("Water", "水温")),
    "| --- | --- | --- |",
    md(t("Green", "绿茶"), "30 %", "70 °C"),
    md(t("White", "白茶"), "15 %", "75 °C"),
  ].join("\n"),
}));

add("one cell", ["article", "quoted"], (t) =>
  [
    ["td", "<td>35 %</td>"],
    ["p", "<p>35 %</p>"],
    ["text", "35 %"],
    ["row of one", "| 35 % |"],
  ].map(([form, content]) => ({
    form,
    before: [table(all(t))],
    after: [table(header(t), tr(t("Green", "绿茶"), "35 %", "70 °C"), black(t), white(t))],
    refusalOk: form === "row of one",
    lines: [5],
    content,
  })),
);

add("two cells of a row", ["article", "minutes"], (t) =>
  [
    ["tds", "<td>35 %</td><td>72 °C</td>"],
    ["text", "35 %\n72 °C"],
  ].map(([form, content]) => ({
    form,
    before: [table(all(t))],
    after: [table(header(t), tr(t("Green", "绿茶"), "35 %", "72 °C"), black(t), white(t))],
    lines: [5, 6],
    content,
  })),
);

add("marks in cells", ["article", "report"], (t) => {
  const url = "https://example.com/oolong";
  return [
    ["html", html(`<strong>${t("Oolong", "乌龙茶")}</strong>`, `<a href="${url}">40 %</a>`, "<code>85</code>")],
    ["markdown", md(`**${t("Oolong", "乌龙茶")}**`, `[40 %](${url})`, "`85`")],
  ].map(([form, content]) => ({
    form,
    before: [table(all(t))],
    after: [
      table(header(t), tr(td(bold(t("Oolong", "乌龙茶"))), td(link(url, "40 %")), td(code("85"))), black(t), white(t)),
    ],
    lines: [4, 6],
    content,
  }));
});

add("text keeps the marks of cells", ["article"], (t) => ({
  before: [table(all(t))],
  after: [table(header(t), green(t), tr(td(bold(t("Black", "红茶"))), "65 %", "98 °C"), white(t))],
  lines: [7, 9],
  content: [t("Black", "红茶"), "65 %", "98 °C"].join("\n"),
}));

const wide = (t) => [
  tr(head({ colwidth: [100] }, t("Tea", "茶")), head({ colwidth: [60] }, t("Price", "价格"))),
  tr(cell({ colwidth: [100] }, t("Green", "绿茶")), cell({ colwidth: [60] }, "€ 12")),
  tr(cell({ colwidth: [100] }, t("Black", "红茶")), cell({ colwidth: [60] }, "€ 9")),
];
add("cells keep their width", ["article", "last"], (t) =>
  forms(["html", "markdown", "text"], (write) => ({
    before: [table(wide(t))],
    after: [table(wide(t).with(2, tr(cell({ colwidth: [100] }, t("Red", "普洱")), cell({ colwidth: [60] }, "€ 30"))))],
    lines: [5, 6],
    content: write([t("Red", "普洱"), "€ 30"]),
  })),
);

const merged = (t) => [
  tr(th(t("Tea", "茶")), th(t("From", "产地")), th(t("Price", "价格"))),
  tr(cell({ colspan: 2 }, t("All others", "其他")), "€ 5"),
];
add("a row with a merged cell", ["article"], (t) => [
  {
    form: "html",
    before: [table(merged(t))],
    after: [table(merged(t).with(1, tr(cell({ colspan: 2 }, t("The rest", "其余")), "€ 6")))],
    lines: [4, 5],
    content: `<tr><td colspan="2">${t("The rest", "其余")}</td><td>€ 6</td></tr>`,
  },
  {
    form: "html without colspan",
    before: [table(merged(t))],
    after: [table(merged(t).with(1, tr(cell({ colspan: 2 }, t("The rest", "其余")), "€ 6")))],
    refusalOk: true,
    lines: [4, 5],
    content: html(t("The rest", "其余"), "€ 6"),
  },
  {
    form: "text",
    before: [table(merged(t))],
    after: [table(merged(t).with(1, tr(cell({ colspan: 2 }, t("The rest", "其余")), "€ 6")))],
    lines: [4, 5],
    content: `${t("The rest", "其余")}\n€ 6`,
  },
]);

add("a cell with two paragraphs", ["article"], (t) => ({
  before: [table(header(t), tr(td(p(t("Green", "绿茶")), p(t("from Japan", "产自日本"))), "30 %", "70 °C"), black(t))],
  after: [table(header(t), tr(td(p(t("Green", "绿茶")), p(t("from China", "产自中国"))), "30 %", "70 °C"), black(t))],
  lines: [5],
  content: t("from China", "产自中国"),
}));

export default cases;
