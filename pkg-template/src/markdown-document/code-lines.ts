/** Changes of code as edits of the lines of its source. */

import { align } from "./align.js";
import type { Edit } from "./inline-patch.js";
import { hunksOf } from "./inline-units.js";
import type { Range } from "./origins.js";
import { indentBefore, lineStart } from "./patch-context.js";

/** A line of code with the range of its text in the source. */
interface CodeLine extends Range {
  text: string;
  /** The start of the line, with the signs of containers. */
  start: number;
  /** The spaces at the start of the text that are one tab with the indentation before them. */
  spaces: number;
}

/** The source of a block with code. */
interface CodeSource extends Range {
  source: string;
  lineEnd: string;
  /** False for HTML, which has no fence. */
  isCode: boolean;
}

/**
 * Returns the edits that make another text of code; undefined if its lines are not those of the source. Lines that stay
 * keep all their bytes, and new ones begin as the line beside them.
 */
export function codeEdits(before: string, after: string, code: CodeSource): Edit[] | undefined {
  const lines = before ? linesOf(before, code) : undefined;
  return lines && new CodePatcher(lines, code).edits(after.split("\n"));
}

class CodePatcher {
  private readonly edited: Edit[] = [];

  constructor(
    private readonly lines: readonly CodeLine[],
    private readonly code: CodeSource,
  ) {}

  edits(after: readonly string[]): Edit[] {
    const pairs = align(
      this.lines.map(({ text }) => text),
      after,
    );
    let [old, fresh] = [0, 0];
    const replace = (oldEnd: number, freshEnd: number): void => {
      for (; old < oldEnd && fresh < freshEnd; old += 1, fresh += 1) this.change(old, after[fresh] as string);
      if (old < oldEnd) this.remove(old, oldEnd);
      if (fresh < freshEnd) this.insert(old, after.slice(fresh, freshEnd));
    };
    pairs.forEach((pair, at) => {
      if (pair === undefined) return;
      replace(pair, at);
      [old, fresh] = [pair + 1, at + 1];
    });
    replace(this.lines.length, after.length);
    return this.edited;
  }

  private change(at: number, text: string): void {
    const line = this.lines[at] as CodeLine;
    const { start, from, to, spaces } = line;
    if (line.text === "") {
      // A blank line may have less indentation. The first one has none of its own behind the sign of an item.
      const hasStart = at > 0 || hasFence(this.code);
      this.edited.push(hasStart ? { from: start, to, text: lineOf(this.prefixAt(at), text) } : { from, to, text });
      return;
    }
    const space = spaceBetween(this.code.source.slice(start, from), text);
    if (space && !/^[ \t]/.test(line.text)) this.edited.push({ from, to: from, text: space });
    const startOf = (index: number): number => (index < spaces ? from : from + index - Math.max(0, spaces - 1));
    for (const hunk of hunksOf(line.text.split(""), text.split(""))) {
      const first = startOf(hunk.from);
      const end = hunk.to > hunk.from ? startOf(hunk.to - 1) + 1 : first;
      this.edited.push({ from: first, to: end, text: text.slice(hunk.start, hunk.end) });
    }
  }

  private remove(first: number, end: number): void {
    const [before, line, next] = [this.lines[first - 1], this.lines[first], this.lines[end]];
    const side = hasFence(this.code) ? "start" : "from";
    if (before) this.edited.push({ from: before.to, to: (this.lines[end - 1] as CodeLine).to, text: "" });
    else if (line && next) this.edited.push({ from: line[side], to: next[side], text: "" });
  }

  /** Puts lines before the one at an index, or behind the last one. */
  private insert(at: number, texts: readonly string[]): void {
    const { lineEnd } = this.code;
    const prefix = this.prefixAt(Math.max(0, at - 1));
    const lines = texts.map((text) => lineOf(prefix, text));
    const [before, { start, from }] = [this.lines[at - 1], this.lines[0] as CodeLine];
    const [place, text] = before
      ? [before.to, lines.map((line) => lineEnd + line).join("")]
      : hasFence(this.code)
        ? [start, lines.map((line) => line + lineEnd).join("")]
        : // What is before the first line is before the new one.
          [from, [texts[0], ...lines.slice(1), prefix].join(lineEnd)];
    this.edited.push({ from: place, to: place, text });
  }

  /** Returns what a new line beside another one begins with. */
  private prefixAt(at: number): string {
    const isFilled = ({ text }: CodeLine): boolean => text.trim() !== "";
    // The signs of containers are before the first line.
    const first = hasFence(this.code) ? 0 : 1;
    const before = this.lines.slice(first, at + 1).findLast(isFilled);
    const model = before ?? this.lines.slice(first).find(isFilled) ?? this.lines[0];
    const own = model ? this.prefixOf(model) : "";
    // Code in a fence can have less indentation, unless it begins with white space.
    const fence = hasFence(this.code) ? indentBefore(this.code.source, this.code.from) : "";
    return width(own) < width(fence) ? fence : own;
  }

  private prefixOf(line: CodeLine): string {
    const { source } = this.code;
    const { start, from, spaces } = line;
    const hasStart = line !== this.lines[0] || hasFence(this.code);
    const prefix = hasStart ? source.slice(start, from) : indentBefore(source, from);
    return spaces > 0 ? prefix + " ".repeat(width(`${prefix}\t`) - width(prefix) - spaces) : prefix;
  }
}

function lineOf(prefix: string, text: string): string {
  return text === "" ? prefix.trimEnd() : prefix + spaceBetween(prefix, text) + text;
}

/** Returns the space that the sign of a quote takes from a text that begins with one. */
function spaceBetween(prefix: string, text: string): string {
  return prefix.endsWith(">") && /^[ \t]/.test(text) ? " " : "";
}

function hasFence({ source, from, isCode }: CodeSource): boolean {
  return isCode && /^(?:`{3}|~{3}|\$\$)/.test(source.slice(from, from + 3));
}

/** Returns the lines of code in the source; undefined if one of them is not there. */
function linesOf(text: string, code: CodeSource): CodeLine[] | undefined {
  const { source, from, to } = code;
  const all = [...source.slice(from, to).matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)];
  if (hasFence(code)) all.shift();
  const lines: CodeLine[] = [];
  for (const [index, wanted] of text.split("\n").entries()) {
    const line = all[index];
    if (!line) return undefined;
    const content = line[0].replace(/[\r\n]+$/, "");
    const spaces = spacesOf(content, wanted);
    if (spaces === undefined) return undefined;
    const start = from + line.index;
    const end = start + content.length;
    const length = wanted.length - Math.max(0, spaces - 1);
    lines.push({ text: wanted, start: lineStart(source, start), from: end - length, to: end, spaces });
  }
  return lines;
}

/** Returns the spaces of a text that are a tab in the line that ends with it; undefined if no such line does. */
function spacesOf(content: string, wanted: string): number | undefined {
  if (content.endsWith(wanted)) return 0;
  for (let spaces = 1; wanted[spaces - 1] === " "; spaces += 1) {
    if (content.endsWith(`\t${wanted.slice(spaces)}`)) return spaces;
  }
  return undefined;
}

/** Returns the columns of the start of a line, in which tabs end at multiples of four. */
function width(prefix: string): number {
  return [...prefix].reduce((column, char) => (char === "\t" ? column + 4 - (column % 4) : column + 1), 0);
}
