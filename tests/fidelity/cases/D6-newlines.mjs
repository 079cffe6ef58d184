// D6: a newline inside a text is the end of a line, outside of code as well. What stays of the block keeps its newlines.
import { bold, br, h, li, link, p, ul } from "../builders.mjs";
import { collector } from "../rules.mjs";

const { cases, add } = collector("D6");

const one = (t) => t("Warm the pot.", "温壶。");
const two = (t) => t("Pour the tea.", "倒茶。");
const three = (t) => t("Drink it.", "喝茶。");
const now = (t) => t("Pour all the tea now.", "现在倒茶。");
const BLOCKS = {
  paragraph: (...parts) => p(...parts),
  heading: (...parts) => h(3, ...parts),
  item: (...parts) => ul(li(p(...parts)), li("x")),
};
for (const [name, block] of Object.entries(BLOCKS)) {
  const three_lines = (t) => [block(`${one(t)}\n${two(t)}\n${three(t)}`)];
  add(`lines of a ${name}`, ["article", "quoted", "last"], (t) => [
    {
      form: "the second",
      before: three_lines(t),
      after: [block(`${one(t)}\n${now(t)}\n${three(t)}`)],
      lines: [2],
      content: now(t),
    },
    {
      form: "the first two",
      before: three_lines(t),
      after: [block(`${two(t)}\n${one(t)}\n${three(t)}`)],
      lines: [1, 2],
      content: `${two(t)}\n${one(t)}`,
    },
    {
      form: "without the second",
      before: three_lines(t),
      after: [block(`${one(t)}\n${three(t)}`)],
      lines: [2],
      content: "",
    },
    {
      form: "one more",
      before: three_lines(t),
      after: [block(`${one(t)}\n${two(t)}\n${now(t)}\n${three(t)}`)],
      lines: [2],
      content: `${two(t)}\n${now(t)}`,
    },
    {
      form: "a text over two",
      before: three_lines(t),
      after: [block(`${one(t)}\n${now(t)}\n${t("Enjoy it.", "品茶。")}`)],
      call: {
        operation: "replace_text",
        old: `${two(t)}\n${three(t)}`,
        new: `${now(t)}\n${t("Enjoy it.", "品茶。")}`,
      },
    },
  ]);
}
add("marks beside newlines", ["article", "report"], (t) => {
  const manual = link("https://example.com/m", t("manual", "手册"));
  return {
    before: [p(t("Read the ", "请读"), manual, t(".\nThen ", "。\n然后"), bold(t("pour", "倒")), t(" it.", "茶。"))],
    after: [p(t("Read the ", "请读"), manual, t(".\nThen slowly ", "。\n然后慢慢"), bold(t("pour", "倒")), t(" it.", "茶。"))],
    lines: [2],
    content: t("Then slowly pour it.", "然后慢慢倒茶。"),
  };
});

export default cases;
