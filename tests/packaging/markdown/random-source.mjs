// Random Markdown, most of it well formed, with signs at places where they mean something and where they do not.
const WORDS = ["tea", "a leaf", "茶", "绿茶。", "（旧）", "“说”", "注意：", "100元。", "한국어", "old,", "2 * 3", "snake_case", "AT&T", "&lt;", "a\\*b", "x < y", "C:\\dir", "[ ]", "!", "😀"];
const SIGNS = ["*", "**", "***", "_", "__", "~~", "`", "``"];

/** Returns a source of one to five blocks. */
export function randomSource(random) {
  const word = () => random.pick(WORDS);
  const words = () => random.times(1, 3, word).join(random.pick([" ", ""]));

  function phrase(depth = 0) {
    const kind = random.below(10);
    const sign = random.pick(SIGNS);
    if (kind < 3 || depth > 2) return words();
    if (kind < 6) return `${sign}${phrase(depth + 1)}${random.chance(0.9) ? sign : random.pick(SIGNS)}`;
    if (kind === 6) return `[${phrase(depth + 1)}](${random.pick(["https://e.example/a_(b)?c=d&e", "<a b>", "/x 'T \"q\"'", "#y"])})`;
    if (kind === 7) return random.pick(["[ref]", "[tea][ref]", "[no]", "https://bare.example/x", "<https://auto.example>"]);
    if (kind === 8) return `${words()}${random.pick(["\n", "  \n", "\\\n"])}${words()}`;
    return `${phrase(depth + 1)}${random.pick([" ", "", "，"])}${phrase(depth + 1)}`;
  }

  const inline = () => random.times(1, 4, () => phrase()).join(random.pick([" ", "", " "]));
  const line = () => inline().replace(/\s*\\?\n/g, " ");
  const indented = (text, by) => text.replaceAll("\n", `\n${by}`);
  const cells = (count) => `| ${random.times(count, count, () => line().replaceAll("|", "\\|")).join(" | ")} |`;

  function list(depth) {
    const marker = random.pick(["- ", "* ", "1. ", "7) ", "- [ ] ", "- [x] "]);
    const by = " ".repeat(marker.length > 3 ? 2 : marker.length);
    const gap = random.pick(["\n", "\n\n"]);
    const item = () => (marker.endsWith("] ") && random.chance(0.2) ? marker.trimEnd() : marker + content());
    const content = () => indented(depth < 2 && random.chance(0.3) ? `${inline()}${random.pick(["\n", "\n\n"])}${block(depth + 1)}` : inline(), by);
    return random.times(1, 3, item).join(gap);
  }

  function block(depth = 0) {
    const kind = random.below(12);
    if (kind < 4) return inline();
    if (kind === 4) return `${"#".repeat(1 + random.below(6))} ${line()}`;
    if (kind === 5) return `${line()}\n${random.pick(["===", "---"])}`;
    if (kind < 8) return list(depth);
    if (kind === 8) return `> ${indented(depth < 2 ? block(depth + 1) : inline(), "> ")}`;
    if (kind === 9) return `${random.pick(["```", "~~~js", "```c++ x"])}\n${line()}\n  ${line()}\n${"```"}`;
    if (kind === 10) return `${cells(2)}\n|${random.pick(["---|:-:", ":--|--:"])}|\n${cells(2)}\n${cells(random.pick([1, 2]))}`;
    return random.pick(["---", "***", `![${words()}](a.png)`, "    code\n\n    more"]);
  }

  const blocks = random.times(1, 5, () => block());
  return `${[...blocks, "[ref]: https://ref.example 'Title'"].join("\n\n")}\n`;
}
