/** Front matter: YAML between lines of hyphens, or TOML between lines of plus signs, at the start of a file. */

/** A fence at the start, the text after it, and the first fence that ends it. */
const FENCED = /^\ufeff?(---|\+\+\+)[ \t]*(?:\r\n?|\n)((?:[^]*?(?:\r\n?|\n))??)\1[ \t]*(?:[\r\n]|$)/;
/** A line that names a value: `key: value`, with a quoted key or one of a few words. */
const ENTRY =
  /^(?:"[^"]*"|'[^']*'|(?:[^\s"'[\]{}>|*&!%@`,?:-]|[?:-](?=\S))(?:\S*|[^:.!?,;…。！？，；]{0,60})) *:(?=\s|$)/;
/** The same with a key that is one word, as no sentence begins. */
const WORD_ENTRY = /^\S+ ?:(?=\s|$)/;
const SENTENCE_END = /[.!?…。！？][)\]"'”’»」』]*\s*$/;
/** Other lines that are not indented: an item of a list, the end of a list or mapping over several lines. */
const CONTINUATION = /^(?:-(?:\s|$)|[\]}])/;
const TOML_START = /^(?:(?:[\w.-]|"[^"]*"|'[^']*')+[ \t]*=|\[{1,2}[^\]]+\])/;

/**
 * Returns true if a file starts with front matter. Fences around anything else are rules around text, which front matter
 * would hide. As in Pandoc, hyphens before a blank line are a rule.
 */
export function startsWithFrontMatter(source: string): boolean {
  const [, fence, matter = ""] = FENCED.exec(source) ?? [];
  if (fence === undefined) return false;
  if (matter === "") return true;
  return fence === "---" ? isYamlMapping(matter) : isToml(matter);
}

/** Returns true for lines of a mapping, also one with mistakes that YAML refuses. */
function isYamlMapping(matter: string): boolean {
  if (/^[ \t]*[\r\n]/.test(matter)) return false;
  if (/^\{[^]*\}\s*$/.test(matter)) return true;
  const [first = "", ...others] = outerLines(matter);
  if (!ENTRY.test(first) || !others.every((line) => ENTRY.test(line) || CONTINUATION.test(line))) return false;
  return [first, ...others].some((line) => WORD_ENTRY.test(line) || !SENTENCE_END.test(line));
}

function isToml(matter: string): boolean {
  return TOML_START.test(outerLines(matter)[0] ?? "");
}

/** Returns the lines that are not indented, blank or comments. */
function outerLines(matter: string): string[] {
  return matter.split(/\r\n?|\n/).filter((line) => /^[^\s#]/.test(line));
}
