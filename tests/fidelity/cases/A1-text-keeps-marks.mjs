// A1: plain text keeps marks, links and inline atoms of what stays, also when lines are merged, split or swapped.
import {
  bold,
  br,
  code,
  h,
  highlight,
  italic,
  li,
  link,
  math,
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
  done,
  tr,
  ul,
} from "../builders.mjs";
import { collector, shown } from "../rules.mjs";

const { cases, add } = collector("A1");

const MANUAL = { href: "https://example.com/manual", target: "_blank", title: "Manual" };
const ANN = "https://example.com/ann";
const read = (t) => [t("Read the ", "先读"), link(MANUAL, t("manual", "手册")), t(" first.", "。")];
const ask = (t) => [
  t("Then ", "然后"),
  bold(t("always", "一定")),
  t(" ask ", "去问"),
  link(ANN, t("Ann", "小安")),
  t(".", "。"),
];
const readText = (t) => t("Read the manual first.", "先读手册。");
const askText = (t) => t("Then always ask Ann.", "然后一定去问小安。");

add("two paragraphs are joined", ["article", "last", "quoted"], (t) => ({
  before: [p(read(t)), p(ask(t))],
  after: [p(read(t), t(" ", ""), ask(t))],
  lines: [1, 2],
  content: readText(t) + t(" ", "") + askText(t),
}));

add("a paragraph is split", ["article", "first", "quoted"], (t) => ({
  before: [p(read(t), t(" ", ""), ask(t))],
  after: [p(read(t)), p(ask(t))],
  lines: [1],
  content: `${readText(t)}\n${askText(t)}`,
}));

add("two paragraphs are swapped", ["article", "report", "twins"], (t) => ({
  before: [p(read(t)), p(ask(t))],
  after: [p(ask(t)), p(read(t))],
  lines: [1, 2],
  content: `${askText(t)}\n${readText(t)}`,
}));

add("three paragraphs are rotated", ["minutes", "deep"], (t) => {
  const third = [italic(t("Nobody", "没有人")), t(" waits for answers.", "会等答复。")];
  return {
    before: [p(read(t)), p(ask(t)), p(third)],
    after: [p(third), p(read(t)), p(ask(t))],
    lines: [1, 3],
    content: [t("Nobody waits for answers.", "没有人会等答复。"), readText(t), askText(t)].join("\n"),
  };
});

add("three paragraphs become two", ["article", "quoted"], (t) => {
  const third = [t("It is ", "这是"), code("v2"), t(".", "版。")];
  return {
    before: [p(read(t)), p(ask(t)), p(third)],
    after: [p(read(t)), p(ask(t), t(" ", ""), third)],
    lines: [1, 3],
    content: `${readText(t)}\n${askText(t)}${t(" It is v2.", "这是v2版。")}`,
  };
});

add("two items are swapped", ["article", "report"], (t) => ({
  before: [ul(li(t("Warm the pot.", "温壶。")), li(p(read(t))), li(p(ask(t))))],
  after: [ul(li(t("Warm the pot.", "温壶。")), li(p(ask(t))), li(p(read(t))))],
  lines: [2, 3],
  content: `${askText(t)}\n${readText(t)}`,
}));

add("two items are joined", ["minutes", "chapters"], (t) => ({
  before: [ol(li(p(read(t))), li(p(ask(t))), li(t("Pour.", "倒茶。")))],
  after: [ol(li(p(read(t), t(" ", ""), ask(t))), li(t("Pour.", "倒茶。")))],
  lines: [1, 2],
  content: readText(t) + t(" ", "") + askText(t),
}));

add("an item is split", ["article", "last"], (t) => ({
  before: [ul(li(p(read(t), t(" ", ""), ask(t))), li(t("Pour.", "倒茶。")))],
  after: [ul(li(p(read(t))), li(p(ask(t))), li(t("Pour.", "倒茶。")))],
  lines: [1],
  content: `${readText(t)}\n${askText(t)}`,
}));

add("a task is split", ["article"], (t) => ({
  before: [tasks(done(t("Warm the pot.", "温壶。")), todo(p(read(t), t(" ", ""), ask(t))))],
  after: [tasks(done(t("Warm the pot.", "温壶。")), todo(p(read(t))), todo(p(ask(t))))],
  lines: [2],
  content: `${readText(t)}\n${askText(t)}`,
}));

add("two cells are swapped", ["article", "minutes"], (t) => ({
  before: [table(tr(t("Step", "步骤"), t("Who", "谁")), tr(td(read(t)), td(ask(t))))],
  after: [table(tr(t("Step", "步骤"), t("Who", "谁")), tr(td(ask(t)), td(read(t))))],
  lines: [3, 4],
  content: `${askText(t)}\n${readText(t)}`,
}));

add("a word is inserted inside bold", ["article", "quoted", "deep"], (t) => ({
  before: [p(t("This is ", "这是"), bold(t("an important point", "一个重要的观点")), t(" for us.", "，对我们而言。"))],
  after: [
    p(
      t("This is ", "这是"),
      bold(t("an equally important point", "一个同样重要的观点")),
      t(" for us.", "，对我们而言。"),
    ),
  ],
  lines: [1],
  content: t("This is an equally important point for us.", "这是一个同样重要的观点，对我们而言。"),
}));

add("words around marks change", ["article", "report", "quoted"], (t) => ({
  before: [
    p(
      t("Buy ", "请买"),
      bold(t("green tea", "绿茶")),
      t(" and ", "和"),
      strike(t("milk", "牛奶")),
      t(" at ", "，在"),
      link(ANN, t("the shop", "商店")),
      t(" today.", "，今天。"),
    ),
  ],
  after: [
    p(
      t("Order ", "请订"),
      bold(t("green tea", "绿茶")),
      t(" or ", "或"),
      strike(t("milk", "牛奶")),
      t(" at ", "，在"),
      link(ANN, t("the shop", "商店")),
      t(" tomorrow.", "，明天。"),
    ),
  ],
  lines: [1],
  content: t("Order green tea or milk at the shop tomorrow.", "请订绿茶或牛奶，在商店，明天。"),
}));

add("a sentence is added at the end", ["first", "deep"], (t) => ({
  before: [p(read(t))],
  after: [p(read(t), t(" It is short.", "它很短。"))],
  lines: [1],
  content: readText(t) + t(" It is short.", "它很短。"),
}));

add("a sentence is added in front", ["last", "quoted"], (t) => ({
  before: [p(t("Drink ", "喝"), italic(t("slowly", "慢点")), t(".", "。"))],
  after: [p(t("Sit down. Drink ", "坐下。喝"), italic(t("slowly", "慢点")), t(".", "。"))],
  lines: [1],
  content: t("Sit down. Drink slowly.", "坐下。喝慢点。"),
}));

add("a sentence is left out", ["article", "report"], (t) => ({
  before: [p(read(t), t(" It is long. ", "它很长。"), ask(t))],
  after: [p(read(t), t(" ", ""), ask(t))],
  lines: [1],
  content: readText(t) + t(" ", "") + askText(t),
}));

add("a marked word is replaced", ["article", "deep"], (t) => ({
  before: [p(t("The tea is ", "这茶很"), bold(t("cheap", "便宜")), t(" here.", "。"))],
  anyOf: [
    [p(t("The tea is ", "这茶很"), bold(t("strong", "浓郁")), t(" here.", "。"))],
    [p(t("The tea is strong here.", "这茶很浓郁。"))],
  ],
  lines: [1],
  content: t("The tea is strong here.", "这茶很浓郁。"),
}));

add("a heading with marks changes", ["first", "chapters"], (t) => ({
  before: [
    h(3, t("The ", "新的"), italic(t("new", "“新”")), t(" rules", "规则")),
    p(t("There are none.", "没有规则。")),
  ],
  after: [
    h(3, t("All the ", "全部新的"), italic(t("new", "“新”")), t(" rules", "规则")),
    p(t("There are none.", "没有规则。")),
  ],
  lines: [1],
  content: t("All the new rules", "全部新的“新”规则"),
}));

add("code, highlight and strike stay", ["article", "quoted"], (t) => ({
  before: [
    p(
      t("Run ", "运行"),
      code("npm test"),
      t(" when ", "，在"),
      highlight(t("everything", "所有内容")),
      t(" is ", ""),
      strike(t("nearly", "几乎")),
      t(" done.", "完成时。"),
    ),
  ],
  after: [
    p(
      t("Please run ", "请运行"),
      code("npm test"),
      t(" as soon as ", "，等"),
      highlight(t("everything", "所有内容")),
      t(" is ", ""),
      strike(t("nearly", "几乎")),
      t(" done.", "完成时。"),
    ),
  ],
  lines: [1],
  content: t("Please run npm test as soon as everything is nearly done.", "请运行npm test，等所有内容几乎完成时。"),
}));

add("overlapping marks stay", ["report", "last"], (t) => ({
  before: [p(t("It is ", "它"), bold(t("very ", "非常")), bold(italic(t("very hot", "非常烫"))), t(" now.", "。"))],
  after: [
    p(
      t("Careful: it is ", "小心：它"),
      bold(t("very ", "非常")),
      bold(italic(t("very hot", "非常烫"))),
      t(" now.", "。"),
    ),
  ],
  lines: [1],
  content: t("Careful: it is very very hot now.", "小心：它非常非常烫。"),
}));

add("an item with a link keeps its sublist", ["article"], (t) => ({
  before: [ul(li(p(read(t)), ul(li(t("page two", "第二页")))), li(t("Pour.", "倒茶。")))],
  after: [
    ul(
      li(
        p(t("Please read the ", "请先读"), link(MANUAL, t("manual", "手册")), t(" first.", "。")),
        ul(li(t("page two", "第二页"))),
      ),
      li(t("Pour.", "倒茶。")),
    ),
  ],
  lines: [1],
  content: t("Please read the manual first.", "请先读手册。"),
}));

add("a line before a hard break changes", ["article", "quoted"], (t) => ({
  before: [
    p(
      t("Dear ", "亲爱的"),
      bold(t("guests", "客人")),
      t(",", "："),
      br,
      t("tea is ", "茶在"),
      link(ANN, t("here", "这里")),
      t(".", "。"),
    ),
  ],
  after: [
    p(
      t("My dear ", "各位亲爱的"),
      bold(t("guests", "客人")),
      t(",", "："),
      br,
      t("tea is ", "茶在"),
      link(ANN, t("here", "这里")),
      t(".", "。"),
    ),
  ],
  lines: [1],
  content: t("My dear guests,", "各位亲爱的客人："),
}));

add("two lines around a hard break are swapped", ["article", "last"], (t) => ({
  before: [p(read(t), br, ask(t))],
  after: [p(ask(t), br, read(t))],
  lines: [1, 2],
  content: `${askText(t)}\n${readText(t)}`,
}));

add("paragraphs with a mention are joined", ["article"], (t) => ({
  before: [
    p(t("Ask ", "问"), mention("u7", "Bo Chen"), t(".", "。")),
    p(t("He ", "他"), italic(t("knows", "知道")), t(" ", ""), math("E=mc^2"), t(".", "。")),
  ],
  after: [
    p(
      t("Ask ", "问"),
      mention("u7", "Bo Chen"),
      t(". He ", "。他"),
      italic(t("knows", "知道")),
      t(" ", ""),
      math("E=mc^2"),
      t(".", "。"),
    ),
  ],
  lines: [1, 2],
  content: t(`Ask ${shown(0)}. He knows ${shown(1)}.`, `问${shown(0)}。他知道${shown(1)}。`),
}));

add("paragraphs with mentions are swapped", ["first", "twins"], (t) => ({
  before: [
    p(t("Ask ", "问"), mention("u7", "Bo Chen"), t(" twice.", "两次。")),
    p(t("Or write to ", "或写信给"), mention("u8", "Cleo"), t(".", "。")),
  ],
  after: [
    p(t("Or write to ", "或写信给"), mention("u8", "Cleo"), t(".", "。")),
    p(t("Ask ", "问"), mention("u7", "Bo Chen"), t(" twice.", "两次。")),
  ],
  lines: [1, 2],
  content: t(`Or write to ${shown(1)}.\nAsk ${shown(0)} twice.`, `或写信给${shown(1)}。\n问${shown(0)}两次。`),
}));

add("a whole section as text keeps its marks", ["chapters", "last"], (t) => ({
  before: [h(2, t("Notes", "说明")), p(read(t)), p(t("That is all.", "就这些。")), p(ask(t))],
  after: [h(2, t("Notes", "说明")), p(read(t)), p(t("That is really all.", "真的就这些。")), p(ask(t))],
  call: ({ section }) => ({
    operation: "replace",
    sectionIndex: section,
    content: [readText(t), t("That is really all.", "真的就这些。"), askText(t)].join("\n"),
  }),
}));

add("code lines are swapped", ["article"], (t) => ({
  before: [pre("js", `const tea = 1;\nconst milk = 2;\n// ${t("done", "完成")}`)],
  after: [pre("js", `const milk = 2;\nconst tea = 1;\n// ${t("done", "完成")}`)],
  lines: [1, 2],
  content: "const milk = 2;\nconst tea = 1;",
}));

add("lines of a quotation are joined", ["article", "deep"], (t) => ({
  before: [quote(p(read(t)), p(ask(t)))],
  after: [quote(p(read(t), t(" ", ""), ask(t)))],
  lines: [1, 2],
  content: readText(t) + t(" ", "") + askText(t),
}));

export default cases;
