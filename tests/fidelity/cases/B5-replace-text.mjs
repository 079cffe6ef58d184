// B5: replace_text: spaces at the ends, typography that stays, and matches across marks, breaks and blocks.
import {
  bold,
  br,
  code,
  h,
  italic,
  li,
  link,
  mention,
  ol,
  p,
  pre,
  quote,
  strike,
  table,
  tasks,
  td,
  todo,
  tr,
  ul,
} from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("B5");

const rule = (before, after, old, text, more) => ({
  before,
  after,
  call: { operation: "replace_text", old, new: text, ...more },
});
const URL = "https://example.com/oolong";

add("a word", ["article", "report", "quoted", "chapters"], (t) =>
  rule(
    [p(t("The oolong is rare.", "乌龙很少见。"))],
    [p(t("The jasmine is rare.", "茉莉很少见。"))],
    t("oolong", "乌龙"),
    t("jasmine", "茉莉"),
  ),
);
add("a word is deleted", ["article", "twins"], (t) =>
  rule(
    [p(t("The rare oolong is here.", "稀有的乌龙来了。"))],
    [p(t("The oolong is here.", "乌龙来了。"))],
    t("rare ", "稀有的"),
    "",
  ),
);

add("spaces and newlines at the ends", ["article", "last"], (t) => {
  const [before, after] = [
    [p(t("The oolong is rare.", "这 乌龙 少见。"))],
    [p(t("The jasmine is rare.", "这 茉莉 少见。"))],
  ];
  const [old, text] = [t("oolong", "乌龙"), t("jasmine", "茉莉")];
  return [
    ["newlines behind both", `${old}\n`, `${text}\n`],
    ["newlines around both", `\n${old}\n`, `\n${text}\n`],
    ["newline behind old", `${old}\n`, text],
    ["newline before new", old, `\n${text}`],
    ["spaces around both", ` ${old} `, ` ${text} `],
    ["spaces that are not there", `  ${old}  `, `  ${text}  `],
    ["space before both", ` ${old}`, ` ${text}`],
  ].map(([form, one, other]) => {
    // A newline in front of the new text alone may also begin a paragraph.
    const split = [p(t("The ", "这 ")), p(t("jasmine is rare.", "茉莉 少见。"))];
    return {
      form,
      ...rule(before, after, one, other),
      ...(form === "newline before new" ? { anyOf: [after, split] } : {}),
    };
  });
});
add("the whole line with a newline", ["article", "deep"], (t) =>
  rule(
    [p(t("The oolong is rare.", "乌龙很少见。")), p("x")],
    [p(t("The oolong is gone.", "乌龙卖完了。")), p("x")],
    `${t("The oolong is rare.", "乌龙很少见。")}\n`,
    `${t("The oolong is gone.", "乌龙卖完了。")}\n`,
  ),
);

// Typography

add("typography of what stays", ["article", "quoted"], (t) =>
  [
    [
      "quotes",
      t("He said “oolong is rare” twice.", "他说“乌龙少见”两次。"),
      t('said "oolong is rare" twice', '说"乌龙少见"两次'),
      t('said "oolong is rare" often', '说"乌龙少见"多次'),
      t("He said “oolong is rare” often.", "他说“乌龙少见”多次。"),
    ],
    [
      "apostrophe",
      t("It’s the cook’s oolong.", "It’s 厨师的乌龙。"),
      t("It's the cook's oolong", "It's 厨师的乌龙"),
      t("It's the cook's jasmine", "It's 厨师的茉莉"),
      t("It’s the cook’s jasmine.", "It’s 厨师的茉莉。"),
    ],
    [
      "dash",
      t("From 1990–2000 oolong was rare.", "1990–2000 年乌龙少见。"),
      t("From 1990-2000 oolong", "1990-2000 年乌龙"),
      t("From 1990-2000 jasmine", "1990-2000 年茉莉"),
      t("From 1990–2000 jasmine was rare.", "1990–2000 年茉莉少见。"),
    ],
    [
      "no-break space",
      t("At 80\u00A0°C the oolong opens.", "在 80\u00A0°C 乌龙舒展。"),
      t("At 80 °C the oolong", "在 80 °C 乌龙"),
      t("At 80 °C the jasmine", "在 80 °C 茉莉"),
      t("At 80\u00A0°C the jasmine opens.", "在 80\u00A0°C 茉莉舒展。"),
    ],
    [
      "ellipsis",
      t("Wait… the oolong opens.", "等等…乌龙舒展。"),
      t("Wait... the oolong", "等等...乌龙"),
      t("Wait... the jasmine", "等等...茉莉"),
      t("Wait… the jasmine opens.", "等等…茉莉舒展。"),
    ],
    [
      "width",
      t("ＡＢＣ oolong is rare.", "ＡＢＣ乌龙，少见。"),
      t("ABC oolong", "ABC乌龙,少见"),
      t("ABC jasmine", "ABC茉莉,少见"),
      t("ＡＢＣ jasmine is rare.", "ＡＢＣ茉莉，少见。"),
    ],
  ].map(([form, before, old, text, after]) => ({ form, ...rule([p(before)], [p(after)], old, text) })),
);

// Marks

add("across marks", ["article", "report", "chapters"], (t) => [
  {
    form: "words behind bold",
    ...rule(
      [p(t("A ", "一种"), bold(t("rare", "稀有的")), t(" oolong here.", "乌龙茶。"))],
      [p(t("A ", "一种"), bold(t("rare", "稀有的")), t(" jasmine here.", "茉莉茶。"))],
      t("rare oolong", "稀有的乌龙"),
      t("rare jasmine", "稀有的茉莉"),
    ),
  },
  {
    form: "words before a link",
    ...rule(
      [p(t("Buy the best ", "请买最好的"), link(URL, t("oolong", "乌龙")), t(" here.", "吧。"))],
      [p(t("Try the best ", "请试最好的"), link(URL, t("oolong", "乌龙")), t(" here.", "吧。"))],
      t("Buy the best oolong here", "请买最好的乌龙吧"),
      t("Try the best oolong here", "请试最好的乌龙吧"),
    ),
  },
  {
    form: "inside a link",
    ...rule(
      [p(t("Buy ", "买"), link(URL, t("rare oolong tea", "稀有乌龙茶")), t(" here.", "吧。"))],
      [p(t("Buy ", "买"), link(URL, t("rare jasmine tea", "稀有茉莉茶")), t(" here.", "吧。"))],
      t("oolong", "乌龙"),
      t("jasmine", "茉莉"),
    ),
  },
  {
    form: "three marks",
    ...rule(
      [p(bold("1"), t(" cup of ", "杯"), italic(t("oolong", "乌龙")), " ", code("v2"), t(" today", "今天"))],
      [p(bold("1"), t(" pot of ", "壶"), italic(t("oolong", "乌龙")), " ", code("v2"), t(" tonight", "今晚"))],
      t("1 cup of oolong v2 today", "1杯乌龙 v2今天"),
      t("1 pot of oolong v2 tonight", "1壶乌龙 v2今晚"),
    ),
  },
  {
    form: "heading",
    ...rule(
      [h(3, t("The ", "论"), bold(t("rare", "稀有")), t(" oolong", "乌龙")), p("x")],
      [h(3, t("The ", "论"), bold(t("rare", "稀有")), t(" jasmine", "茉莉")), p("x")],
      t("The rare oolong", "论稀有乌龙"),
      t("The rare jasmine", "论稀有茉莉"),
    ),
  },
]);

// Breaks and blocks

const oolong = (t) => t("Take the rare oolong", "取稀有的乌龙");
const pot = (t) => t("and a small pot of clay", "和一把小陶壶");
const jasmine = (t) => t("Take the rare jasmine", "取稀有的茉莉");
const iron = (t) => t("and a small pot of iron", "和一把小铁壶");
add("across a hard break", ["article", "quoted"], (t) => [
  {
    form: "newline",
    ...rule(
      [p(oolong(t), br, bold(pot(t)))],
      [p(jasmine(t), br, bold(pot(t)))],
      `${t("rare oolong", "稀有的乌龙")}\n${t("and a small", "和一把小")}`,
      `${t("rare jasmine", "稀有的茉莉")}\n${t("and a small", "和一把小")}`,
    ),
  },
  {
    form: "both lines change",
    ...rule(
      [p(oolong(t), br, pot(t))],
      [p(jasmine(t), br, iron(t))],
      `${oolong(t)}\n${pot(t)}`,
      `${jasmine(t)}\n${iron(t)}`,
    ),
  },
  {
    form: "br",
    ...rule(
      [p(oolong(t), br, pot(t))],
      [p(jasmine(t), br, iron(t))],
      `${oolong(t)}<br>${pot(t)}`,
      `${jasmine(t)}<br>${iron(t)}`,
    ),
    refusalOk: true,
  },
]);
add("across blocks", ["article", "twins", "last"], (t) => [
  {
    form: "paragraphs",
    ...rule(
      [p(oolong(t)), p(bold(pot(t)))],
      [p(jasmine(t)), p(bold(pot(t)))],
      `${t("rare oolong", "稀有的乌龙")}\n${t("and a small", "和一把小")}`,
      `${t("rare jasmine", "稀有的茉莉")}\n${t("and a small", "和一把小")}`,
    ),
  },
  {
    form: "whole paragraphs",
    ...rule(
      [p(oolong(t)), p(pot(t))],
      [p(jasmine(t)), p(iron(t))],
      `${oolong(t)}\n${pot(t)}`,
      `${jasmine(t)}\n${iron(t)}`,
    ),
  },
  {
    form: "blank line",
    ...rule(
      [p(oolong(t)), p(pot(t))],
      [p(jasmine(t)), p(iron(t))],
      `${oolong(t)}\n\n${pot(t)}`,
      `${jasmine(t)}\n\n${iron(t)}`,
    ),
  },
  {
    form: "items",
    ...rule(
      [ul(li(oolong(t)), li(pot(t)))],
      [ul(li(jasmine(t)), li(iron(t)))],
      `${oolong(t)}\n${pot(t)}`,
      `${jasmine(t)}\n${iron(t)}`,
    ),
  },
  {
    form: "heading and paragraph",
    ...rule(
      [h(4, oolong(t)), p(pot(t))],
      [h(4, jasmine(t)), p(iron(t))],
      `${oolong(t)}\n${pot(t)}`,
      `${jasmine(t)}\n${iron(t)}`,
    ),
  },
  {
    form: "lines of code",
    ...rule(
      [pre("js", "oolong();\nbrew();")],
      [pre("js", "jasmine();\nbrew(2);")],
      "oolong();\nbrew();",
      "jasmine();\nbrew(2);",
    ),
  },
  {
    form: "paragraphs of a quotation",
    ...rule(
      [quote(p(oolong(t)), p(pot(t)))],
      [quote(p(jasmine(t)), p(iron(t)))],
      `${oolong(t)}\n${pot(t)}`,
      `${jasmine(t)}\n${iron(t)}`,
    ),
  },
]);
add("paragraphs are joined", ["article", "quoted"], (t) =>
  rule(
    [p(oolong(t)), p(bold(pot(t)))],
    [p(oolong(t), " ", bold(pot(t)))],
    `${oolong(t)}\n${pot(t)}`,
    `${oolong(t)} ${pot(t)}`,
  ),
);
add("a paragraph is split", ["article", "report"], (t) =>
  rule(
    [p(`${oolong(t)} `, bold(pot(t)))],
    [p(oolong(t)), p(bold(pot(t)))],
    `${oolong(t)} ${pot(t)}`,
    `${oolong(t)}\n${pot(t)}`,
  ),
);

// Several occurrences

add("several occurrences", ["article", "deep"], (t) => {
  const before = [
    p(t("The oolong is rare.", "乌龙少见。")),
    p(t("Buy oolong.", "买乌龙。")),
    table(tr(t("oolong", "乌龙"), "1")),
  ];
  const [old, text] = [t("oolong", "乌龙"), t("jasmine", "茉莉")];
  return [
    {
      form: "not said which",
      before,
      refused: true,
      codes: ["text_ambiguous"],
      call: { operation: "replace_text", old, new: text },
    },
    {
      form: "all",
      before,
      after: [
        p(t("The jasmine is rare.", "茉莉少见。")),
        p(t("Buy jasmine.", "买茉莉。")),
        table(tr(t("jasmine", "茉莉"), "1")),
      ],
      call: { operation: "replace_text", old, new: text, all: true },
    },
    {
      form: "near a line",
      before,
      after: [before[0], p(t("Buy jasmine.", "买茉莉。")), before[2]],
      call: ({ line }) => ({ operation: "replace_text", old, new: text, near_line: line(2) }),
    },
    {
      form: "in a cell",
      before,
      after: [before[0], before[1], table(tr(t("jasmine", "茉莉"), "1"))],
      call: ({ line }) => ({ operation: "replace_text", old, new: text, near_line: line(3) }),
    },
    {
      form: "more words",
      before,
      after: [before[0], p(t("Buy jasmine.", "买茉莉。")), before[2]],
      call: { operation: "replace_text", old: t("Buy oolong", "买乌龙"), new: t("Buy jasmine", "买茉莉") },
    },
  ];
});
add("no occurrence", ["article", "report"], (t) => ({
  before: [p(t("The oolong is rare.", "乌龙少见。"))],
  refused: true,
  codes: ["text_not_found"],
  call: { operation: "replace_text", old: t("the espresso machine", "意式咖啡机"), new: "x" },
}));
add("text that is in a cell", ["report", "chapters"], (t) =>
  rule(
    [table(tr(td(t("rare ", "稀有"), bold(t("oolong", "乌龙"))), "1"))],
    [table(tr(td(t("good ", "上好"), bold(t("oolong", "乌龙"))), "1"))],
    t("rare oolong", "稀有乌龙"),
    t("good oolong", "上好乌龙"),
  ),
);

// Ends of the texts

add("a space that only one of the texts has", ["article", "quoted"], (t) => [
  { form: "more around old", ...rule([p("The oolong is rare.")], [p("The jasmine is rare.")], "  oolong  ", "jasmine") },
  { form: "around a word that goes", ...rule([p("The rare oolong.")], [p("The oolong.")], " rare ", " ") },
  { form: "is what the edit is about", ...rule([p("A tea pot here.")], [p("A teapot here.")], "tea pot", "teapot") },
  { form: "a tab and newlines", ...rule([p("The oolong is rare.")], [p("The jasmine is rare.")], "\toolong\n", "\tjasmine\n") },
]);

// Marks in the new text

add("marks in the new text", ["article", "report"], (t) => {
  const before = [p(t("The oolong is rare here.", "这里 乌龙 很少见。"))];
  const after = (...parts) => [p(t("The ", "这里 "), ...parts, t(" is rare here.", " 很少见。"))];
  const [old, text] = [t("oolong", "乌龙"), t("jasmine", "茉莉")];
  return [
    { form: "bold", ...rule(before, after(bold(text)), old, `**${text}**`) },
    { form: "bold in HTML", ...rule(before, after(bold(text)), old, `<strong>${text}</strong>`) },
    { form: "italic in HTML", ...rule(before, after(italic(text)), old, `<em>${text}</em>`) },
    { form: "code", ...rule(before, after(code(text)), old, `\`${text}\``) },
    { form: "link", ...rule(before, after(link(URL, text)), old, `[${text}](${URL})`), refusalOk: true },
    { form: "struck", ...rule(before, after(strike(old), " ", bold(text)), old, `~~${old}~~ **${text}**`) },
    { form: "part of it", ...rule(before, after(text, " ", bold("x")), old, `${text} **x**`) },
    { form: "signs that are text", ...rule(before, after("2 * 3 * 4 <name> snake_case_x"), old, "2 * 3 * 4 <name> snake_case_x") },
  ];
});
add("marks of what stays", ["article", "chapters"], (t) => [
  {
    form: "bold beside new bold",
    ...rule(
      [p(t("A ", "一种"), italic(t("rare", "稀有")), t(" oolong here.", " 乌龙 在此。"))],
      [p(t("A ", "一种"), italic(t("rare", "稀有")), " ", bold(t("jasmine", "茉莉")), t(" here.", " 在此。"))],
      t("rare oolong", "稀有 乌龙"),
      t("rare **jasmine**", "稀有 **茉莉**"),
    ),
  },
  {
    form: "signs of marks in old and new",
    ...rule(
      [p(t("A ", "一种 "), bold(t("rare", "稀有")), t(" oolong here.", " 乌龙 在此。"))],
      [p(t("A ", "一种 "), bold(t("rare", "稀有")), t(" jasmine here.", " 茉莉 在此。"))],
      t("A **rare** oolong", "一种 **稀有** 乌龙"),
      t("A **rare** jasmine", "一种 **稀有** 茉莉"),
    ),
  },
  {
    form: "tags in old and new",
    ...rule(
      [p(t("A ", "一种 "), bold(t("rare", "稀有")), t(" oolong here.", " 乌龙 在此。"))],
      [p(t("A ", "一种 "), bold(t("rare", "稀有")), t(" jasmine here.", " 茉莉 在此。"))],
      t("A <strong>rare</strong> oolong", "一种 <strong>稀有</strong> 乌龙"),
      t("A <strong>rare</strong> jasmine", "一种 <strong>稀有</strong> 茉莉"),
    ),
  },
  {
    form: "code stays literal",
    ...rule([pre("js", "let a = 1;")], [pre("js", "let a = **1**;")], "a = 1", "a = **1**"),
  },
]);

// Signs with which the lines are shown

add("signs of the lines", ["article", "twins"], (t) => [
  {
    form: "a heading",
    ...rule([h(3, oolong(t)), p("x")], [h(3, jasmine(t)), p("x")], `### ${oolong(t)}`, `### ${jasmine(t)}`),
  },
  {
    form: "items",
    ...rule(
      [ul(li(oolong(t)), li(pot(t)))],
      [ul(li(jasmine(t)), li(iron(t)))],
      `- ${oolong(t)}\n- ${pot(t)}`,
      `- ${jasmine(t)}\n- ${iron(t)}`,
    ),
  },
  {
    form: "numbered items",
    ...rule(
      [ol(li(oolong(t)), li(pot(t)))],
      [ol(li(jasmine(t)), li(iron(t)))],
      `1. ${oolong(t)}\n2. ${pot(t)}`,
      `1. ${jasmine(t)}\n2. ${iron(t)}`,
    ),
  },
  {
    form: "tasks",
    ...rule([tasks(todo(oolong(t)))], [tasks(todo(jasmine(t)))], `- [ ] ${oolong(t)}`, `- [ ] ${jasmine(t)}`),
  },
  {
    form: "a quotation",
    ...rule([quote(p(oolong(t)))], [quote(p(jasmine(t)))], `> ${oolong(t)}`, `> ${jasmine(t)}`),
  },
]);

// Over lines

add("over three lines", ["article", "last"], (t) => {
  const before = [p(oolong(t)), p(bold(pot(t))), p(t("Wait a while.", "稍等片刻。")), p("z")];
  return [
    {
      form: "the middle stays",
      ...rule(
        before,
        [p(jasmine(t)), p(bold(pot(t))), p(t("Wait a day.", "稍等一天。")), p("z")],
        `${oolong(t)}\n${pot(t)}\n${t("Wait a while.", "稍等片刻。")}`,
        `${jasmine(t)}\n${pot(t)}\n${t("Wait a day.", "稍等一天。")}`,
      ),
    },
    {
      form: "one goes",
      ...rule(
        before,
        [p(oolong(t)), p(t("Wait a while.", "稍等片刻。")), p("z")],
        `${oolong(t)}\n${pot(t)}\n${t("Wait a while.", "稍等片刻。")}`,
        `${oolong(t)}\n${t("Wait a while.", "稍等片刻。")}`,
      ),
    },
    {
      form: "one comes",
      ...rule(
        before,
        [p(oolong(t)), p(t("Rinse it.", "冲洗。")), p(bold(pot(t))), p(t("Wait a while.", "稍等片刻。")), p("z")],
        `${oolong(t)}\n${pot(t)}`,
        `${oolong(t)}\n${t("Rinse it.", "冲洗。")}\n${pot(t)}`,
      ),
    },
    {
      form: "all of them go",
      ...rule(before, [p("z")], `${oolong(t)}\n${pot(t)}\n${t("Wait a while.", "稍等片刻。")}`, ""),
    },
    {
      form: "from inside one to inside another",
      ...rule(
        before,
        [p(oolong(t)), p(bold(pot(t))), p(t("Wait a day, then drink.", "稍等一天，然后喝。")), p("z")],
        t("Wait a while.\nz", "稍等片刻。\nz"),
        t("Wait a day, then drink.\nz", "稍等一天，然后喝。\nz"),
      ),
    },
  ];
});
add("items and blocks are joined and split", ["article", "report"], (t) => [
  {
    form: "items are joined",
    ...rule(
      [ul(li(oolong(t)), li(bold(pot(t))), li("z"))],
      [ul(li(oolong(t), " ", bold(pot(t))), li("z"))],
      `${oolong(t)}\n${pot(t)}`,
      `${oolong(t)} ${pot(t)}`,
    ),
  },
  {
    form: "an item is split",
    ...rule(
      [ul(li(`${oolong(t)} `, bold(pot(t))), li("z"))],
      [ul(li(oolong(t)), li(bold(pot(t))), li("z"))],
      `${oolong(t)} ${pot(t)}`,
      `${oolong(t)}\n${pot(t)}`,
    ),
  },
  {
    form: "a break goes",
    ...rule(
      [p(oolong(t), br, bold(pot(t)))],
      [p(oolong(t), " ", bold(pot(t)))],
      `${oolong(t)}\n${pot(t)}`,
      `${oolong(t)} ${pot(t)}`,
    ),
  },
  {
    form: "cells are not joined",
    before: [table(tr(t("oolong", "乌龙"), t("jasmine", "茉莉")))],
    refused: true,
    call: { operation: "replace_text", old: t("oolong\njasmine", "乌龙\n茉莉"), new: t("green", "绿茶") },
  },
  {
    form: "cells one by one",
    ...rule(
      [table(tr(t("oolong", "乌龙"), t("jasmine", "茉莉")))],
      [table(tr(t("green", "绿茶"), t("black", "红茶")))],
      t("oolong\njasmine", "乌龙\n茉莉"),
      t("green\nblack", "绿茶\n红茶"),
    ),
  },
]);
add("several places over lines", ["article", "deep"], (t) => {
  const pair = () => [p(oolong(t)), p(pot(t))];
  const [old, text] = [`${oolong(t)}\n${pot(t)}`, `${jasmine(t)}\n${pot(t)}`];
  return [
    {
      form: "not said which",
      before: [...pair(), p("x"), ...pair()],
      refused: true,
      codes: ["text_ambiguous"],
      call: { operation: "replace_text", old, new: text },
    },
    {
      form: "near a line",
      before: [...pair(), p("x"), ...pair()],
      after: [...pair(), p("x"), p(jasmine(t)), p(pot(t))],
      call: ({ line }) => ({ operation: "replace_text", old, new: text, near_line: line(5) }),
    },
    {
      form: "all",
      before: [...pair(), p("x"), ...pair()],
      after: [p(jasmine(t)), p(pot(t)), p("x"), p(jasmine(t)), p(pot(t))],
      call: { operation: "replace_text", old, new: text, all: true },
    },
    {
      form: "only the second line differs",
      before: [p(oolong(t)), p("x"), p(oolong(t)), p("y")],
      after: [p(oolong(t)), p("x"), p(oolong(t)), p("z")],
      call: { operation: "replace_text", old: `${oolong(t)}\ny`, new: `${oolong(t)}\nz` },
    },
  ];
});

// Typography

add("typography over lines and marks", ["article", "quoted"], (t) => [
  {
    form: "lines",
    ...rule(
      [p(t("“Oolong” is rare…", "“乌龙”少见…")), p(t("It’s so – here.", "“就是”–这里。"))],
      [p(t("“Jasmine” is rare…", "“茉莉”少见…")), p(t("It’s so – there.", "“就是”–那里。"))],
      t('"Oolong" is rare...\nIt\'s so - here.', '"乌龙"少见...\n"就是"-这里。'),
      t('"Jasmine" is rare...\nIt\'s so - there.', '"茉莉"少见...\n"就是"-那里。'),
    ),
  },
  {
    form: "marks",
    ...rule(
      [p("“", bold(t("Oolong", "乌龙")), t("” – a tea", "”–一种茶"))],
      [p("“", bold(t("Oolong", "乌龙")), t("” – a leaf", "”–一种叶"))],
      t('"Oolong" - a tea', '"乌龙"-一种茶'),
      t('"Oolong" - a leaf', '"乌龙"-一种叶'),
    ),
  },
  {
    form: "new signs stay as they are given",
    ...rule(
      [p(t("It’s rare.", "“乌龙”少见。"))],
      [p(t('It’s "very" rare.', '“乌龙”"很"少见。'))],
      t("It's rare", '"乌龙"少见'),
      t('It\'s "very" rare', '"乌龙""很"少见'),
    ),
  },
  {
    form: "all, each as it is",
    ...rule(
      [p(t("It’s A’s tea.", "“甲”茶")), p(t("It‘s A‘s tea.", "「甲」茶"))],
      [p(t("It’s A’s cup.", "“甲”杯")), p(t("It‘s A‘s cup.", "「甲」杯"))],
      t("It's A's tea", '"甲"茶'),
      t("It's A's cup", '"甲"杯'),
      { all: true },
    ),
  },
]);

// Mentions

add("a mention over lines", ["article", "twins"], (t) => [
  {
    form: "stays",
    ...rule(
      [p(t("Ask ", "问"), mention("u9", "Ann"), t(" now", "吧")), p(oolong(t))],
      [p(t("Ask ", "问"), mention("u9", "Ann"), t(" soon", "了")), p(jasmine(t))],
      t("@Ann now\n", "@Ann吧\n") + oolong(t),
      t("@Ann soon\n", "@Ann了\n") + jasmine(t),
    ),
  },
  {
    form: "moves",
    ...rule(
      [p(t("Ask ", "问"), mention("u9", "Ann"), t(" now", "吧")), p(oolong(t))],
      [p(t("Ask now", "问吧")), p(t("With ", "同"), mention("u9", "Ann"), ` ${jasmine(t)}`)],
      `${t("Ask @Ann now", "问@Ann吧")}\n${oolong(t)}`,
      `${t("Ask now", "问吧")}\n${t("With ", "同")}@Ann ${jasmine(t)}`,
    ),
  },
]);

export default cases;
