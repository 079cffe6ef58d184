/** An answer of the model without the signs of Markdown, for a line of text. */

/** The signs that stand at the start of a line: of headings, quotes and items. */
const AT_START = /^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+)/;
const BULLET = /^([ \t]*)[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/;
/** Lines that are no text: fences of code, and rules. */
const NO_TEXT = /^[ \t]*(?:(?:`{3,}|~{3,})[^`]*|(?:[-*_][ \t]*){3,})$/;

/** The most UTF-16 units of a text that is looked at: marks without an end take time that grows with its square. */
const LONGEST = 20_000;

/** Returns the text of Markdown: without marks of emphasis and code, and links by their text. Items have bullets. */
export function plainAnswer(markdown: string): string {
  if (markdown.length > LONGEST) return markdown;
  const lines = markdown.split("\n").filter((line) => !NO_TEXT.test(line));
  return lines.map((line) => plainInline(line.replace(AT_START, "").replace(BULLET, "$1• "))).join("\n");
}

function plainInline(line: string): string {
  // Code first: what is in it has no marks.
  return line
    .split(/(`+)([^`]+)\1(?!`)/)
    .map((part, index) => (index % 3 === 1 ? "" : index % 3 === 2 ? part : withoutMarks(part)))
    .join("");
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"]*")?\)/g, "$1")
    .replace(/(?<!\\)(\*\*|__|~~)(?=\S)(.+?)(?<=[^\s\\])\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*\\])\*(?=\S)([^*]+?)(?<=[^\s\\])\*(?!\*)/gu, "$1")
    .replace(/(?<![\p{L}\p{N}_\\])_(?=\S)([^_]+?)(?<=[^\s\\])_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
