// Writes docs/FIDELITY.md from verdicts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { UNSEEN, readFailures } from "./failures.mjs";
import { unseen } from "./unseen.mjs";

const root = new URL("../../", import.meta.url);
const versionOf = (path) => {
  const file = new URL(`${path}/package.json`, root);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
};

const TIPTAP = `@tiptap/core ${versionOf("node_modules/@tiptap/core")}`;
const BLOCKNOTE = `@blocknote/xl-ai ${versionOf("tests/fidelity/blocknote/node_modules/@blocknote/xl-ai") ?? "not installed"}`;

/** Engines in the order of the table: name and version, and how a call reaches them. */
export const ENGINES = {
  copydesk: [`copydesk ${versionOf("pkg")}, in an editor`, "`document.apply` of the editor's document"],
  headless: [`copydesk ${versionOf("pkg")}, without an editor`, "`document.apply` in Node"],
  ranges: [
    `insertContentAt, ${TIPTAP}`,
    "TipTap's public commands `insertContentAt` and `deleteRange`, with the range of the lines or the section",
  ],
  naive: [`setContent, ${TIPTAP}`, "the document as HTML, elements of the lines or the section replaced, `setContent`"],
  search: [
    `search and replace, ${TIPTAP}`,
    "the HTML of what is replaced must occur once in the HTML of the document; `setContent`",
  ],
  blocknote: [
    BLOCKNOTE,
    "update, add and delete operations on blocks, written as HTML, by its `StreamToolExecutor`, without a model; only the cases whose documents it holds without loss; an error counts as refused",
  ],
};

const CLASSES = {
  plain: "correct edits of every operation, and calls that cannot be right",
  text: "text that only looks like notation stays as it is",
  A1: "plain text keeps marks, links and inline atoms of what stays",
  A2: "empty content deletes what the lines are",
  A3: "rows for the lines of a row",
  A4: "items for the line of an item; states of tasks",
  A5: "HTML takes lines out of their container",
  A6: "hard breaks",
  A7: "attributes that HTML does not repeat stay",
  A8: "mentions and formulas",
  A9: "small changes",
  B1: "blank lines are separators",
  B2: "the notation that is shown comes back",
  B3: "Markdown in small",
  B4: "entities and escapes",
  B5: "`replace_text`: ends, typography, matches over marks and lines",
  B6: "line numbers, fences, introductions, diffs around the content",
  B7: "repeated neighbours",
  C1: "places left out are refused",
  C2: "content that would drop most of a document is refused",
  C3: "off by one is refused",
  D5: "`insert` at the ends",
  E1: "lines with few signs are blocks; rows and items that move; marks named in the text to find",
  E2: "marks of words that move or are new; ranges over several kinds of blocks",
  forms: "the same in other forms: attributes, CRLF, full-width signs, lists in quotations, spans",
};

const counts = (verdicts) => {
  const count = (name, right) =>
    verdicts.filter((one) => one.verdict === name && (right === undefined || one.right === right)).length;
  return {
    cases: verdicts.length,
    exact: count("exact"),
    refused: count("refused", true),
    refusedWrongly: count("refused", false),
    wrong: count("wrong"),
    harmed: count("harmed"),
  };
};

const percent = (part, all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "–");

function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

function sizes(verdicts) {
  const numbers = verdicts
    .filter(({ size, verdict }) => size !== undefined && verdict !== "refused")
    .map(({ size }) => size);
  return numbers.length ? `${quantile(numbers, 0.5)} / ${quantile(numbers, 0.95)}` : "–";
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

const COLUMNS = ["cases", "exact or rightly refused", "exact", "rightly refused", "wrongly refused", "wrong", "harmed"];
const cells = (verdicts) => {
  const { cases, exact, refused, refusedWrongly, wrong, harmed } = counts(verdicts);
  return [cases, percent(exact + refused, cases), exact, refused, refusedWrongly, wrong, harmed];
};

/** Returns the page. `results` are the verdicts by engine, or the reason why it was not played. */
/** Returns the figures of the edits that nobody who writes copydesk had seen: of their first run, and now. */
export function unseenSection() {
  const firstRuns = JSON.parse(readFileSync(new URL("./unseen/first-runs.json", import.meta.url), "utf8"));
  const failures = [...readFailures(UNSEEN)];
  const suites = unseen();
  const rows = firstRuns.map(({ suite, date, documents, cases, right, harmed, note }) => {
    const open = failures.filter(([id]) => id.startsWith(`${suite} / `));
    const all = suites.find(({ name }) => name === suite).cases.length;
    const share = (of, count) => `${((100 * of) / count).toFixed(1)} %`;
    const harmedNow = open.filter(([, verdict]) => verdict === "harmed").length;
    return [suite, date, documents, cases, share(right, cases), harmed, all, share(all - open.length, all), harmedNow, note];
  });
  return `## Edits that nobody here had seen

Written from the documentation alone, by people who had not read the code, with documents and expected results of their
own. The first run says what to expect of edits that are new; afterwards the cases are regression tests, and what they
found was mended, so the figures of today say less.

${table(["suite", "first run on", "documents", "cases", "right", "harmed", "cases now", "right now", "harmed now", ""], rows)}`;
}

export function page(cases, results) {
  const classOf = new Map(cases.map((one) => [one.id, one.class]));
  const played = Object.keys(ENGINES).filter((name) => results[name]?.verdicts);
  const of = (name, test) => results[name].verdicts.filter(({ id }) => test(classOf.get(id)));
  const engineRows = (test, more = () => []) =>
    played.map((name) => [ENGINES[name][0], ...cells(of(name, test)), ...more(of(name, test))]);
  const missing = Object.keys(ENGINES)
    .filter((name) => results[name]?.reason)
    .map((name) => `- ${ENGINES[name][0]} was not played: ${results[name].reason}.`);
  const languages = ["en", "zh"].map((language) => cases.filter((one) => one.language === language).length);
  const byClass = Object.keys(CLASSES).filter((name) => cases.some((one) => one.class === name));
  return `# Fidelity of edits

Edits as models really write them, applied by several engines: how many documents come out exactly as they were meant.
Generated by \`cargo xtask fidelity\` on ${new Date().toISOString().slice(0, 10)}; do not edit.

${table(
  ["engine", ...COLUMNS, "size of the change: median / 95 %"],
  engineRows(
    () => true,
    (verdicts) => [sizes(verdicts)],
  ),
)}

Only correct edits, as a careful model writes them (class \`plain\`):

${table(
  ["engine", ...COLUMNS],
  engineRows((name) => name === "plain"),
)}

- *exact*: the document is the expected one (ProseMirror's \`Node.eq\`), valid, and in a TipTap editor undo returns the document before.
- *rightly refused*: the case must be refused, or may be; the error has a code, and the document is unchanged.
- *wrongly refused*: an error where the edit is clear. *wrong*: another document, or a larger change than the case allows.
- *harmed*: a textblock or leaf that the edit does not concern was changed or lost. In cases that must be refused, every block counts.
- *size of the change*: UTF-16 positions that the steps removed and inserted, in cases that were not refused.

${["How a call reaches each engine:", "", ...played.map((name) => `- ${ENGINES[name][0]}: ${ENGINES[name][1]}.`)].join("\n")}
${missing.length ? `\n${missing.join("\n")}\n` : ""}- TipTap's AI Toolkit was not played: its client package is in a private registry, and its service needs an account.
  \`@tiptap/ai-toolkit\` on npm contains the extension for that service only.

${unseenSection()}

## copydesk by class

${table(
  ["class", "subject", ...COLUMNS],
  byClass.map((name) => [name, CLASSES[name], ...cells(of("copydesk", (one) => one === name))]),
)}

## The cases

${cases.length} cases, ${languages[0]} in English and ${languages[1]} in Chinese, in [tests/fidelity/cases](../tests/fidelity/cases). They are ours: the
classes are habits of models and promises of [edits.md](edits.md), and copydesk was made to fulfil them, so the table
says more about copydesk than about the other engines, which were made for other calls. No engine had a part in the
expected documents: each rule states the blocks before and after an edit as a tree, and is played in documents with
nested lists, tasks, tables, marks, links, images, code, mentions and formulas. Where two readings of an edit are fair,
both are accepted. [tests/fidelity/README.md](../tests/fidelity/README.md) says how to add cases and engines.
`;
}

export function writePage(cases, results) {
  writeFileSync(new URL("docs/FIDELITY.md", root), page(cases, results));
}
