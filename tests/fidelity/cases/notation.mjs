// What only looks like notation stays as it is.
import { code, h, li, p, table, td, tr, ul } from "../builders.mjs";
import { literalInCode } from "../literal.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("text");

const TEXTS = [
  ["product", "2 * 3 * 4 = 24", "2 * 3 * 4 = 24"],
  ["placeholder in angles", "Dear <name>, your <order> is here", "亲爱的<姓名>，您的<订单>到了"],
  ["heart", "I <3 tea", "我<3茶"],
  ["snake case", "set snake_case_name first", "先设置 snake_case_name 吧"],
  ["two snakes", "use file_a_b and file_c_d now", "现在用 file_a_b 和 file_c_d"],
  ["dunder", "call __init__ before use", "使用前调用 __init__ 吧"],
  ["greater", "5 > 3 and 3 < 5", "5 > 3 且 3 < 5"],
  ["arrow", "tea -> water -> cup", "茶 -> 水 -> 杯"],
  ["left arrow", "cup <- water", "杯 <- 水"],
  ["C sharp", "C# is a language", "C# 是一种语言"],
  ["hashtag", "#tea is popular", "#茶 很流行"],
  ["year", "1984. A year to remember.", "1984. 难忘的一年。"],
  ["footnote", "as said before [1] and [2]", "如前所述 [1] 和 [2]"],
  ["stars", "rated *** of *****", "评分 *** 共 *****"],
  ["power", "2 ** 3 is 8", "2 ** 3 等于 8"],
  ["tilde", "about ~5 minutes to ~10 minutes", "约 ~5 分钟到 ~10 分钟"],
  ["dollars", "costs $5 and not $6", "价格 $5 而不是 $6"],
  ["bars", "a | b | c", "甲 | 乙 | 丙"],
  ["shrug", "¯\\_(ツ)_/¯ she said", "她说 ¯\\_(ツ)_/¯"],
  ["code words", "if (a && b || !c) return", "如果 (a && b || !c) 则返回"],
  ["generic", "Map<string, number> is a type", "Map<string, number> 是一种类型"],
  ["minus", "-5 °C in winter", "-5 °C 的冬天"],
  ["range", "1990-2000 -- a decade", "1990-2000 -- 十年"],
  ["percent", "100 % (or 99_9)", "100 %（或 99_9）"],
  ["function", "f(x) = x * y * z", "f(x) = x * y * z"],
  ["star note", "Price* per cup (*with tax)", "价格* 每杯（*含税）"],
  ["underscores to fill", "Name: ____ Date: ____", "姓名：____ 日期：____"],
  ["email", "write to ann_lee@example.com_ now", "写信到 ann_lee@example.com_ 吧"],
  ["time", "12:30 is lunch", "12:30 吃午饭"],
  ["plus", "+49 30 1234 is the number", "+49 30 1234 是号码"],
  ["quote sign inside", "size >10 and <20", "大小 >10 且 <20"],
  ["backtick", "press ` to open", "按 ` 打开"],
  ["parentheses", "(c) 2026 a) first b) second", "(c) 2026 a) 第一 b) 第二"],
  ["exclamation", "wait![really] (yes)", "等等![真的] (是)"],
];
for (const [index, [name, en, zh]] of TEXTS.entries()) {
  const frames = ["article", "quoted", "report", "last"];
  add(name, [frames[index % frames.length]], (t, language) => {
    const text = t(en, zh);
    const forms = [
      { form: "line", before: [p(t("Old words.", "旧的话。"))], after: [p(text)], lines: [1], content: text },
      {
        form: "item",
        before: [ul(li(t("Old words.", "旧的话。")), li("x"))],
        after: [ul(li(text), li("x"))],
        lines: [1],
        content: text,
      },
      {
        form: "new text",
        before: [p(t("The oolong is rare.", "乌龙很少见。"))],
        after: [p(t(`The ${text} is rare.`, `${text}很少见。`))],
        call: { operation: "replace_text", old: t("oolong", "乌龙"), new: text },
      },
    ];
    return forms[(index + (language === "zh" ? 1 : 0)) % forms.length];
  });
}

add("unchanged in a line that changes", ["article", "twins"], (t) =>
  TEXTS.slice(0, 8).map(([name, en, zh]) => ({
    form: name,
    before: [p(t(`Note: ${en} today.`, `注意：${zh}，今天。`))],
    after: [p(t(`Note: ${en} tomorrow.`, `注意：${zh}，明天。`))],
    lines: [1],
    content: t(`Note: ${en} tomorrow.`, `注意：${zh}，明天。`),
  })),
);

add("signs in code", ["article", "report"], (t) =>
  literalInCode(t, [
    ["stars", "a = b * c * d"],
    ["heading", "# a comment"],
    ["list", "- item: tea"],
    ["tag", "<b>tea</b>"],
    ["fence inside", "`x` and ``y``"],
    ["entity", "&amp;&lt;"],
  ]),
);

add("format text means text", ["article", "quoted"], (t) =>
  [
    ["bold", "**not bold**"],
    ["tag", "<b>not bold</b>"],
    ["heading", "## no heading"],
    ["list", "- no item"],
    ["entity", "&amp;"],
  ].map(([form, text]) => ({
    form,
    before: [p(t("Old words.", "旧的话。"))],
    after: [p(text)],
    lines: [1],
    content: text,
    format: "text",
  })),
);

add("signs in a section of text", ["chapters", "last"], (t) =>
  [
    ["product", "2 * 3 * 4 = 24"],
    ["angles", t("Dear <name>,", "亲爱的<姓名>，")],
    ["heart", t("I <3 tea", "我<3茶")],
    ["snake", "snake_case_name"],
  ].map(([form, text]) => ({
    form,
    before: [h(2, t("Note", "注")), p(t("Old words.", "旧的话。"))],
    after: [h(2, t("Note", "注")), p(text), p(t("And more.", "还有。"))],
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      content: `${text}\n${t("And more.", "还有。")}`,
    }),
  })),
);

add("signs in titles", ["chapters"], (t) =>
  [
    ["C sharp", t("C# and tea", "C# 与茶")],
    ["product", "2 * 3 * 4"],
    ["angles", t("<name> and I", "<姓名>与我")],
    ["number", t("1984. A year", "1984. 一年")],
  ].map(([form, title]) => ({
    form,
    before: [h(2, t("Note", "注")), p(t("Words.", "话。"))],
    after: [h(2, title), p(t("Words.", "话。"))],
    call: ({ section }) => ({
      operation: "replace",
      sectionIndex: section,
      title,
      content: `<p>${t("Words.", "话。")}</p>`,
    }),
  })),
);

add("escaped tags in HTML", ["article"], (t) => ({
  before: [table(tr(td("x"), "y"))],
  after: [table(tr(td(t("the ", "标签 "), code("<b>"), t(" tag", "")), "y"))],
  lines: [1],
  content: `${t("the ", "标签 ")}<code>&lt;b&gt;</code>${t(" tag", "")}`,
}));

export default cases;
