/** The notation in which Markdown is written: choices between equivalent forms, and what must be escaped. */

import type { Break, Heading, Nodes, Paragraph, Root, RootContent } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { gfmTaskListItemToMarkdown } from "mdast-util-gfm-task-list-item";
import { defaultHandlers, toMarkdown, type Handle, type Options } from "mdast-util-to-markdown";
import { formulasToMarkdown } from "./formulas.js";
import { KNOWN } from "./known-notation.js";
import { SOURCE_NODE } from "./source-language.js";

const TASKS = gfmTaskListItemToMarkdown();

/** The choices between equivalent notations. */
export type Style = Required<Pick<Options, "bullet" | "bulletOrdered" | "emphasis" | "fence" | "rule" | "setext">> & {
  strong: "*" | "_";
  /** The notation of a hard break at the end of a line. */
  hardBreak: "\\" | "  ";
};

/** Returns the notations that a source uses first, so that what is written looks like its surroundings. */
export function styleOf(source: string, tree: Root): Style {
  const style: Style = {
    bullet: "-",
    bulletOrdered: ".",
    emphasis: "*",
    strong: "*",
    fence: "`",
    rule: "*",
    setext: false,
    hardBreak: "\\",
  };
  const known = new Set<keyof Style>();
  const take = <K extends keyof Style>(name: K, value: string | boolean, allowed: readonly unknown[]): void => {
    if (known.has(name) || !allowed.includes(value)) return;
    known.add(name);
    style[name] = value as Style[K];
  };
  const visit = (node: Nodes): void => {
    const at = node.position?.start.offset ?? 0;
    const first = source[at] ?? "";
    if (node.type === "list") {
      if (node.ordered) take("bulletOrdered", /^\d+([.)])/.exec(source.slice(at, at + 12))?.[1] ?? "", [".", ")"]);
      else take("bullet", first, ["-", "*", "+"]);
    } else if (node.type === "emphasis" || node.type === "strong") take(node.type, first, ["*", "_"]);
    else if (node.type === "code") take("fence", first, ["`", "~"]);
    else if (node.type === "break") take("hardBreak", first === "\\" ? first : "  ", ["\\", first === "<" ? "" : "  "]);
    else if (node.type === "thematicBreak") take("rule", first, ["-", "*", "_"]);
    else if (node.type === "heading" && node.depth < 3) take("setext", isSetext(source, node), [true, false]);
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(tree);
  return style;
}

function isSetext(source: string, { position }: Heading): boolean {
  return /[=-]$/.test(source.slice(0, position?.end.offset)) && source[position?.start.offset ?? 0] !== "#";
}

/**
 * Writes blocks in a notation, without a newline at the end. `keepsReferences` leaves character references beside
 * emphasis also for wide letters, which seldom need them.
 */
export function stringify(blocks: RootContent[], style: Style, hasMath: boolean, keepsReferences = false): string {
  const text = toMarkdown(
    { type: "root", children: blocks },
    {
      ...style,
      bulletOther: style.bullet === "-" ? "*" : "-",
      listItemIndent: "one",
      fences: true,
      resourceLink: false,
      extensions: [
        gfmStrikethroughToMarkdown(),
        gfmTableToMarkdown({ tablePipeAlign: false }),
        TASKS,
        ...(hasMath ? [formulasToMarkdown()] : []),
        { handlers: { root, break: hardBreak(style.hardBreak), paragraph: paragraphOrBox, ...SOURCE, ...KNOWN } },
        { unsafe: [{ character: "~", inConstruct: "phrasing" }] },
        // A footnote would be read back as one.
        { unsafe: [{ character: "[", inConstruct: "phrasing", after: "\\^" }] },
      ],
    },
  );
  const written = text.replace(/\n$/, "");
  // A reference in the content itself is text.
  return keepsReferences || JSON.stringify(blocks).includes("&#x") ? written : withWideLetters(written);
}

/** A letter of a script that is written without spaces, as a character reference. */
const WIDE_REFERENCE = /&#x([0-9A-F]{4,5});/g;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Replaces the references that are written beside emphasis: `parse` needs them as little as readers do. */
function withWideLetters(text: string): string {
  return text.replace(WIDE_REFERENCE, (reference, hex: string) => {
    const letter = String.fromCodePoint(Number.parseInt(hex, 16));
    return WIDE.test(letter) ? letter : reference;
  });
}

/** The rest of a character reference behind its `&`. */
const REFERENCE = "#(?:\\d{1,7}|[xX][0-9a-fA-F]{1,6});|[A-Za-z][A-Za-z0-9]{0,31};";

/** Writes a document whose `&` is escaped where it begins a reference, rather than before every letter. */
const root: Handle = (node: Root, parent, state, info) => {
  state.unsafe = state.unsafe.map((pattern) => {
    const { character, inConstruct } = pattern;
    return character === "&" ? { character, inConstruct, after: REFERENCE } : pattern;
  });
  return defaultHandlers.root(node, parent, state, info);
};

/** Writes a paragraph; a task without text is its box alone. */
const paragraphOrBox: Handle = (node: Paragraph, parent, state, info) => {
  const isEmptyTask = parent?.type === "listItem" && typeof parent.checked === "boolean" && node.children.length === 0;
  if (isEmptyTask) return parent.checked ? "[x]" : "[ ]";
  return (TASKS.handlers?.paragraph as Handle)(node, parent, state, info);
};

/** Writes a hard break. A table's row is one line, and HTML at the start of a line can be a block. */
function hardBreak(sign: string): Handle {
  return (node: Break, parent, state, info) => {
    const isBeforeHTML = parent?.children[parent.children.indexOf(node as never) + 1]?.type === "html";
    if (isBeforeHTML || state.stack.includes("tableCell")) return "<br>";
    const text = defaultHandlers.break(node, parent, state, info);
    return text.replace(/^\\\n$/, `${sign}\n`);
  };
}

const SOURCE: Options["handlers"] = {
  [SOURCE_NODE as "html"]: Object.assign(({ value }: { value: string }) => value, {
    peek: ({ value }: { value: string }) => value.charAt(0),
  }),
};

/** Returns a style whose lists are not read as part of their neighbours; they keep their own marker otherwise. */
export function listStyle(style: Style, own: string | undefined, taken: readonly (string | undefined)[]): Style {
  const choose = <T extends string>(markers: readonly T[], usual: T): T => {
    const wanted = [own, usual, ...markers].filter((marker) => markers.includes(marker as T)) as T[];
    return wanted.find((marker) => !taken.includes(marker)) ?? usual;
  };
  return {
    ...style,
    bullet: choose(["-", "*", "+"] as const, style.bullet as "-"),
    bulletOrdered: choose([".", ")"] as const, style.bulletOrdered as "."),
  };
}
