// B6: what models wrap around the content is taken off where all lines agree, else the edit is refused.
import { bold, h, li, p, pre, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B6");

const a = (t) => t("The pot is warm.", "壶是温的。");
const b = (t) => t("The leaves are in.", "茶叶放好了。");
const a2 = (t) => t("The pot is very warm.", "壶很温热。");
const b2 = (t) => t("All leaves are in.", "茶叶全放好了。");

const NUMBERS = {
  ": ": (n, text) => `${n}: ${text}`,
  " | ": (n, text) => `${n} | ${text}`,
  tab: (n, text) => `${n}\t${text}`,
  "padded |": (n, text) => `${String(n).padStart(4)}| ${text}`,
  "→": (n, text) => `${String(n).padStart(5)}→${text}`,
  ":": (n, text) => `${n}:${text}`,
};
for (const [name, write] of Object.entries(NUMBERS)) {
  add(`line numbers with ${name}`, ["article", "quoted", "report"], (t) => [
    {
      form: "one line",
      before: [p(a(t)), p(b(t))],
      after: [p(a2(t)), p(b(t))],
      lines: [1],
      content: ({ line }) => write(line(1), a2(t)),
    },
    {
      form: "two lines",
      before: [p(a(t)), p(b(t))],
      after: [p(a2(t)), p(b2(t))],
      lines: [1, 2],
      content: ({ line }) => `${write(line(1), a2(t))}\n${write(line(2), b2(t))}`,
    },
    {
      form: "before HTML",
      before: [p(a(t)), p(b(t))],
      after: [p(bold(a2(t))), p(b(t))],
      lines: [1],
      content: ({ line }) => write(line(1), `<p><strong>${a2(t)}</strong></p>`),
    },
    {
      form: "items",
      before: [ul(li(a(t)), li(b(t)))],
      after: [ul(li(a2(t)), li(b2(t)))],
      lines: [1, 2],
      content: ({ line }) => `${write(line(1), `- ${a2(t)}`)}\n${write(line(2), `- ${b2(t)}`)}`,
    },
  ]);
}
add("one line has no number", ["article", "twins"], (t) => ({
  before: [p(a(t)), p(b(t)), p("x")],
  after: [p(a2(t)), p(b2(t)), p("y")],
  refusalOk: true,
  lines: [1, 3],
  content: ({ line }) => `${line(1)}: ${a2(t)}\n${b2(t)}\n${line(3)}: y`,
}));
add("a line that begins with its own number", ["article"], (t) => [
  // The slot of this frame begins at line 5.
  {
    form: "one line",
    before: [p(t("5: the age at which tea is allowed.", "5: 可以喝茶的年龄。"))],
    after: [p(t("5: the age at which green tea is allowed.", "5: 可以喝绿茶的年龄。"))],
    lines: [1],
    content: t("5: the age at which green tea is allowed.", "5: 可以喝绿茶的年龄。"),
  },
  {
    form: "in a list",
    before: [ul(li(t("5: the age.", "5: 年龄。")), li(t("6: the size.", "6: 尺码。")))],
    after: [ul(li(t("5: the new age.", "5: 新年龄。")), li(t("6: the new size.", "6: 新尺码。")))],
    lines: [1, 2],
    content: t("5: the new age.\n6: the new size.", "5: 新年龄。\n6: 新尺码。"),
  },
  {
    form: "another number",
    before: [p(t("Ratio.", "比例。"))],
    after: [p(t("3: 1 is the ratio.", "3: 1 是比例。"))],
    lines: [1],
    content: t("3: 1 is the ratio.", "3: 1 是比例。"),
  },
  {
    form: "a time",
    before: [p(t("Meet at nine.", "九点见面。"))],
    after: [p(t("5:30 is when we meet.", "5:30 见面。"))],
    lines: [1],
    content: t("5:30 is when we meet.", "5:30 见面。"),
  },
]);

const FENCES = {
  html: (text) => "```html\n" + text + "\n```",
  none: (text) => "```\n" + text + "\n```",
  markdown: (text) => "```markdown\n" + text + "\n```",
  text: (text) => "```text\n" + text + "\n```",
  "~~~": (text) => "~~~\n" + text + "\n~~~",
};
add("a code fence around HTML", ["article", "quoted", "last"], (t) =>
  Object.entries(FENCES)
    .filter(([name]) => name !== "text")
    .map(([form, wrap]) => ({
      form,
      before: [p(a(t)), p(b(t))],
      after: [p(a(t)), p(bold(b2(t)))],
      lines: [2],
      content: wrap(`<p><strong>${b2(t)}</strong></p>`),
    })),
);
add("a code fence around Markdown", ["article", "report"], (t) => [
  {
    form: "paragraphs",
    before: [p(a(t)), p(b(t))],
    after: [p(bold(a2(t))), p(b2(t))],
    lines: [1, 2],
    content: FENCES.markdown(`**${a2(t)}**\n\n${b2(t)}`),
  },
  {
    form: "list",
    before: [p(a(t)), p(b(t))],
    after: [p(a(t)), ul(li(b2(t)), li("x"))],
    lines: [2],
    content: FENCES.markdown(`- ${b2(t)}\n- x`),
  },
  {
    form: "heading",
    before: [p(a(t)), p(b(t))],
    after: [h(3, a2(t)), p(b2(t))],
    lines: [1, 2],
    content: FENCES.markdown(`### ${a2(t)}\n\n${b2(t)}`),
  },
]);
add("a code fence around text", ["article", "twins"], (t) => [
  // A block of code is fair too.
  {
    form: "text",
    before: [p(a(t)), p(b(t))],
    anyOf: [[p(a2(t)), p(b2(t))], [pre("text", `${a2(t)}\n${b2(t)}`)]],
    lines: [1, 2],
    content: FENCES.text(`${a2(t)}\n${b2(t)}`),
  },
]);
add("a section in a code fence", ["chapters", "last"], (t) => ({
  before: [h(2, t("Steps", "步骤")), p(a(t))],
  after: [h(2, t("Steps", "步骤")), p(a2(t)), p(b2(t))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: FENCES.html(`<p>${a2(t)}</p>\n<p>${b2(t)}</p>`),
  }),
}));
add("a fence for a code block is its fence", ["article"], (t) => ({
  before: [pre("js", "one();")],
  after: [pre("js", `one(1); // ${t("x", "叉")}`)],
  lines: [1],
  content: "```js\none(1); // " + t("x", "叉") + "\n```",
}));

const INTROS = {
  line: ["Here is the line:", "这是修改后的内容："],
  updated: ["Here's the updated line:", "以下是更新后的内容："],
  sure: ["Sure! Here is the revised text:", "好的，以下是修改后的文本："],
};
for (const [name, [en, zh]] of Object.entries(INTROS)) {
  add(`an introduction: ${name}`, ["article", "quoted"], (t) =>
    [
      {
        form: "text",
        before: [p(a(t)), p(b(t))],
        after: [p(a(t)), p(b2(t))],
        lines: [2],
        content: `${t(en, zh)}\n${b2(t)}`,
      },
      {
        form: "blank line",
        before: [p(a(t)), p(b(t))],
        after: [p(a(t)), p(b2(t))],
        lines: [2],
        content: `${t(en, zh)}\n\n${b2(t)}`,
      },
      {
        form: "html",
        before: [p(a(t)), p(b(t))],
        after: [p(a(t)), p(bold(b2(t)))],
        lines: [2],
        content: `${t(en, zh)}\n<p><strong>${b2(t)}</strong></p>`,
      },
      {
        form: "fence",
        before: [p(a(t)), p(b(t))],
        after: [p(a(t)), p(bold(b2(t)))],
        lines: [2],
        content: `${t(en, zh)}\n\n\`\`\`html\n<p><strong>${b2(t)}</strong></p>\n\`\`\``,
      },
    ].map((rule) => ({ ...rule, refusalOk: true })),
  );
}
add("a colon that is meant", ["article"], (t) => ({
  before: [p(a(t))],
  after: [p(t("What you need:", "所需物品：")), p(b2(t))],
  lines: [1],
  content: `${t("What you need:", "所需物品：")}\n${b2(t)}`,
}));

add("diff signs", ["article", "report", "quoted"], (t) => [
  {
    form: "one line",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b(t))],
    lines: [1],
    content: `-${a(t)}\n+${a2(t)}`,
  },
  {
    form: "with spaces",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b(t))],
    lines: [1],
    content: `- ${a(t)}\n+ ${a2(t)}`,
  },
  {
    form: "with context",
    before: [p(a(t)), p(b(t)), p("x")],
    after: [p(a(t)), p(b2(t)), p("x")],
    lines: [1, 3],
    content: ` ${a(t)}\n-${b(t)}\n+${b2(t)}\n x`,
  },
  {
    form: "with a hunk header",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b2(t))],
    lines: [1, 2],
    content: `@@ -1,2 +1,2 @@\n-${a(t)}\n-${b(t)}\n+${a2(t)}\n+${b2(t)}`,
  },
  {
    form: "only plus",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b2(t))],
    lines: [1, 2],
    content: `+${a2(t)}\n+${b2(t)}`,
    refusalOk: true,
  },
]);
add("diff signs with HTML", ["article"], (t) => ({
  before: [p(a(t)), p(b(t))],
  after: [p(bold(a2(t))), p(b(t))],
  refusalOk: true,
  lines: [1],
  content: `-<p>${a(t)}</p>\n+<p><strong>${a2(t)}</strong></p>`,
}));
add("search and replace markers", ["article", "twins"], (t) => [
  {
    form: "one line",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b(t))],
    lines: [1],
    content: `<<<<<<< SEARCH\n${a(t)}\n=======\n${a2(t)}\n>>>>>>> REPLACE`,
  },
  {
    form: "two lines",
    before: [p(a(t)), p(b(t))],
    after: [p(a2(t)), p(b2(t))],
    lines: [1, 2],
    content: `<<<<<<< SEARCH\n${a(t)}\n${b(t)}\n=======\n${a2(t)}\n${b2(t)}\n>>>>>>> REPLACE`,
  },
  {
    form: "other text in SEARCH",
    before: [p(a(t)), p(b(t))],
    refused: true,
    lines: [1],
    content: `<<<<<<< SEARCH\n${t("Quite another sentence stands here.", "这里完全是另一句话。")}\n=======\n${a2(t)}\n>>>>>>> REPLACE`,
  },
  {
    form: "cut off",
    before: [p(a(t)), p(b(t))],
    refused: true,
    lines: [1],
    content: `<<<<<<< SEARCH\n${a(t)}\n=======\n${a2(t)}`,
  },
]);
add("numbers of other lines", ["article", "report"], (t) => ({
  before: [p(a(t)), p(b(t))],
  after: [p(a2(t)), p(b2(t))],
  refusalOk: true,
  lines: [1, 2],
  content: ({ line }) => `${line(1) + 7}: ${a2(t)}\n${line(2) + 7}: ${b2(t)}`,
}));

export default cases;
