/** Requests about the selection: the demo model reads the lines in the scope and edits the text in it. */
import { escapeHtml } from "./articles";
import type { Language } from "./intent";
import { correct, plainText, rewrite, sentencesOf } from "./rework";
import { replies, type Replies } from "./replies";
import type { PastCall, Step } from "./wire";

/** The range that a run may change, as the agent states it. */
interface Scope {
  first: number;
  last: number;
  /** The selected text, shortened in its middle; undefined for whole lines. */
  selected?: string;
  /** The text before a cursor. */
  before?: string;
}

type Change = (text: string, language: Language) => string;

/** Returns the scope that a message states, or null. */
export function scopeOf(message: string): Scope | null {
  const stated = /^\[(?:Scope|范围)\] ?(.*)$/ms.exec(message)?.[1];
  const lines = stated && /(?:lines? |第 ?)(\d+)(?:–(\d+))?/.exec(stated);
  if (!stated || !lines) return null;
  const first = Number(lines[1]);
  const quoted = /["“](.*)["”]/s.exec(stated)?.[1];
  const isCursor = /^(?:Text may only be added|只能在)/.test(stated);
  return {
    first,
    last: Number(lines[2] ?? first),
    ...(isCursor ? { before: quoted ?? "" } : quoted === undefined ? {} : { selected: quoted }),
  };
}

export function scopedStep(prompt: string, scope: Scope, calls: PastCall[], language: Language): Step {
  const p = replies[language];
  const change = changeOf(prompt);
  const text = change ? null : addition(prompt, p);
  if (!change && text === null) return { text: p.scoped.unknown };
  const [read, edit] = calls;
  if (!read)
    return {
      text: p.readFirst.shorten,
      call: { name: "read_lines", arguments: { start_line: scope.first, end_line: scope.last } },
    };
  if (edit) return { text: edit.error === undefined ? p.scoped.done : p.editFailed(edit.error) };
  const lines = linesOf(read.text);
  const edits = [...lines].flatMap(([line, old]) => {
    const now =
      text === null
        ? changed(old, scope, line, (part) => change!(part, /\p{Script=Han}/u.test(part) ? "zh" : "en"))
        : added(old, scope, text);
    return now === null || now === old ? [] : [{ start_line: line, end_line: line, content: now }];
  });
  if (!edits.length) return { text: p.scoped.nothing };
  return { call: { name: "edit_current_editor_document", arguments: { edits } } };
}

/** Returns the function for an action that changes text. */
function changeOf(prompt: string): Change | null {
  if (/^Shorten|^把选中的文字缩短/.test(prompt)) return shortened;
  if (/^Replace the selected text with a summary|^用两三句话总结/.test(prompt))
    return (text) => sentencesOf(text)[0]?.trim() ?? text;
  if (/^(?:Improve|Rewrite)|^润色|语气改写/.test(prompt))
    return (text, language) => plainText(rewrite(`<p>${escapeHtml(text)}</p>`, language).content);
  if (/^Correct spelling|^修正/.test(prompt)) return corrected;
  return null;
}

function addition(prompt: string, p: Replies): string | null {
  if (/^Continue writing|续写/.test(prompt)) return p.scoped.continued;
  if (/^Write a summary of the whole|总结全文/.test(prompt)) return p.scoped.summary;
  if (/^Write an outline|大纲/.test(prompt)) return p.scoped.outline;
  return null;
}

/** Keeps the first half of the sentences, or drops the last clause of a single one. */
const shortened: Change = (text) => {
  const sentences = sentencesOf(text);
  if (sentences.length > 1)
    return sentences
      .slice(0, Math.ceil(sentences.length / 2))
      .join("")
      .trimEnd();
  return text.replace(/[,;，；][^,;，；]*?([.!?。！？]?)\s*$/, "$1");
};

const corrected: Change = (text) => plainText(correct(escapeHtml(text)).content);

/** Returns a line in which the selected part is changed; null if that part is not found. */
function changed(
  line: string,
  { first, last, selected }: Scope,
  at: number,
  change: (part: string) => string,
): string | null {
  if (selected === undefined) return line.trim() ? change(line) : line;
  const [head = "", tail = head] = selected.split(" … ");
  const start = at === first ? line.indexOf(head) : 0;
  const end = at === last ? line.indexOf(tail, Math.max(start, 0)) + tail.length : line.length;
  if (start < 0 || end < start) return null;
  return line.slice(0, start) + change(line.slice(start, end)) + line.slice(end);
}

function added(line: string, { before }: Scope, text: string): string | null {
  if (before === undefined) return line.trim() ? null : text;
  const at = before ? line.indexOf(before) + before.length : 0;
  return `${line.slice(0, at)}${before ? " " : ""}${text}${line.slice(at)}`;
}

/** Returns the texts in a result of read_lines, without what shows the kind of a line. */
function linesOf(result: string): Map<number, string> {
  const lines = new Map<number, string>();
  for (const [, number, rest] of result.matchAll(/^(\d+): ?(.*)$/gm)) {
    lines.set(Number(number), rest!.replace(/^(?:\s*(?:#{1,6} |[-*] (?:\[[ x]\] )?|\d+\. |> |\| ))+/, ""));
  }
  return lines;
}
