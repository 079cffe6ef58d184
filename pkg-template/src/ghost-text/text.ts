/** Texts of completions. */

/** The most characters of a completion. */
const LONGEST = 240;
/** The longest repetition of the text before the cursor that is looked for. */
const LONGEST_ECHO = 200;

/** Returns the continuation in an answer: its first line, without the repetition of the text before. */
export function continuation(answer: string, before: string): string {
  const line = answer.replace(/^\s*\n/, "").split(/\r?\n/, 1)[0]!;
  const text = withoutEcho(line, before).slice(0, LONGEST).toWellFormed();
  const fitting = /\s$/.test(before) || !before ? text.trimStart() : text;
  return fitting.trim() ? fitting.trimEnd() : "";
}

/** Models repeat the words before the cursor that they continue. A single character is too little to tell. */
function withoutEcho(text: string, before: string): string {
  const said = text.trimStart();
  for (let length = Math.min(LONGEST_ECHO, before.length, said.length); length > 1; length--)
    if (before.endsWith(said.slice(0, length))) return said.slice(length);
  return text;
}

/** Returns the first word of a text, with the spaces before it and the punctuation after it. */
export function firstWord(text: string): string {
  const segments = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)];
  const at = segments.findIndex(({ isWordLike }) => isWordLike);
  if (at < 0) return text;
  let end = segments[at]!.index + segments[at]!.segment.length;
  for (const { segment, isWordLike } of segments.slice(at + 1)) {
    if (isWordLike || !segment.trim()) break;
    end += segment.length;
  }
  return text.slice(0, end);
}
