// Random notes in notations of Obsidian, GitHub, VitePress, Pandoc and kramdown, most of which no schema here has.
const WORDS = ["tea", "leaves", "a small cup", "茶杯", "绿茶。", "AT&T", "don't", "x < y", "snake_case", "2*3", "C:\\dir", "&nbsp;", "&copy;", "a\\*b", "#tag", "#a/b", "@ann", "e.g.", "–", "“said”"];
const INLINE = [
  "[[Page]]", "[[Page|alias]]", "[[Page#Head|a_b]]", "![[image.png|200]]", "[@cite]", "[@doe99, p. 3; @b]", "[k:: v]", "(k:: v)",
  "^[a note]", "==marked==", "%%hidden%%", "H~2~O", "x^2^", ":smile:", "{{var}}", "{% tag %}", "[span]{.c}", "`$PATH`", "`a|b`", "$5", "$x_1$",
  "<br>", "<kbd>K</kbd>", "<!-- c -->", "[c][]", "[ref]", "[t][ref]", "[t](/a_(b) 'T')", "![i](a.png)", "https://e.example/x_y?z", "<https://e.example>",
  "**b**", "*i*", "__b__", "_i_", "~~s~~", "***bi***", "**`code`**", "`a`**b**", "**粗体**", "_a b_",
];

/** Returns a source of one to six blocks. */
export function randomNotes(random) {
  const part = () => (random.chance(0.45) ? random.pick(INLINE) : random.pick(WORDS));
  const line = () => random.times(1, 5, part).join(random.pick([" ", " ", " ", ""]));
  const breaks = ["\n", "\n", "  \n", "\\\n"];
  const lines = () => random.times(1, 4, line).reduce((text, next) => text + random.pick(breaks) + next);
  const prefixed = (text, first, rest = first) => text.split("\n").map((one, at) => ((at ? rest : first) + one).trimEnd()).join("\n");

  function list(depth) {
    const bullet = random.pick(["- ", "* ", "+ ", "*   ", "1. ", "1) ", "- [ ] ", "- [x] ", "- [/] ", "-   [ ] "]);
    const gap = random.pick(["\n", "\n", "\n\n"]);
    const indent = " ".repeat(/^\S+\s+/.exec(bullet)[0].length);
    const items = random.times(1, 4, () => {
      const inner = depth < 2 && random.chance(0.3) ? `${lines()}${random.pick(["\n", "\n\n"])}${block(depth + 1)}` : random.pick([lines, line, line])();
      return prefixed(inner, bullet, indent);
    });
    return items.join(gap);
  }
  function table() {
    const row = (count) => {
      const cells = random.times(count, count, () => line().replaceAll("|", "\\|"));
      return random.pick([(one) => `| ${one.join(" | ")} |`, (one) => `|${one.join("|")}|`, (one) => `| ${one.map((cell) => cell.padEnd(12)).join(" | ")} |`])(cells);
    };
    return [row(2), random.pick(["|---|---|", "| :--- | ---: |", "|:-:|-|"]), ...random.times(0, 3, () => row(random.pick([2, 2, 2, 1, 3])))].join("\n");
  }
  function block(depth = 0) {
    const kinds = [
      lines, lines, lines,
      () => `${"#".repeat(1 + random.below(4))} ${line()}${random.pick(["", "", " {#id}", " ^id"])}`,
      () => `> [!${random.pick(["NOTE", "tip", "warning"])}]${random.pick(["", "- Title", "+", ""])}\n${prefixed(lines(), "> ")}`,
      () => prefixed(depth < 2 ? block(depth + 1) : lines(), "> ", random.pick(["> ", "> ", ">"])),
      () => `:::${random.pick([" ", ""])}${random.pick(["tip", "warning 注意", "details More"])}\n${lines()}\n:::`,
      () => `${line()}\n: ${line()}\n: ${line()}`,
      () => `${lines()}\n{: .class #id}`,
      () => `${lines()} ^block-id`,
      () => `　　${line()}\n　　${line()}\n　　${line()}`,
      () => `\`\`\`${random.pick(["js", "mermaid", "{r, echo=FALSE}"])}\n${line()}\n  ${line()}\n\`\`\``,
      () => `$$\n${random.pick(["x^2", "\\frac{1}{2}"])}\n$$`,
      () => `[^1]: ${lines().replaceAll("\n", "\n    ")}`,
      () => `<div class="x">\n${line()}\n</div>`,
      () => `%%\n${line()}\n%%`,
      () => list(depth), () => list(depth), () => list(depth),
      table,
    ];
    return random.pick(kinds)();
  }
  const blocks = random.times(1, 6, () => block());
  const matter = random.chance(0.1) ? "---\ntags: [a]\n---\n\n" : "";
  const source = `${matter}${[...blocks, "[ref]: https://e.example/r 'R'\n[c]: /c"].join("\n\n")}\n`;
  return random.chance(0.2) ? source.replaceAll("\n", random.pick(["\r\n", "\r"])) : source;
}
