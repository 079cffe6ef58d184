// A8: inline atoms: what the model is shown for them comes back as the node; text that leaves it out deletes it.
import { bold, br, h, italic, li, math, mention, p, quote, table, tasks, td, todo, tr, ul } from "../builders.mjs";
import { collector, shown } from "../rules.mjs";

const { cases, add } = collector("A8");

const ANN = mention("u9", "Ann Lee");
const BO = mention("u8", "Bo");
const E = math("E=mc^2");
const HOLDERS = {
  "a paragraph": (...parts) => [p(parts)],
  "a heading": (...parts) => [h(4, parts), p("…")],
  "an item": (...parts) => [ul(li(p(parts)), li("x"))],
  "a task": (...parts) => [tasks(todo(p(parts)))],
  "a cell": (...parts) => [table(tr(td(p(parts)), "x"))],
  "a quotation": (...parts) => [quote(p(parts), p("x"))],
};
// The frames here have no atoms before the slot, so that the first atom of the slot is the first of the document.
const FRAMES = ["article", "twins"];

for (const [name, hold] of Object.entries(HOLDERS)) {
  add(`words around a mention in ${name}`, FRAMES, (t) =>
    [
      { form: "as shown", text: shown(0) },
      { form: "its name", text: "@Ann Lee" },
    ].map(({ form, text }) => ({
      form,
      before: hold(t("Ask ", "请问"), ANN, t(" for tea.", "要茶。")),
      after: hold(t("Please ask ", "请去问"), ANN, t(" for milk.", "要牛奶。")),
      lines: [1],
      content: t(`Please ask ${text} for milk.`, `请去问${text}要牛奶。`),
    })),
  );
  add(`words around a formula in ${name}`, FRAMES, (t) => ({
    before: hold(t("Energy is ", "能量是"), E, t(" here.", "。")),
    after: hold(t("All energy is ", "全部能量是"), E, t(" there.", "，没错。")),
    lines: [1],
    content: t(`All energy is ${shown(0)} there.`, `全部能量是${shown(0)}，没错。`),
  }));
}

add("a mention is left out", ["article", "quoted", "last"], (t) => ({
  before: [p(t("Ask ", "请问"), ANN, t(" and ", "和"), bold(t("the cook", "厨师")), t(".", "。"))],
  after: [p(t("Ask ", "请问"), bold(t("the cook", "厨师")), t(".", "。"))],
  lines: [1],
  content: t("Ask the cook.", "请问厨师。"),
}));

add("a formula is left out", ["article", "first"], (t) => ({
  before: [p(t("Energy is ", "能量是"), E, t(", they say.", "，据说。"))],
  after: [p(t("Energy is much, they say.", "能量是很多，据说。"))],
  lines: [1],
  content: t("Energy is much, they say.", "能量是很多，据说。"),
}));

add("two mentions change places", ["article", "twins"], (t) => ({
  before: [p(t("First ", "先"), ANN, t(", then ", "，后"), BO, t(".", "。"))],
  after: [p(t("First ", "先"), BO, t(", then ", "，后"), ANN, t(".", "。"))],
  lines: [1],
  content: t(`First ${shown(1)}, then ${shown(0)}.`, `先${shown(1)}，后${shown(0)}。`),
}));

add("one of two mentions stays", ["article", "deep"], (t) => ({
  before: [p(t("Ask ", "问"), ANN, t(" or ", "或"), BO, t(".", "。"))],
  after: [p(t("Ask ", "问"), BO, t(".", "。"))],
  lines: [1],
  content: t(`Ask ${shown(1)}.`, `问${shown(1)}。`),
}));

add("a mention moves to another paragraph", ["article", "twins"], (t) => ({
  before: [p(t("Ask ", "问"), ANN, t(" first.", "再说。")), p(t("Then drink.", "然后喝。"))],
  after: [p(t("Ask first.", "问再说。")), p(t("Then drink with ", "然后喝，同"), ANN, t(".", "。"))],
  lines: [1, 2],
  content: t(`Ask first.\nThen drink with ${shown(0)}.`, `问再说。\n然后喝，同${shown(0)}。`),
}));

add("HTML", ["article", "quoted"], (t) =>
  [
    { form: "element in p", content: (text) => `<p>${text('<span data-mention="u9">@Ann Lee</span>')}</p>` },
    { form: "element inline", content: (text) => text('<span data-mention="u9">@Ann Lee</span>') },
    { form: "as text in p", content: (text) => `<p>${text("@Ann Lee")}</p>` },
    { form: "as shown in p", content: (text) => `<p>${text(shown(0))}</p>` },
  ].map(({ form, content }) => ({
    form,
    before: [p(t("Ask ", "请问"), ANN, t(" for tea.", "要茶。"))],
    after: [p(t("Please ask ", "请去问"), ANN, t(" for ", "要"), bold(t("milk", "牛奶")), t(".", "。"))],
    lines: [1],
    content: content((who) =>
      t(`Please ask ${who} for <strong>milk</strong>.`, `请去问${who}要<strong>牛奶</strong>。`),
    ),
  })),
);

add("a formula in HTML", ["article", "report"], (t) => ({
  before: [p(t("Energy is ", "能量是"), E, t(" here.", "。"))],
  after: [p(t("Energy is ", "能量是"), italic(t("always ", "总是")), E, t(" here.", "。"))],
  lines: [1],
  content: `<p>${t("Energy is ", "能量是")}<em>${t("always ", "总是")}</em><span data-latex="E=mc^2"></span>${t(" here.", "。")}</p>`,
}));

add("Markdown", FRAMES, (t) => ({
  before: [p(t("Ask ", "请问"), ANN, t(" for tea.", "要茶。"))],
  after: [p(t("Ask ", "请问"), ANN, t(" for ", "要"), bold(t("milk", "牛奶")), t(".", "。"))],
  lines: [1],
  content: t(`Ask ${shown(0)} for **milk**.`, `请问${shown(0)}要**牛奶**。`),
}));

add("around hard breaks", FRAMES, (t) => ({
  before: [p(t("Ask ", "问"), ANN, br, t("or wait.", "或等。"))],
  after: [p(t("Ask ", "问"), ANN, br, t("or wait a day.", "或等一天。"))],
  lines: [1, 2],
  content: t(`Ask ${shown(0)}\nor wait a day.`, `问${shown(0)}\n或等一天。`),
}));

add("text is replaced across a mention", FRAMES, (t) =>
  [
    {
      form: "kept",
      old: t(`Ask ${shown(0)} for tea`, `请问${shown(0)}要茶`),
      new: t(`Ask ${shown(0)} for milk`, `请问${shown(0)}要奶`),
      after: [p(t("Ask ", "请问"), ANN, t(" for milk now.", "要奶吧。"))],
    },
    {
      form: "beside it",
      old: t("tea now", "茶吧"),
      new: t("milk later", "奶呢"),
      after: [p(t("Ask ", "请问"), ANN, t(" for milk later.", "要奶呢。"))],
    },
    {
      form: "its name is replaced",
      old: "@Ann Lee",
      new: t("the cook", "厨师"),
      after: [p(t("Ask the cook for tea now.", "请问厨师要茶吧。"))],
    },
    {
      form: "left out",
      old: t(` ${shown(0)} for tea`, `问${shown(0)}要茶`),
      new: t(" for tea", "要茶"),
      after: [p(t("Ask for tea now.", "请要茶吧。"))],
    },
  ].map(({ form, old, new: text, after }) => ({
    form,
    before: [p(t("Ask ", "请问"), ANN, t(" for tea now.", "要茶吧。"))],
    after,
    call: { operation: "replace_text", old, new: text },
  })),
);

add("a section given as text", ["chapters", "last"], (t) => ({
  before: [h(2, t("People", "人员")), p(t("Ask ", "问"), ANN, t(" first.", "。")), p(t("Then drink.", "然后喝。"))],
  after: [
    h(2, t("People", "人员")),
    p(t("Ask ", "问"), ANN, t(" first.", "。")),
    p(t("Then drink slowly.", "然后慢慢喝。")),
  ],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: t(`Ask ${shown(0)} first.\nThen drink slowly.`, `问${shown(0)}。\n然后慢慢喝。`),
  }),
}));

// What only looks like a form, several of the same, and forms that other notation would take apart.

add("text that looks like a form", ["article", "twins"], (t) => [
  {
    form: "an address and an unknown name",
    before: [p(t("Ask ", "请问"), BO, t(" for tea.", "要茶。"))],
    after: [p(t("Ask ", "请问"), BO, t(", or write to me@Bo.example or @home.", "，或写信到 me@Bo.example 或 @home。"))],
    lines: [1],
    content: t(
      `Ask ${shown(0)}, or write to me@Bo.example or @home.`,
      `请问${shown(0)}，或写信到 me@Bo.example 或 @home。`,
    ),
  },
  {
    form: "prices beside a formula",
    before: [p(t("With ", "当"), math("x"), t(" cups it is cheap.", "杯时很便宜。"))],
    after: [p(t("With ", "当"), math("x"), t(" cups it is $5 to $6.", "杯时要 $5 到 $6。"))],
    lines: [1],
    content: t(`With ${shown(0)} cups it is $5 to $6.`, `当${shown(0)}杯时要 $5 到 $6。`),
  },
  {
    form: "a longer name",
    before: [p(t("Ask ", "请问 "), BO, t(" now.", " 吧。"))],
    after: [p(t("Ask @Bobby now.", "请问 @Bobby 吧。"))],
    lines: [1],
    content: t("Ask @Bobby now.", "请问 @Bobby 吧。"),
  },
]);

add("two mentions of one person", ["article", "twins"], (t) => [
  {
    form: "both stay",
    before: [p(ANN, t(" asks ", "问"), mention("u7", "Ann Lee"), t(" for tea.", "要茶。"))],
    after: [p(ANN, t(" thanks ", "谢"), mention("u7", "Ann Lee"), t(" for tea.", "的茶。"))],
    lines: [1],
    content: t(`${shown(0)} thanks ${shown(1)} for tea.`, `${shown(0)}谢${shown(1)}的茶。`),
  },
  {
    form: "the words between go",
    before: [p(ANN, t(", then milk, ", "，牛奶，"), mention("u7", "Ann Lee"), t(".", "。"))],
    after: [p(ANN, t(", ", "，"), mention("u7", "Ann Lee"), t(".", "。"))],
    lines: [1],
    content: t(`${shown(0)}, ${shown(1)}.`, `${shown(0)}，${shown(1)}。`),
  },
]);

add("a mention that is written twice", ["article", "deep"], (t) => ({
  before: [p(t("Ask ", "请问"), ANN, t(" first.", "。"))],
  after: [p(t("Ask ", "请问"), ANN, t(", and thank ", "，再谢谢"), ANN, t(".", "。"))],
  lines: [1],
  content: t(`Ask ${shown(0)}, and thank ${shown(0)}.`, `请问${shown(0)}，再谢谢${shown(0)}。`),
}));

add("latex with signs of other notations", ["article", "quoted"], (t) =>
  ["\\nu", "a<b", "x_1*y_2*z", "a \\& b", "\\text{t}", "|x|", "**b**", "`c`"].map((latex) => ({
    form: latex,
    before: [p(t("So ", "所以"), math(latex), t(" is it.", "就是。"))],
    after: [p(t("Thus ", "因此"), math(latex), t(" is it.", "就是。"))],
    lines: [1],
    content: t(`Thus ${shown(0)} is it.`, `因此${shown(0)}就是。`),
  })),
);

add("between two paragraphs and their marks", ["article", "chapters"], (t) => [
  {
    form: "paragraphs are joined",
    before: [p(t("Ask ", "请问"), ANN, t(".", "。")), p(bold(t("Then drink.", "然后喝。")))],
    after: [p(t("Ask ", "请问"), ANN, t(". ", "。"), bold(t("Then drink.", "然后喝。")))],
    lines: [1, 2],
    content: t(`Ask ${shown(0)}. Then drink.`, `请问${shown(0)}。然后喝。`),
  },
  {
    form: "a paragraph is split",
    before: [p(t("Ask ", "请问"), ANN, t(". Thank ", "。谢谢"), BO, t(".", "。"))],
    after: [p(t("Ask ", "请问"), ANN, t(".", "。")), p(t("Thank ", "谢谢"), BO, t(".", "。"))],
    lines: [1],
    content: t(`Ask ${shown(0)}.\nThank ${shown(1)}.`, `请问${shown(0)}。\n谢谢${shown(1)}。`),
  },
  {
    form: "lines are swapped",
    before: [p(t("Ask ", "请问"), ANN, t(" now.", "。")), p(t("Thank ", "谢谢"), BO, t(" later.", "吧。"))],
    after: [p(t("Thank ", "谢谢"), BO, t(" later.", "吧。")), p(t("Ask ", "请问"), ANN, t(" now.", "。"))],
    lines: [1, 2],
    content: t(`Thank ${shown(1)} later.\nAsk ${shown(0)} now.`, `谢谢${shown(1)}吧。\n请问${shown(0)}。`),
  },
]);

add("two edits of one call", ["article", "twins"], (t) => ({
  before: [p(t("Ask ", "请问"), ANN, t(" now.", "。")), p("…"), p(t("Then go.", "然后走。"))],
  after: [p(t("Ask now.", "请问。")), p("…"), p(t("Then go with ", "然后同"), ANN, t(".", "走。"))],
  edits: [
    { lines: [1], content: t("Ask now.", "请问。") },
    { lines: [3], content: t(`Then go with ${shown(0)}.`, `然后同${shown(0)}走。`) },
  ],
}));

add("a mention with a mark", ["article", "twins"], (t) => [
  {
    form: "stays bold",
    before: [p(t("Ask ", "请问"), bold(ANN), t(" now.", "吧。"))],
    after: [p(t("Do ask ", "快去问"), bold(ANN), t(" now.", "吧。"))],
    lines: [1],
    content: t(`Do ask ${shown(0)} now.`, `快去问${shown(0)}吧。`),
  },
  {
    form: "becomes bold",
    before: [p(t("Ask ", "请问"), ANN, t(" now.", " 吧。"))],
    after: [p(t("Ask ", "请问"), bold(ANN), t(" now.", " 吧。"))],
    lines: [1],
    content: t(`Ask **${shown(0)}** now.`, `请问 **${shown(0)}** 吧。`).replace("请问 ", "请问"),
  },
]);

add("in a table and a list", ["article", "twins"], (t) => [
  {
    form: "a row as HTML",
    before: [table(tr(td(p(ANN)), "1"), tr("x", "y"))],
    after: [table(tr(td(p(ANN)), "2"), tr("x", "y"))],
    lines: [1, 2],
    content: `<tr><td>${shown(0)}</td><td>2</td></tr>`,
  },
  {
    form: "a row of Markdown",
    before: [table(tr(td(p(ANN)), "1"), tr("x", "y"))],
    after: [table(tr(td(p(ANN)), "2"), tr("x", "y"))],
    lines: [1, 2],
    content: `| ${shown(0)} | 2 |`,
  },
  {
    form: "items as HTML",
    before: [ul(li(p(t("Ask ", "问"), ANN)), li("x"))],
    after: [ul(li(p(t("Thank ", "谢"), ANN)), li("x"))],
    lines: [1],
    content: `<li>${t("Thank ", "谢")}${shown(0)}</li>`,
  },
  {
    form: "an item with its sign",
    before: [ul(li(p(t("Ask ", "问"), ANN)), li("x"))],
    after: [ul(li(p(t("Thank ", "谢"), ANN)), li("x"))],
    lines: [1],
    content: `- ${t("Thank ", "谢")}${shown(0)}`,
  },
]);

add("a section given as HTML or Markdown", ["chapters", "last"], (t) =>
  [
    { form: "HTML", content: (first, second) => `<p>${first}</p><p>${second}</p>` },
    { form: "Markdown", content: (first, second) => `${first}\n\n${second}` },
  ].map(({ form, content }) => ({
    form,
    before: [h(2, t("People", "人员")), p(t("Ask ", "问"), ANN, t(" and ", "和"), E, "."), p(t("Drink.", "喝。"))],
    after: [h(2, t("People", "人员")), p(t("Thank ", "谢"), ANN, t(" and ", "和"), E, "."), p(t("Drink.", "喝。"))],
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      content: content(t(`Thank ${shown(0)} and ${shown(1)}.`, `谢${shown(0)}和${shown(1)}.`), t("Drink.", "喝。")),
    }),
  })),
);

add("a line that is only a mention", ["article", "twins"], (t) => [
  {
    form: "words come",
    before: [p(ANN), p("…")],
    after: [p(t("Ask ", "请问"), ANN, t(".", "。")), p("…")],
    lines: [1],
    content: t(`Ask ${shown(0)}.`, `请问${shown(0)}。`),
  },
  { form: "it goes with the line", before: [p(ANN), p("…")], after: [p("…")], lines: [1], content: "" },
]);

export default cases;
