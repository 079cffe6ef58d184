/** Front matter: YAML between lines of hyphens, or TOML between lines of plus signs, at the start of a file. */

import type { frontmatter } from "micromark-extension-frontmatter";

type Matter = Exclude<NonNullable<Parameters<typeof frontmatter>[0]>, string | unknown[]>;

/** A fence at the start, the text after it, and the first fence that ends it. Dots end a document of YAML, too. */
const YAML = /^\ufeff?---[ \t]*(?:\r\n?|\n)((?:[^]*?(?:\r\n?|\n))??)(---|\.\.\.)[ \t]*(?:[\r\n]|$)/;
const TOML = /^\ufeff?\+\+\+[ \t]*(?:\r\n?|\n)((?:[^]*?(?:\r\n?|\n))??)\+\+\+[ \t]*(?:[\r\n]|$)/;
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
 * Returns the syntax of the front matter that a file starts with; nothing if it does not. Fences around anything else are
 * rules around text, which front matter would hide. As in Pandoc, hyphens before a blank line are a rule.
 */
export function frontMatterOf(source: string): Matter[] {
  const [, yaml, close] = YAML.exec(source) ?? [];
  if (yaml !== undefined && close !== undefined) {
    // Dots without a mapping before them are text.
    const isMatter = yaml === "" ? close === "---" : isYamlMapping(yaml);
    return isMatter ? [{ type: "yaml", fence: { open: "---", close } }] : [];
  }
  const toml = TOML.exec(source)?.[1];
  return toml === "" || (toml !== undefined && isToml(toml)) ? [{ type: "toml", fence: "+++" }] : [];
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
