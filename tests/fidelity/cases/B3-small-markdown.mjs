// B3: Markdown in small is read, also in titles and in the new text of replace_text; it adds nothing that was not said.
import { bold, code, h, img, italic, li, link, ol, p, quote, strike, table, td, tr, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B3");

const SIGNS = {
  "*": [italic, "*", "*"],
  _: [italic, "_", "_"],
  "**": [bold, "**", "**"],
  __: [bold, "__", "__"],
  "`": [code, "`", "`"],
  "~~": [strike, "~~", "~~"],
};
for (const [sign, [mark, open, close]] of Object.entries(SIGNS)) {
  add(`${sign} in a line`, ["article", "quoted", "report"], (t) => [
    {
      form: "middle",
      before: [p(t("It is very old.", "它 非常 老。"))],
      after: [p(t("It is ", "它 "), mark(t("very", "非常")), t(" old.", " 老。"))],
      lines: [1],
      content: `${t("It is ", "它 ")}${open}${t("very", "非常")}${close}${t(" old.", " 老。")}`,
    },
    {
      form: "all",
      before: [p(t("It is very old.", "它非常老。"))],
      after: [p(mark(t("It is very old", "它非常老")))],
      lines: [1],
      content: `${open}${t("It is very old", "它非常老")}${close}`,
    },
    {
      form: "item",
      before: [ul(li(t("It is very old.", "它 非常 老。")), li("x"))],
      after: [ul(li(p(t("It is ", "它 "), mark(t("very", "非常")), t(" old.", " 老。"))), li("x"))],
      lines: [1],
      content: `${t("It is ", "它 ")}${open}${t("very", "非常")}${close}${t(" old.", " 老。")}`,
    },
    {
      form: "cell",
      before: [table(tr(td(t("very old", "非常老")), "x"))],
      after: [table(tr(td(mark(t("very old", "非常老"))), "x"))],
      lines: [1],
      content: `${open}${t("very old", "非常老")}${close}`,
    },
  ]);
}

add("marks beside Chinese punctuation", ["article", "chapters"], () =>
  [
    {
      form: "colon inside",
      before: [p("注意不要迟到")],
      after: [p(bold("注意："), "不要迟到")],
      content: "**注意：**不要迟到",
    },
    {
      form: "quotes inside",
      before: [p("他说不要迟到")],
      after: [p("他说", bold("“不要”"), "迟到")],
      content: "他说**“不要”**迟到",
    },
    {
      form: "full stop inside",
      before: [p("不要迟到谢谢")],
      after: [p(bold("不要迟到。"), "谢谢")],
      content: "**不要迟到。**谢谢",
    },
    {
      form: "title marks",
      before: [p("请读茶经")],
      after: [p("请读", bold("《茶经》"), "吧")],
      content: "请读**《茶经》**吧",
    },
  ].map((rule) => ({ ...rule, lines: [1] })),
);

add("a link", ["article", "quoted"], (t) => ({
  before: [p(t("Read the manual.", "请读手册。"))],
  after: [p(t("Read ", "请读"), link("https://example.com/m", t("the manual", "手册")), t(".", "。"))],
  lines: [1],
  content: t("Read [the manual](https://example.com/m).", "请读[手册](https://example.com/m)。"),
}));

add("blocks of one line", ["article", "last", "deep"], (t) => {
  const before = [p(t("Before.", "之前。")), p(t("Tea is life.", "茶即人生。")), p(t("After.", "之后。"))];
  const after = (block) => [before[0], block, before[2]];
  const text = t("Tea is life.", "茶即人生。");
  return [
    { form: ">", after: after(quote(p(text))), content: `> ${text}` },
    { form: "-", after: after(ul(li(text))), content: `- ${text}` },
    { form: "*", after: after(ul(li(text))), content: `* ${text}` },
    { form: "1.", after: after(ol(li(text))), content: `1. ${text}` },
    { form: "#", after: after(h(3, text)), content: `### ${text}` },
    { form: "two -", after: after(ul(li(text), li("x"))), content: `- ${text}\n- x` },
  ].map((rule) => ({ before, lines: [2], ...rule }));
});

// Titles

const TITLES = {
  "##": (text) => `## ${text}`,
  "###": (text) => `### ${text}`,
  "#": (text) => `# ${text}`,
  h2: (text) => `<h2>${text}</h2>`,
  "**": (text) => `**${text}**`,
  strong: (text) => `<strong>${text}</strong>`,
  plain: (text) => text,
};
const end = (t) => t("The end", "结尾");
const say = (t) => t("Drink up.", "喝完吧。");
const heading = (form, t) => (form === "**" || form === "strong" ? [h(2, end(t)), h(2, bold(end(t)))] : [h(2, end(t))]);
add("the title of append", ["article", "chapters", "last"], (t) =>
  Object.entries(TITLES).map(([form, write]) => ({
    form,
    before: [h(2, t("Steps", "步骤")), p(t("Pour.", "倒水。"))],
    append: heading(form, t).map((title) => [title, p(say(t))]),
    call: { operation: "append", title: write(end(t)), content: `<p>${say(t)}</p>` },
  })),
);
add("the title of insert", ["chapters", "last"], (t) =>
  Object.entries(TITLES).map(([form, write]) => {
    const before = [h(2, t("Steps", "步骤")), p(t("Pour.", "倒水。"))];
    return {
      form,
      before,
      anyOf: heading(form, t).map((title) => [title, p(say(t)), ...before]),
      call: ({ section }) => ({
        operation: "insert",
        sectionIndex: section,
        title: write(end(t)),
        content: `<p>${say(t)}</p>`,
      }),
    };
  }),
);
add("the title of replace", ["chapters", "last"], (t) =>
  Object.entries(TITLES).map(([form, write]) => ({
    form,
    before: [h(2, t("Steps", "步骤")), p(t("Pour.", "倒水。"))],
    anyOf: heading(form, t).map((title) => [title, p(say(t))]),
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      title: write(end(t)),
      content: `<p>${say(t)}</p>`,
    }),
  })),
);

// replace_text

for (const [sign, [mark, open, close]] of Object.entries(SIGNS)) {
  add(`${sign} in the new text`, ["article", "report"], (t) => ({
    before: [p(t("The oolong is rare.", "乌龙 很少见。"))],
    after: [p(t("The ", ""), mark(t("oolong", "乌龙")), t(" is rare.", " 很少见。"))],
    call: { operation: "replace_text", old: t("oolong", "乌龙"), new: `${open}${t("oolong", "乌龙")}${close}` },
  }));
}
add("a link in the new text", ["article", "quoted"], (t) => ({
  before: [p(t("The oolong is rare.", "乌龙很少见。"))],
  after: [p(t("The ", ""), link("https://example.com/o", t("oolong", "乌龙")), t(" is rare.", "很少见。"))],
  call: { operation: "replace_text", old: t("oolong", "乌龙"), new: `[${t("oolong", "乌龙")}](https://example.com/o)` },
}));

// Nothing that was not said

add("no link of a bare URL", ["article", "last"], (t) => [
  {
    form: "in another line",
    before: [
      p(t("See https://example.com/tea for more.", "更多请见 https://example.com/tea 。")),
      p(t("It is old.", "它很老。")),
    ],
    after: [
      p(t("See https://example.com/tea for more.", "更多请见 https://example.com/tea 。")),
      p(t("It is ", "它"), bold(t("very old", "非常老")), t(".", "。")),
    ],
    lines: [1, 2],
    content: `${t("See https://example.com/tea for more.", "更多请见 https://example.com/tea 。")}\n${t("It is **very old**.", "它**非常老**。")}`,
  },
  {
    form: "in the line",
    before: [p(t("See https://example.com/tea now.", "请见 https://example.com/tea 。"))],
    after: [
      p(t("See https://example.com/tea ", "请见 https://example.com/tea "), bold(t("today", "今天")), t(".", " 。")),
    ],
    lines: [1],
    content: t("See https://example.com/tea **today**.", "请见 https://example.com/tea **今天** 。"),
  },
  {
    form: "an address",
    before: [p(t("Write to ann@example.com soon.", "请写信给 ann@example.com 。"))],
    after: [p(t("Write to ann@example.com ", "请写信给 ann@example.com "), italic(t("today", "今天")), t(".", " 。"))],
    lines: [1],
    content: t("Write to ann@example.com *today*.", "请写信给 ann@example.com *今天* 。"),
  },
]);
add("no empty description of an image", ["article"], (t) => ({
  before: [p(t("A picture:", "图片：")), p("x")],
  after: [p(t("A picture:", "图片：")), img("https://example.com/n.png")],
  lines: [2],
  content: "![](https://example.com/n.png)",
}));
add("no typographic changes", ["article"], (t) => ({
  before: [p(t('It\'s "old" -- very old...', "它“老” -- 很老..."))],
  after: [p(t('It\'s "old" -- ', "它“老” -- "), bold(t("very", "很")), t(" old...", "老..."))],
  lines: [1],
  content: t('It\'s "old" -- **very** old...', "它“老” -- **很**老..."),
}));

export default cases;
