// B7: content that repeats the neighbouring lines is recognised.
import { bold, h, li, link, ol, p, quote, table, td, th, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B7");

const before = (t) => t("The pot must be warm before the leaves go in.", "放入茶叶之前，壶必须温热。");
const named = (t) => t("Take two spoons of leaves for each guest.", "每位客人取两勺茶叶。");
const after = (t) => t("Wait for three minutes with the lid on.", "盖上盖子等三分钟。");
const fresh = (t) => t("Take three spoons of fresh leaves for each guest.", "每位客人取三勺新鲜茶叶。");
const texts = (t) => [before(t), named(t), after(t)];

const HOLDERS = {
  paragraphs: {
    hold: (list) => list.map((text) => p(text)),
    html: (list) => list.map((text) => `<p>${text}</p>`).join(""),
    sign: "",
  },
  items: {
    hold: (list) => [ul(list.map((text) => li(text)))],
    html: (list) => `<ul>${list.map((text) => `<li>${text}</li>`).join("")}</ul>`,
    sign: "- ",
  },
  "paragraphs of a quotation": {
    hold: (list) => [quote(list.map((text) => p(text)))],
    html: (list) => `<blockquote>${list.map((text) => `<p>${text}</p>`).join("")}</blockquote>`,
    sign: "> ",
  },
};
for (const [name, { hold, html, sign }] of Object.entries(HOLDERS)) {
  const frames = name === "paragraphs" ? ["article", "quoted", "report"] : ["article", "last"];
  add(`neighbours of ${name}`, frames, (t) => {
    const [one, , three] = texts(t);
    const parts = { both: [one, fresh(t), three], before: [one, fresh(t)], after: [fresh(t), three] };
    return Object.entries(parts).flatMap(([which, list]) =>
      [
        { form: `${which}, text`, content: list.join("\n") },
        { form: `${which}, html`, content: html(list) },
        ...(sign ? [{ form: `${which}, signs`, content: list.map((text) => sign + text).join("\n") }] : []),
      ].map((rule) => ({ ...rule, before: hold(texts(t)), after: hold([one, fresh(t), three]), lines: [2] })),
    );
  });
}

add("two neighbours on a side", ["article", "deep"], (t) => ({
  before: [p(before(t)), p(t("Use water from the spring.", "用泉水。")), p(named(t)), p(after(t))],
  after: [p(before(t)), p(t("Use water from the spring.", "用泉水。")), p(fresh(t)), p(after(t))],
  lines: [3],
  content: [before(t), t("Use water from the spring.", "用泉水。"), fresh(t)].join("\n"),
}));

add("neighbours with marks keep them", ["article", "twins"], (t) => {
  const marked = [
    t("The pot must be ", "放茶叶前，"),
    bold(t("warm", "壶必须温热")),
    t(" before the leaves go in.", "，千万记得。"),
  ];
  const text = t("The pot must be warm before the leaves go in.", "放茶叶前，壶必须温热，千万记得。");
  return {
    before: [p(marked), p(named(t)), p(after(t))],
    after: [p(marked), p(fresh(t)), p(after(t))],
    lines: [2],
    content: `${text}\n${fresh(t)}\n${after(t)}`,
  };
});

add("neighbours in other words are not neighbours", ["article"], (t) => ({
  before: texts(t).map((text) => p(text)),
  after: [p(before(t)), p(fresh(t)), p(t("Then sit down and talk a little.", "然后坐下聊聊天。")), p(after(t))],
  lines: [2],
  content: `${fresh(t)}\n${t("Then sit down and talk a little.", "然后坐下聊聊天。")}`,
}));

add("a table for one cell", ["article", "report"], (t) => {
  const rows = (price) => [
    [t("Tea", "茶"), t("Price", "价格")],
    [t("Green", "绿茶"), price],
    [t("Black", "红茶"), "€ 9"],
  ];
  const made = (price) => [
    p("x"),
    table(rows(price).map((cells, index) => tr(cells.map((text) => (index ? td(text) : th(text)))))),
  ];
  const html = `<table><tbody>${rows("€ 13")
    .map(
      (cells, index) => `<tr>${cells.map((text) => (index ? `<td>${text}</td>` : `<th>${text}</th>`)).join("")}</tr>`,
    )
    .join("")}</tbody></table>`;
  const markdown = rows("€ 13")
    .map((cells, index) => `| ${cells.join(" | ")} |${index ? "" : "\n|---|---|"}`)
    .join("\n");
  return [
    ["html", html, 5],
    ["markdown", markdown, 5],
  ].map(([form, content, line]) => ({ form, before: made("€ 12"), after: made("€ 13"), lines: [line], content }));
});

add("a row for one cell", ["article", "last"], (t) =>
  [
    ["html", `<tr><td>${t("Green", "绿茶")}</td><td>€ 13</td></tr>`],
    ["markdown", `| ${t("Green", "绿茶")} | € 13 |`],
  ].map(([form, content]) => ({
    form,
    before: [table(tr(th(t("Tea", "茶")), th(t("Price", "价格"))), tr(t("Green", "绿茶"), "€ 12"))],
    after: [table(tr(th(t("Tea", "茶")), th(t("Price", "价格"))), tr(t("Green", "绿茶"), "€ 13"))],
    refusalOk: true,
    lines: [4],
    content,
  })),
);

add("a list for one item", ["article", "minutes"], (t) => ({
  before: [p("x"), ol(texts(t).map((text) => li(text)))],
  after: [
    p("x"),
    ol(
      texts(t)
        .with(1, fresh(t))
        .map((text) => li(text)),
    ),
  ],
  lines: [3],
  content: `<ol>${texts(t)
    .with(1, fresh(t))
    .map((text) => `<li>${text}</li>`)
    .join("")}</ol>`,
}));

// Sections

const steps = (t) => h(2, t("Steps", "步骤"));
const next = (t) => [
  h(2, t("Afterwards", "之后")),
  p(t("Wash the pot.", "洗壶。")),
  ul(li(t("with water only", "只用水"))),
];
const nextHtml = (t) =>
  `<h2>${t("Afterwards", "之后")}</h2><p>${t("Wash the pot.", "洗壶。")}</p><ul><li>${t("with water only", "只用水")}</li></ul>`;
const nextMarkdown = (t) =>
  `## ${t("Afterwards", "之后")}\n\n${t("Wash the pot.", "洗壶。")}\n\n- ${t("with water only", "只用水")}`;
add("a section with the next one", ["chapters", "last"], (t) =>
  [
    { form: "html", content: `<p>${fresh(t)}</p>${nextHtml(t)}` },
    { form: "html with its own heading", content: `<h2>${t("Steps", "步骤")}</h2><p>${fresh(t)}</p>${nextHtml(t)}` },
    { form: "markdown", content: `${fresh(t)}\n\n${nextMarkdown(t)}` },
    { form: "only the next heading", content: `<p>${fresh(t)}</p><h2>${t("Afterwards", "之后")}</h2>` },
  ].map(({ form, content }) => ({
    form,
    before: [steps(t), p(named(t)), ...next(t)],
    after: [steps(t), p(fresh(t)), ...next(t)],
    refusalOk: form === "only the next heading",
    call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
  })),
);
add("a section with its own heading", ["chapters", "last"], (t) =>
  [
    { form: "html", content: `<h2>${t("Steps", "步骤")}</h2><p>${fresh(t)}</p>` },
    { form: "markdown", content: `## ${t("Steps", "步骤")}\n\n${fresh(t)}` },
    { form: "text", content: `${t("Steps", "步骤")}\n${fresh(t)}` },
  ]
    .map(({ form, content }) => ({
      form,
      before: [steps(t), p(named(t), " ", link("https://example.com/s", "*"))],
      after: [steps(t), p(fresh(t))],
      call: ({ section }) => ({ operation: "replace", sectionIndex: section, content }),
    }))
    .slice(0, 2),
);
add("an appended section with its own heading", ["article", "last"], (t) =>
  [
    { form: "html", content: `<h2>${t("The end", "结尾")}</h2><p>${fresh(t)}</p>` },
    { form: "markdown", content: `## ${t("The end", "结尾")}\n\n${fresh(t)}` },
  ].map(({ form, content }) => ({
    form,
    before: [steps(t), p(named(t))],
    append: [[h(2, t("The end", "结尾")), p(fresh(t))]],
    call: { operation: "append", title: t("The end", "结尾"), content },
  })),
);

export default cases;
