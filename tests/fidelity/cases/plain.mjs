import { p, bold } from "../builders.mjs";
import { collector } from "../rules.mjs";
const { cases, add } = collector("plain");
add("text for a line", ["article","quoted"], (t) => ({
  before: [p(t("Green tea is ", "绿茶"), bold(t("cheap", "便宜")), t(".", "。"))],
  after: [p(t("Green tea is very ", "绿茶很"), bold(t("cheap", "便宜")), t(".", "。"))],
  lines: [1], content: t("Green tea is very cheap.", "绿茶很便宜。"),
}));
export default cases;
