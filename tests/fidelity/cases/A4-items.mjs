// A4: items given for the line of an item replace its text; a sublist and the state of a task stay.
import { bold, done, li, link, ol, olFrom, p, tasks, todo, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("A4");

const pot = (t) => t("Warm the pot.", "温壶。");
const leaves = (t) => t("Add leaves.", "放茶叶。");
const fresh = (t) => t("Add fresh leaves.", "放新鲜的茶叶。");
const pour = (t) => t("Pour.", "倒水。");
const sub = (t) => ul(li(t("two spoons", "两勺")), li(t("or three", "或三勺")));

/** The ways to write the text of one item of a list. */
const ITEMS = {
  li: (text) => `<li>${text}</li>`,
  "li p": (text) => `<li><p>${text}</p></li>`,
  ul: (text) => `<ul><li>${text}</li></ul>`,
  "ul p": (text) => `<ul>\n  <li><p>${text}</p></li>\n</ul>`,
  markdown: (text) => `- ${text}`,
};
const forms = (table, make) => Object.entries(table).map(([form, write]) => ({ form, ...make(write) }));

add("an item with a sublist", ["article", "report"], (t) =>
  forms(ITEMS, (write) => ({
    before: [ul(li(pot(t)), li(p(leaves(t)), sub(t)), li(pour(t)))],
    after: [ul(li(pot(t)), li(p(fresh(t)), sub(t)), li(pour(t)))],
    lines: [2],
    content: write(fresh(t)),
  })),
);

add("an item without a sublist", ["article", "quoted"], (t) =>
  forms(ITEMS, (write) => ({
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(pot(t)), li(fresh(t)), li(pour(t)))],
    lines: [2],
    content: write(fresh(t)),
  })),
);

add("a nested item", ["article", "last"], (t) =>
  forms({ li: ITEMS.li, ul: ITEMS.ul }, (write) => ({
    before: [ul(li(pot(t)), li(p(leaves(t)), sub(t)), li(pour(t)))],
    after: [ul(li(pot(t)), li(p(leaves(t)), ul(li(t("two spoons", "两勺")), li(t("or four", "或四勺")))), li(pour(t)))],
    lines: [4],
    content: write(t("or four", "或四勺")),
  })),
);

add("a numbered item", ["first", "deep"], (t) =>
  forms({ li: ITEMS.li, ol: (text) => `<ol><li>${text}</li></ol>`, "its number": (text) => `6. ${text}` }, (write) => ({
    before: [olFrom(5, li(pot(t)), li(p(leaves(t)), sub(t)), li(pour(t)))],
    after: [olFrom(5, li(pot(t)), li(p(fresh(t)), sub(t)), li(pour(t)))],
    lines: [2],
    content: write(fresh(t)),
  })),
);

add("an item with two paragraphs", ["article"], (t) =>
  forms({ li: ITEMS.li, ul: ITEMS.ul }, (write) => ({
    before: [ul(li(p(pot(t)), p(t("Use hot water.", "用热水。"))), li(pour(t)))],
    after: [ul(li(p(t("Heat the pot.", "烫壶。")), p(t("Use hot water.", "用热水。"))), li(pour(t)))],
    lines: [1],
    content: write(t("Heat the pot.", "烫壶。")),
  })),
);

add("two items for one add an item", ["article", "minutes"], (t) =>
  [
    ["li", `<li>${leaves(t)}</li><li>${t("Wait.", "等。")}</li>`],
    ["ul", `<ul><li>${leaves(t)}</li><li>${t("Wait.", "等。")}</li></ul>`],
    ["markdown", `- ${leaves(t)}\n- ${t("Wait.", "等。")}`],
    ["text", `${leaves(t)}\n${t("Wait.", "等。")}`],
  ].map(([form, content]) => ({
    form,
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(pot(t)), li(leaves(t)), li(t("Wait.", "等。")), li(pour(t)))],
    lines: [2],
    content,
  })),
);

add("one item for two", ["article"], (t) =>
  [
    ["li", `<li>${t("Warm the pot and add leaves.", "温壶并放茶叶。")}</li>`],
    ["markdown", `- ${t("Warm the pot and add leaves.", "温壶并放茶叶。")}`],
  ].map(([form, content]) => ({
    form,
    before: [ul(li(pot(t)), li(leaves(t)), li(pour(t)))],
    after: [ul(li(t("Warm the pot and add leaves.", "温壶并放茶叶。")), li(pour(t)))],
    lines: [1, 2],
    content,
  })),
);

add("marks in an item with a sublist", ["article", "chapters"], (t) =>
  [
    ["li", `<li>${t("Add", "放")} <strong>${t("fresh", "新鲜")}</strong></li>`],
    ["markdown", `- ${t("Add", "放")} **${t("fresh", "新鲜")}**`],
    ["inline", `${t("Add", "放")} <strong>${t("fresh", "新鲜")}</strong>`],
  ].map(([form, content]) => ({
    form,
    before: [ul(li(p(leaves(t)), sub(t)), li(pour(t)))],
    after: [ul(li(p(t("Add", "放"), " ", bold(t("fresh", "新鲜"))), sub(t)), li(pour(t)))],
    lines: [1],
    content,
  })),
);

add("an item given with its sublist", ["article", "last"], (t) => {
  const before = [ul(li(pot(t)), li(p(leaves(t)), sub(t)), li(pour(t)))];
  const after = [
    ul(li(pot(t)), li(p(fresh(t)), ul(li(t("two spoons", "两勺")), li(t("or four", "或四勺")))), li(pour(t))),
  ];
  return [
    {
      form: "li",
      before,
      after,
      lines: [2, 4],
      content: `<li>${fresh(t)}<ul><li>${t("two spoons", "两勺")}</li><li>${t("or four", "或四勺")}</li></ul></li>`,
    },
    {
      form: "markdown",
      before,
      after,
      lines: [2, 4],
      content: `- ${fresh(t)}\n  - ${t("two spoons", "两勺")}\n  - ${t("or four", "或四勺")}`,
    },
    {
      form: "text",
      before,
      after,
      lines: [2, 4],
      content: `${fresh(t)}\n${t("two spoons", "两勺")}\n${t("or four", "或四勺")}`,
    },
  ];
});

// Tasks

const list = (t, ...items) => [tasks(done(pot(t)), ...items, todo(pour(t)))];
const KEEP = {
  li: ITEMS.li,
  "li p": ITEMS["li p"],
  ul: ITEMS.ul,
  inline: (text) => text,
  p: (text) => `<p>${text}</p>`,
};
for (const [state, item] of [
  ["open", todo],
  ["done", done],
]) {
  add(`a task that is ${state} keeps its state`, ["article", "report"], (t) =>
    forms(KEEP, (write) => ({
      before: list(t, item(leaves(t))),
      after: list(t, item(fresh(t))),
      lines: [2],
      content: write(fresh(t)),
    })),
  );
  add(`a task with tasks below that is ${state}`, ["article", "minutes"], (t) =>
    forms({ li: ITEMS.li, ul: ITEMS.ul }, (write) => ({
      before: list(t, item(p(leaves(t)), tasks(todo(t("two spoons", "两勺")), done(t("or three", "或三勺"))))),
      after: list(t, item(p(fresh(t)), tasks(todo(t("two spoons", "两勺")), done(t("or three", "或三勺"))))),
      lines: [2],
      content: write(fresh(t)),
    })),
  );
}

const TICKED = {
  "input in li": (text) => `<li><input type="checkbox" checked> ${text}</li>`,
  "input in ul": (text) => `<ul><li><input type="checkbox" checked="checked">${text}</li></ul>`,
  "input in label": (text) => `<li><label><input type="checkbox" checked /></label><p>${text}</p></li>`,
  tiptap: (text) =>
    `<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><label><input type="checkbox" checked="checked"><span></span></label><div><p>${text}</p></div></li></ul>`,
  "tiptap item": (text) => `<li data-type="taskItem" data-checked="true"><p>${text}</p></li>`,
  markdown: (text) => `- [x] ${text}`,
};
const UNTICKED = {
  "input in li": (text) => `<li><input type="checkbox"> ${text}</li>`,
  "tiptap item": (text) => `<li data-type="taskItem" data-checked="false">${text}</li>`,
  markdown: (text) => `- [ ] ${text}`,
};
add("a task is ticked", ["article", "quoted"], (t) =>
  forms(TICKED, (write) => ({
    before: list(t, todo(leaves(t))),
    after: list(t, done(leaves(t))),
    lines: [2],
    content: write(leaves(t)),
  })),
);
add("a task is ticked and changed", ["article"], (t) =>
  forms(TICKED, (write) => ({
    before: list(t, todo(leaves(t))),
    after: list(t, done(fresh(t))),
    lines: [2],
    content: write(fresh(t)),
  })),
);
add("a task is no longer ticked", ["report"], (t) =>
  forms(UNTICKED, (write) => ({
    before: list(t, done(leaves(t))),
    after: list(t, todo(leaves(t))),
    lines: [2],
    content: write(leaves(t)),
  })),
);
add("a task with tasks below is ticked", ["article"], (t) =>
  forms({ "input in li": TICKED["input in li"], markdown: TICKED.markdown }, (write) => ({
    before: list(t, todo(p(leaves(t)), tasks(todo(t("two spoons", "两勺"))))),
    after: list(t, done(p(leaves(t)), tasks(todo(t("two spoons", "两勺"))))),
    lines: [2],
    content: write(leaves(t)),
  })),
);

add("a link in an item stays in its text", ["article"], (t) => ({
  before: [ol(li(p(t("See ", "见"), link("https://example.com/pots", t("pots", "茶壶")), t(".", "。")), sub(t)))],
  after: [ol(li(p(t("Also see ", "另见"), link("https://example.com/pots", t("pots", "茶壶")), t(".", "。")), sub(t)))],
  lines: [1],
  content: t("Also see pots.", "另见茶壶。"),
}));

export default cases;
