/** Returns the numbers of the verdicts as a line. */
export function tally(verdicts) {
  const count = (test) => verdicts.filter(test).length;
  const named = (name, right) => count((one) => one.verdict === name && one.right === right);
  return `${verdicts.length} cases: ${named("exact", true)} exact, ${named("refused", true)} rightly refused, ${named("refused", false)} wrongly refused, ${count((one) => one.verdict === "wrong")} wrong, ${count((one) => one.verdict === "harmed")} harmed`;
}
