// Shows a case as short text.

const MARKS = { bold: "b", italic: "i", code: "`", strike: "s", underline: "u", highlight: "hl", link: "a" };

function attrsOf(attrs = {}) {
  const shown = Object.entries(attrs).filter(
    ([name, value]) =>
      value !== null && !((name === "colspan" || name === "rowspan" || name === "start") && value === 1),
  );
  return shown.length ? `{${shown.map(([name, value]) => `${name}:${JSON.stringify(value)}`).join(",")}}` : "";
}

/** Returns a node in JSON as one line: type{attributes}(children), marks in brackets. */
export function short(node) {
  if (node.type === "text") {
    const marks = (node.marks ?? []).map(({ type, attrs }) => (MARKS[type] ?? type) + attrsOf(attrs));
    return JSON.stringify(node.text) + (marks.length ? `[${marks.join(" ")}]` : "");
  }
  return `${node.type}${attrsOf(node.attrs)}${node.content ? `(${node.content.map(short).join(", ")})` : ""}`;
}

/** Returns the top-level blocks in which two documents differ. */
export function differing(one, other) {
  const [a, b] = [one.content ?? [], other.content ?? []].map((blocks) => blocks.map(short));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Returns a failed case as text. */
export function showFailure(one, { verdict, code, message, problems, found }) {
  const lines = [`\n## ${one.id}: ${verdict}${code ? ` (${code}: ${message})` : ""}`];
  lines.push(`call      ${JSON.stringify(one.call)}`);
  if (one.target) {
    const { path, from, to } = one.target;
    const holder = path.reduce((node, index) => node.content[index], one.document);
    lines.push(`target    ${holder.content.slice(from, to).map(short).join("\n          ")}`);
  }
  const expected = one.expected.refused ? one.document : [one.expected].flat()[0];
  if (one.expected.refused) lines.push(`expected  refused ${one.expected.codes?.join(" or ") ?? ""}`);
  if (found && !code) {
    const [got, wanted] = differing(found, expected);
    lines.push(`got       ${got.join("\n          ")}`, `expected  ${wanted.join("\n          ")}`);
  }
  for (const problem of problems) if (!problem.startsWith("lost:")) lines.push(`problem   ${problem}`);
  return lines.join("\n");
}
