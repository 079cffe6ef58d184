// A2: empty content deletes what the lines are, never leaving an empty skeleton.
import {
  bold,
  br,
  cell,
  details,
  done,
  h,
  head,
  hr,
  img,
  li,
  link,
  ol,
  olFrom,
  p,
  pre,
  quote,
  table,
  tasks,
  td,
  th,
  todo,
  tr,
  ul,
} from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A2");

const prices = (t) => [
  tr(th(t("Tea", "茶")), th(t("Price", "价格")), th(t("Water", "水温"))),
  tr(t("Green", "绿茶"), "€ 12", "70 °C"),
  tr(t("Black", "红茶"), "€ 9", "95 °C"),
  tr(td(bold(t("White", "白茶"))), "€ 20", "75 °C"),
];
const before = (t) => p(t("All prices are for a bag.", "价格按袋计算。"));
const after = (t) => p(t("Ask for less.", "可以少买。"));

for (const [row, which] of [
  [0, "the header row"],
  [1, "the first row"],
  [2, "a row in the middle"],
  [3, "the last row"],
]) {
  add(`all cells of ${which}`, row === 2 ? ["article", "report", "quoted"] : ["article"], (t) => ({
    before: [before(t), table(prices(t)), after(t)],
    after: [before(t), table(prices(t).toSpliced(row, 1)), after(t)],
    lines: [2 + 3 * row, 4 + 3 * row],
    content: "",
  }));
}

add("all cells of two rows", ["article", "minutes"], (t) => ({
  before: [before(t), table(prices(t)), after(t)],
  after: [before(t), table(prices(t).toSpliced(1, 2)), after(t)],
  lines: [5, 10],
  content: "",
}));

add("a whole table", ["article", "last", "quoted"], (t) => ({
  before: [before(t), table(prices(t)), after(t)],
  after: [before(t), after(t)],
  lines: [2, 13],
  content: "",
}));

add("one cell of a row empties it", ["article", "report"], (t) => {
  const rows = prices(t);
  return {
    before: [table(rows)],
    after: [table(rows.with(2, tr(t("Black", "红茶"), td(), "95 °C")))],
    lines: [8],
    content: "",
  };
});

add("a row with a merged cell", ["article"], (t) => {
  const merged = tr({ ...td(t("All others", "其他")), attrs: { colspan: 2 } }, "80 °C");
  return { before: [table([...prices(t), merged])], after: [table(prices(t))], lines: [13, 14], content: "" };
});

const LISTS = {
  "a bulleted list": (t) =>
    ul(
      li(t("Warm the pot.", "温壶。")),
      li(p(t("Add ", "放入"), link("https://example.com/leaf", t("leaves", "茶叶")), t(".", "。"))),
      li(t("Pour.", "倒水。")),
    ),
  "a numbered list": (t) =>
    olFrom(4, li(t("Warm the pot.", "温壶。")), li(t("Add leaves.", "放茶叶。")), li(t("Pour.", "倒水。"))),
  "a task list": (t) =>
    tasks(done(t("Warm the pot.", "温壶。")), todo(t("Add leaves.", "放茶叶。")), todo(t("Pour.", "倒水。"))),
  "a quotation": (t) =>
    quote(
      p(t("Tea is life.", "茶即人生。")),
      p(t("Water is patience.", "水即耐心。")),
      p(t("So they say.", "人们这么说。")),
    ),
  "a code block": (t) => pre("js", `const tea = 1;\n\n// ${t("pour", "倒")}`),
  "an unfolding part": (t) =>
    details(t("More about it", "更多"), p(t("Nothing to add.", "没有了。")), p(t("Really.", "真的。"))),
  "a list with a sublist": (t) =>
    ul(li(p(t("Warm the pot.", "温壶。")), ul(li(t("slowly", "慢慢地")))), li(t("Pour.", "倒水。"))),
};
for (const [which, make] of Object.entries(LISTS)) {
  add(`all lines of ${which}`, ["article", "last", "chapters"], (t) => ({
    before: [before(t), make(t), after(t)],
    after: [before(t), after(t)],
    lines: [2, 4],
    content: "",
  }));
}

add("one item", ["article", "minutes"], (t) => ({
  before: [ul(li(t("Warm the pot.", "温壶。")), li(t("Add leaves.", "放茶叶。")), li(t("Pour.", "倒水。")))],
  after: [ul(li(t("Warm the pot.", "温壶。")), li(t("Pour.", "倒水。")))],
  lines: [2],
  content: "",
}));

add("an item with its whole sublist", ["article", "report"], (t) => ({
  before: [
    ul(
      li(t("Warm the pot.", "温壶。")),
      li(p(t("Add leaves.", "放茶叶。")), ul(li(t("two spoons", "两勺")), li(t("or three", "或三勺")))),
      li(t("Pour.", "倒水。")),
    ),
  ],
  after: [ul(li(t("Warm the pot.", "温壶。")), li(t("Pour.", "倒水。")))],
  lines: [2, 4],
  content: "",
}));

add("all items of a sublist", ["article", "first"], (t) => ({
  before: [
    ul(
      li(t("Warm the pot.", "温壶。")),
      li(p(t("Add leaves.", "放茶叶。")), ul(li(t("two spoons", "两勺")), li(t("or three", "或三勺")))),
      li(t("Pour.", "倒水。")),
    ),
  ],
  after: [ul(li(t("Warm the pot.", "温壶。")), li(t("Add leaves.", "放茶叶。")), li(t("Pour.", "倒水。")))],
  lines: [3, 4],
  content: "",
}));

add("all tasks below a task", ["article", "last"], (t) => ({
  before: [
    tasks(
      done(t("Warm the pot.", "温壶。")),
      todo(p(t("Ask guests", "询问客人")), tasks(todo(t("Ann", "小安")), done(t("Bo", "小波")))),
    ),
  ],
  after: [tasks(done(t("Warm the pot.", "温壶。")), todo(t("Ask guests", "询问客人")))],
  lines: [3, 4],
  content: "",
}));

add("the second paragraph of an item", ["article"], (t) => ({
  before: [ol(li(p(t("Warm the pot.", "温壶。")), p(t("Use hot water.", "用热水。"))), li(t("Pour.", "倒水。")))],
  after: [ol(li(p(t("Warm the pot.", "温壶。"))), li(t("Pour.", "倒水。")))],
  lines: [2],
  content: "",
}));

add("one paragraph of a quotation", ["article", "report"], (t) => ({
  before: [quote(p(t("Tea is life.", "茶即人生。")), p(t("So they say.", "人们这么说。")))],
  after: [quote(p(t("Tea is life.", "茶即人生。")))],
  lines: [2],
  content: "",
}));

add("a paragraph", ["article", "quoted", "twins"], (t) => ({
  before: [before(t), after(t)],
  after: [after(t)],
  lines: [1],
  content: "",
}));

add("a line of a paragraph with hard breaks", ["article", "quoted"], (t) => ({
  before: [p(t("Tea house", "茶馆"), br, t("12 Hill Road", "山路12号"), br, t("Fuzhou", "福州"))],
  after: [p(t("Tea house", "茶馆"), br, t("Fuzhou", "福州"))],
  lines: [2],
  content: "",
}));

add("all lines of a paragraph with hard breaks", ["article", "last"], (t) => ({
  before: [before(t), p(t("Tea house", "茶馆"), br, t("12 Hill Road", "山路12号")), after(t)],
  after: [before(t), after(t)],
  lines: [2, 3],
  content: "",
}));

add("an image", ["article", "report"], (t) => ({
  before: [before(t), img("https://example.com/pot.png", { alt: t("A pot", "茶壶"), width: 300 }), after(t)],
  after: [before(t), after(t)],
  lines: [2],
  content: "",
}));

add("a horizontal rule", ["article", "minutes"], (t) => ({
  before: [before(t), hr(), after(t)],
  after: [before(t), after(t)],
  lines: [2],
  content: "",
}));

add("an empty paragraph", ["article", "quoted"], (t) => ({
  before: [before(t), p(), after(t)],
  after: [before(t), after(t)],
  lines: [2],
  content: "",
}));

add("a heading and its list", ["deep", "last"], (t) => ({
  before: [before(t), h(4, t("Steps", "步骤")), LISTS["a bulleted list"](t), after(t)],
  after: [before(t), after(t)],
  lines: [2, 5],
  content: "",
}));

add("a list and the paragraph after it", ["article", "chapters"], (t) => ({
  before: [before(t), LISTS["a task list"](t), after(t), p(t("The end.", "完。"))],
  after: [before(t), p(t("The end.", "完。"))],
  lines: [2, 5],
  content: "",
}));

add("the end of one list and the beginning of another", ["article"], (t) => ({
  before: [
    ul(li(t("one", "一")), li(t("two", "二"))),
    p(t("Then:", "然后：")),
    ol(li(t("three", "三")), li(t("four", "四"))),
  ],
  after: [ul(li(t("one", "一"))), ol(li(t("four", "四")))],
  lines: [2, 4],
  content: "",
}));

add("a line of code", ["article", "report"], (t) => ({
  before: [pre("js", `const tea = 1;\nconst milk = 2;\n// ${t("pour", "倒")}`)],
  after: [pre("js", `const tea = 1;\n// ${t("pour", "倒")}`)],
  lines: [2],
  content: "",
}));

add("white space is empty too", ["article"], (t) =>
  ["\n", "  "].map((content, index) => ({
    form: ["newline", "spaces"][index],
    before: [before(t), LISTS["a numbered list"](t), after(t)],
    after: [before(t), after(t)],
    lines: [2, 4],
    content,
  })),
);

add("empty markup is empty too", ["article"], (t) =>
  [["p", "<p></p>"]].map(([form, content]) => ({
    form,
    before: [before(t), LISTS["a bulleted list"](t), after(t)],
    anyOf: [
      [before(t), after(t)],
      [before(t), p(), after(t)],
    ],
    refusalOk: true,
    lines: [2, 4],
    content,
  })),
);

const narrow = (one, other) => tr(cell({ colwidth: [90] }, one), cell({ colwidth: [50] }, other));
add("a table with column widths", ["report"], (t) => ({
  before: [
    before(t),
    table(tr(head({ colwidth: [90] }, "A"), head({ colwidth: [50] }, "B")), narrow("1", "2"), narrow("3", "4")),
    after(t),
  ],
  after: [
    before(t),
    table(tr(head({ colwidth: [90] }, "A"), head({ colwidth: [50] }, "B")), narrow("3", "4")),
    after(t),
  ],
  lines: [4, 5],
  content: "",
}));

export default cases;
