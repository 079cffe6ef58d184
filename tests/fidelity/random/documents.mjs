// Random documents of the schema of ../unseen/schema.mjs, as trees with uids.
import { CODE_LANGUAGES, textsOf } from "./texts.mjs";
import { contentOf, node, unitsOf, wordsOf, written } from "./tree.mjs";

const PEOPLE = ["Ann Lee", "Tom Weiß", "李明", "Priya Nair", "Zoë"];
const FORMULAS = ["x^2", "a + b", "\\frac{1}{2}", "E = mc^2", "\\alpha_1"];
const HREFS = ["https://example.com/a", "https://example.org/b?c=1&d=2", "https://example.net/page#top", "/local/path"];
const COLORS = ["#ffee00", "#aaffcc"];

const SIMPLE = ["bold", "bold", "italic", "strike", "underline", "code", "superscript", "subscript"];

/** Returns random marks, in the order of the schema. */
export function randomMarks(random) {
  const link = { type: "link", attrs: linkAttrs(random) };
  const roll = random.below(10);
  if (roll < 2) return [link];
  if (roll < 3) return [link, { type: "bold" }];
  if (roll < 4) return [{ type: "bold" }, { type: "italic" }];
  if (roll < 5) return [{ type: "highlight", attrs: { color: random.pick(COLORS) } }];
  return [{ type: random.pick(SIMPLE) }];
}

function linkAttrs(random) {
  const more = random.chance(0.05) ? random.pick([{ title: "A page" }, { target: "_self" }, { rel: "nofollow" }]) : {};
  return {
    href: random.pick(HREFS) + random.below(1e6),
    target: "_blank",
    rel: "noopener noreferrer nofollow",
    class: null,
    title: null,
    ...more,
  };
}

/** Returns inline content: a text with marks on some of its words, and leaves between words. */
export function inline(random, texts, text) {
  const units = written(text);
  const words = wordsOf(units, texts.language);
  for (let at = random.chance(0.5) ? random.below(4) : words.length; at < words.length; at += 3 + random.below(6)) {
    const last = Math.min(words.length - 1, at + random.below(3));
    if (last === at && words[at].text.length < 2) continue;
    const marks = randomMarks(random);
    for (let unit = words[at].from; unit < words[last].to; unit += 1) units[unit].marks = marks;
    at = last;
  }
  if (random.chance(0.02)) for (const unit of units) unit.marks = [{ type: "bold" }];
  else if (random.chance(0.12)) insertLeaf(random, texts, units, words);
  return contentOf(units);
}

/** The same person is always the same node, as text forms tell them apart by nothing else. */
const mention = (at) => node("mention", { id: `u${at}`, label: PEOPLE[at], mentionSuggestionChar: "@" });

function insertLeaf(random, texts, units, words) {
  const places = words.filter(({ to }) => units[to]?.marks.length === 0 && units[to - 1].marks.length === 0);
  if (!places.length) return;
  const { to } = random.pick(places);
  const leaf = random.chance(0.5)
    ? mention(random.below(PEOPLE.length))
    : node("inlineMath", { latex: random.pick(FORMULAS) });
  units.splice(
    to,
    0,
    ...written(" "),
    { text: "\uFFFC", leaf, marks: [] },
    ...(/[\s.,，。]/.test(units[to].text) ? [] : written(" ")),
  );
}

/** The makers of blocks of one document. */
export function makers(random, texts) {
  const attrs = (share) => ({
    textAlign: random.chance(share) ? random.pick(["center", "right"]) : undefined,
    dir: random.chance(share / 3) ? "rtl" : undefined,
  });
  const paragraph = (text = texts.paragraph()) => node("paragraph", attrs(0.05), inline(random, texts, text));
  const broken = () => {
    const parts = random.times(2, 3, () => inline(random, texts, texts.sentence()));
    return node(
      "paragraph",
      attrs(0.05),
      parts.flatMap((part, at) => (at ? [{ type: "hardBreak" }, ...part] : part)),
    );
  };
  const heading = (level) => node("heading", { level, ...attrs(0.05) }, inline(random, texts, texts.title()));
  const code = () => {
    const language = random.chance(0.75) ? random.pick(CODE_LANGUAGES) : undefined;
    return node("codeBlock", { language }, [{ type: "text", text: texts.code(language).join("\n") }]);
  };
  const image = () =>
    node("image", {
      src: `https://example.com/${random.below(1000)}.png`,
      alt: random.chance(0.8) ? texts.item() : undefined,
      title: random.chance(0.2) ? "A title" : undefined,
      width: random.chance(0.3) ? 320 : undefined,
    });
  const rule = () => node("horizontalRule");
  const formula = () => node("blockMath", { latex: random.pick(FORMULAS) });
  const quote = (depth = 0) =>
    node("blockquote", undefined, [
      paragraph(texts.sentence()),
      ...random.times(0, 2, () =>
        depth < 1 && random.chance(0.3) ? random.pick([quote, list])(depth + 1) : paragraph(texts.sentence()),
      ),
    ]);
  const list = (depth = 0, kind = random.pick(["bulletList", "bulletList", "orderedList", "taskList"])) => {
    const start = kind === "orderedList" && random.chance(0.2) ? 2 + random.below(8) : undefined;
    return node(
      kind,
      { start, dir: random.chance(0.02) ? "rtl" : undefined },
      random.times(1 + (depth === 0), 4, () => item(kind, depth)),
    );
  };
  const item = (kind, depth = 9) => {
    const content = [paragraph(texts.item())];
    if (random.chance(0.1)) content.push(paragraph(texts.sentence()));
    if (depth < 2 && random.chance(0.2)) content.push(list(depth + 1));
    else if (depth < 2 && random.chance(0.04)) content.push(code());
    return kind === "taskList"
      ? node("taskItem", { checked: random.chance(0.4) }, content)
      : node("listItem", undefined, content);
  };
  const cell = (type, width, content = [paragraph(texts.cell())]) =>
    node(type, { colspan: 1, rowspan: 1, colwidth: width && [width] }, content);
  const table = () => {
    const columns = 2 + random.below(3);
    const widths = Array.from({ length: columns }, () => (random.chance(0.5) ? 80 + 20 * random.below(5) : undefined));
    const styled = random.chance(0.25);
    const [top, left] = [random.chance(0.8), random.chance(0.08)];
    const row = (at) =>
      node(
        "tableRow",
        undefined,
        widths.map((width, column) =>
          cell(
            (top && at === 0) || (left && column === 0) ? "tableHeader" : "tableCell",
            styled ? width : undefined,
            cellContent(at, column),
          ),
        ),
      );
    const rows = random.times(2, 4, (_, at) => row(at));
    if (columns > 2 && random.chance(0.08)) merge(rows.at(-1));
    return node("table", undefined, rows);
  };
  const cellContent = (row) => {
    if (row && random.chance(0.04)) return [paragraph(texts.cell()), list(2, "bulletList")];
    return [paragraph(row ? texts.cell() : texts.item())];
  };
  const merge = (row) => {
    const [first, second] = row.content;
    const widths = [first, second].map(({ attrs: { colwidth } }) => colwidth?.[0] ?? 0);
    first.attrs = { ...first.attrs, colspan: 2, ...(widths.some(Boolean) ? { colwidth: widths } : {}) };
    row.content.splice(1, 1);
  };
  const details = () =>
    node("details", undefined, [
      node("detailsSummary", undefined, [{ type: "text", text: texts.title() }]),
      node(
        "detailsContent",
        undefined,
        random.times(1, 2, () => paragraph(texts.sentence())),
      ),
    ]);
  return { paragraph, broken, heading, code, image, rule, formula, quote, list, item, cell, table, details };
}

/** Returns a random document as `{ tree, texts, make }`. */
export function randomDocument(random) {
  const texts = textsOf(random);
  const make = makers(random, texts);
  const kinds = [
    "paragraph",
    "paragraph",
    "paragraph",
    "paragraph",
    "broken",
    "code",
    "image",
    "rule",
    "formula",
    "quote",
    "list",
    "list",
    "list",
    "table",
    "details",
  ];
  const some = () => random.times(1, 4, () => make[random.pick(kinds)]());
  const blocks = [
    ...(random.chance(0.7) ? [make.heading(1)] : []),
    ...some(),
    ...random
      .times(1, 3, () => [make.heading(2), ...some(), ...(random.chance(0.3) ? [make.heading(3), ...some()] : [])])
      .flat(),
  ];
  return { tree: { type: "doc", uid: 0, content: apart(random, blocks) }, texts, make };
}

/** Drops most of the second ones of two neighbouring lists or quotations of one kind. */
function apart(random, blocks) {
  return blocks.filter(({ type }, at) => {
    const twins =
      at > 0 &&
      blocks[at - 1].type === type &&
      ["bulletList", "orderedList", "taskList", "blockquote", "table"].includes(type);
    return !twins || random.chance(0.3);
  });
}
