// B5: replace_text: spaces at the ends, typography that stays, and matches across marks, breaks and blocks.
import { bold, br, code, h, italic, li, link, p, pre, quote, table, td, tr, ul } from "../builders.mjs";
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

export default cases;
