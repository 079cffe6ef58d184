// B2: the notation in which lines are shown comes back: signs set the kind of a line and are never text.
import {
  bold,
  details,
  done,
  h,
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

const { cases, add } = collector("B2");

const pot = (t) => t("Warm the pot.", "温壶。");
const leaves = (t) => t("Add leaves.", "放茶叶。");
const fresh = (t) => t("Add fresh leaves.", "放新鲜的茶叶。");
const pour = (t) => t("Pour.", "倒水。");

// Tasks

const STATES = {
  ticked: ["- [x] ", todo, done],
  "no longer ticked": ["- [ ] ", done, todo],
  "ticked with X": ["- [X] ", todo, done],
  "ticked with *": ["* [x] ", todo, done],
  "ticked without a dash": ["[x] ", todo, done],
};
for (const [name, [sign, from, to]] of Object.entries(STATES)) {
  add(`a task is ${name}`, ["article", "minutes"], (t) => [
    {
      form: "same words",
      before: [tasks(done(pot(t)), from(leaves(t)), todo(pour(t)))],
      after: [tasks(done(pot(t)), to(leaves(t)), todo(pour(t)))],
      lines: [2],
      content: sign + leaves(t),
    },
    {
      form: "other words",
      before: [tasks(done(pot(t)), from(leaves(t)), todo(pour(t)))],
      after: [tasks(done(pot(t)), to(fresh(t)), todo(pour(t)))],
      lines: [2],
      content: sign + fresh(t),
    },
  ]);
}
add("several tasks are ticked", ["article", "report"], (t) => ({
  before: [tasks(done(pot(t)), todo(leaves(t)), todo(pour(t)))],
  after: [tasks(done(pot(t)), done(leaves(t)), done(pour(t)))],
  lines: [1, 3],
  content: `- [x] ${pot(t)}\n- [x] ${leaves(t)}\n- [x] ${pour(t)}`,
}));
add("a task below a task is ticked", ["article", "last"], (t) => ({
  before: [tasks(todo(p(pot(t)), tasks(todo(leaves(t)), todo(pour(t)))))],
  after: [tasks(todo(p(pot(t)), tasks(todo(leaves(t)), done(pour(t)))))],
  lines: [3],
  content: `  - [x] ${pour(t)}`,
}));
add("a task is added", ["article"], (t) => ({
  before: [tasks(done(pot(t)), todo(pour(t)))],
  after: [tasks(done(pot(t)), todo(leaves(t)), todo(pour(t)))],
  lines: [1],
  content: `- [x] ${pot(t)}\n- [ ] ${leaves(t)}`,
}));

// Signs of the line's own kind are not text

add("the line's own sign", ["article", "deep"], (t) => [
  {
    form: "bullet",
    before: [ul(li(pot(t)), li(leaves(t)))],
    after: [ul(li(pot(t)), li(fresh(t)))],
    lines: [2],
    content: `- ${fresh(t)}`,
  },
  {
    form: "star",
    before: [ul(li(pot(t)), li(leaves(t)))],
    after: [ul(li(pot(t)), li(fresh(t)))],
    lines: [2],
    content: `* ${fresh(t)}`,
  },
  {
    form: "number",
    before: [ol(li(pot(t)), li(leaves(t)))],
    after: [ol(li(pot(t)), li(fresh(t)))],
    lines: [2],
    content: `2. ${fresh(t)}`,
  },
  {
    form: "number of a later start",
    before: [olFrom(7, li(pot(t)), li(leaves(t)))],
    after: [olFrom(7, li(pot(t)), li(fresh(t)))],
    lines: [2],
    content: `8. ${fresh(t)}`,
  },
  {
    form: "quotation",
    before: [quote(p(pot(t)), p(leaves(t)))],
    after: [quote(p(pot(t)), p(fresh(t)))],
    lines: [2],
    content: `> ${fresh(t)}`,
  },
  {
    form: "quotation, two lines",
    before: [quote(p(pot(t)), p(leaves(t)))],
    after: [quote(p(fresh(t)), p(pour(t)))],
    lines: [1, 2],
    content: `> ${fresh(t)}\n> ${pour(t)}`,
  },
  {
    form: "heading",
    before: [h(4, leaves(t)), p(pot(t))],
    after: [h(4, fresh(t)), p(pot(t))],
    lines: [1],
    content: `#### ${fresh(t)}`,
  },
  {
    form: "nested bullet",
    before: [ul(li(p(pot(t)), ul(li(leaves(t)))))],
    after: [ul(li(p(pot(t)), ul(li(fresh(t)))))],
    lines: [2],
    content: `  - ${fresh(t)}`,
  },
  {
    form: "item in a quotation",
    before: [quote(ul(li(pot(t)), li(leaves(t))))],
    after: [quote(ul(li(pot(t)), li(fresh(t))))],
    lines: [2],
    content: `> - ${fresh(t)}`,
  },
  {
    form: "cell",
    before: [table(tr(th(pot(t)), th("1")), tr(leaves(t), "2"))],
    after: [table(tr(th(pot(t)), th("1")), tr(fresh(t), "2"))],
    lines: [3],
    content: `| ${fresh(t)}`,
  },
  {
    form: "summary",
    before: [details(leaves(t), p(pot(t)))],
    after: [details(fresh(t), p(pot(t)))],
    lines: [1],
    content: `▸ ${fresh(t)}`,
  },
]);

add("a sign with the line unchanged changes nothing", ["article", "report"], (t) => [
  {
    form: "bullets",
    before: [ul(li(pot(t)), li(p(t("See ", "见"), link("https://example.com/x", t("this", "此")))), li(pour(t)))],
    lines: [1, 3],
    content: `- ${pot(t)}\n- ${t("See this", "见此")}\n- ${fresh(t)}`,
    after: [ul(li(pot(t)), li(p(t("See ", "见"), link("https://example.com/x", t("this", "此")))), li(fresh(t)))],
  },
  {
    form: "heading and text",
    before: [h(3, pot(t)), p(t("It is ", "它"), bold(t("hot", "烫"))), p(leaves(t))],
    lines: [1, 3],
    content: `### ${pot(t)}\n${t("It is hot", "它烫")}\n${fresh(t)}`,
    after: [h(3, pot(t)), p(t("It is ", "它"), bold(t("hot", "烫"))), p(fresh(t))],
  },
]);

// Levels of headings

for (const [from, to] of [
  [3, 2],
  [2, 3],
  [3, 4],
  [4, 3],
  [4, 1],
]) {
  add(`a heading of level ${from} becomes ${to}`, ["deep"], (t) => [
    {
      form: "same words",
      before: [h(from, leaves(t)), p(pot(t))],
      after: [h(to, leaves(t)), p(pot(t))],
      lines: [1],
      content: `${"#".repeat(to)} ${leaves(t)}`,
    },
    {
      form: "other words",
      before: [h(from, leaves(t)), p(pot(t))],
      after: [h(to, fresh(t)), p(pot(t))],
      lines: [1],
      content: `${"#".repeat(to)} ${fresh(t)}`,
    },
  ]);
}
add("a paragraph becomes a heading", ["article", "last"], (t) => ({
  before: [p(leaves(t)), p(pot(t))],
  after: [h(2, leaves(t)), p(pot(t))],
  lines: [1],
  content: `## ${leaves(t)}`,
}));
add("text for a heading keeps it a heading", ["article", "deep"], (t) => ({
  before: [h(3, leaves(t)), p(pot(t))],
  after: [h(3, fresh(t)), p(pot(t))],
  lines: [1],
  content: fresh(t),
}));

// Levels of items

add("an item moves in", ["article", "report"], (t) => [
  {
    form: "one line",
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    lines: [2],
    content: `  - ${leaves(t)}`,
  },
  {
    form: "all lines",
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    lines: [1, 3],
    content: `- ${pot(t)}\n  - ${leaves(t)}\n- ${pour(t)}`,
  },
  {
    form: "four spaces",
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    lines: [1, 3],
    content: `- ${pot(t)}\n    - ${leaves(t)}\n- ${pour(t)}`,
  },
  {
    form: "into a sublist",
    before: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)), li(pour(t)))))],
    lines: [3],
    content: `  - ${pour(t)}`,
  },
  {
    form: "a task",
    before: [tasks(todo(pot(t)), done(leaves(t)))],
    after: [tasks(todo(p(pot(t)), tasks(done(leaves(t)))))],
    lines: [2],
    content: `  - [x] ${leaves(t)}`,
  },
  {
    form: "tab",
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    lines: [1, 3],
    content: `- ${pot(t)}\n\t- ${leaves(t)}\n- ${pour(t)}`,
  },
]);
add("an item moves out", ["article", "chapters"], (t) => [
  {
    form: "one line",
    before: [ul(li(p(pot(t)), ul(li(leaves(t)), li(fresh(t)))), li(pour(t)))],
    after: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(fresh(t)), li(pour(t)))],
    lines: [3],
    content: `- ${fresh(t)}`,
    refusalOk: true,
  },
  {
    form: "all lines",
    before: [ul(li(p(pot(t)), ul(li(leaves(t)))), li(pour(t)))],
    after: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    lines: [1, 3],
    content: `- ${pot(t)}\n- ${leaves(t)}\n- ${pour(t)}`,
  },
]);

// Code

const code = (t) => `print("${t("tea", "茶")}")\nexit()`;
add("a fence sets the language", ["article", "last"], (t) =>
  [
    {
      form: "another language",
      before: [pre("js", code(t))],
      after: [pre("python", code(t))],
      content: `\`\`\`python\n${code(t)}\n\`\`\``,
    },
    {
      form: "first language",
      before: [pre(null, code(t))],
      after: [pre("python", code(t))],
      content: `\`\`\`python\n${code(t)}\n\`\`\``,
    },
    {
      form: "other lines too",
      before: [pre("js", code(t))],
      after: [pre("python", `${code(t)}\n# end`)],
      content: `\`\`\`python\n${code(t)}\n# end\n\`\`\``,
    },
    {
      form: "same language",
      before: [pre("python", code(t))],
      after: [pre("python", code(t).replace("exit", "quit"))],
      content: `\`\`\`python\n${code(t).replace("exit", "quit")}\n\`\`\``,
    },
  ].map((rule) => ({ ...rule, lines: [1, 2] })),
);
add("a paragraph becomes code", ["article", "quoted"], (t) => ({
  before: [p(pot(t)), p(leaves(t))],
  after: [p(pot(t)), pre("python", code(t))],
  lines: [2],
  content: `\`\`\`python\n${code(t)}\n\`\`\``,
}));

// Other leaves

add("a rule and an image", ["article", "twins"], (t) => [
  {
    form: "rule",
    before: [p(pot(t)), p(leaves(t)), p(pour(t))],
    after: [p(pot(t)), hr(), p(pour(t))],
    lines: [2],
    content: "---",
  },
  {
    form: "image",
    before: [p(pot(t)), img("https://example.com/a.png", { alt: t("old", "旧") })],
    after: [p(pot(t)), img("https://example.com/a.png", { alt: t("new", "新") })],
    lines: [2],
    content: `![${t("new", "新")}](https://example.com/a.png)`,
  },
]);

add("a row of cells", ["article", "report"], (t) => ({
  before: [table(tr(th(t("Tea", "茶")), th(t("Price", "价格"))), tr(t("Green", "绿茶"), "€ 12"))],
  after: [table(tr(th(t("Tea", "茶")), th(t("Price", "价格"))), tr(t("Green", "绿茶"), "€ 13"))],
  lines: [3, 4],
  content: `| ${t("Green", "绿茶")}\n| € 13`,
}));
add("whole lines of a quotation with a list", ["article"], (t) => ({
  before: [quote(p(pot(t)), ul(li(leaves(t)), li(pour(t))))],
  after: [quote(p(pot(t)), ul(li(fresh(t)), li(pour(t))))],
  lines: [1, 3],
  content: `> ${pot(t)}\n> - ${fresh(t)}\n> - ${pour(t)}`,
}));

export default cases;
