/** What the demo model does with the files of a book. It knows them only by the results of the tools. */
import { titleCase } from "./articles";
import type { Language } from "./intent";
import { storyIntentOf, type CheckKind, type StoryIntent } from "./story-intent";
import { storyReplies, type StoryReplies } from "./story-replies";
import { daysIn, fixOf, type Finding } from "./timeline-fix";
import { asObject, type PastCall, type Step } from "./wire";

/** The part of the script about files: what a text asks, and the next step. */
export interface StoryScript {
  storyIntentOf: typeof storyIntentOf;
  storyStep: typeof storyStep;
}

export { storyIntentOf };

/** Corrections in one run at most. */
const MOST_FIXES = 14;

export function storyStep(intent: StoryIntent, calls: PastCall[], language: Language): Step {
  const p = storyReplies[language];
  return intent.kind === "check" ? check(intent, calls, p) : writeChapter(intent, calls, language, p);
}

const TOOLS: Record<CheckKind, string> = { timeline: "verify_strict_timeline", references: "verify_strict_references" };

/** Runs the checks; corrects one fault of the timeline after another, and checks again after each. */
function check(intent: Extract<StoryIntent, { kind: "check" }>, calls: PastCall[], p: StoryReplies): Step {
  for (const kind of intent.checks) {
    const call = calls.find(({ name }) => name === TOOLS[kind]);
    if (!call) return { text: calls.length ? undefined : p.checkFirst, call: { name: TOOLS[kind], arguments: {} } };
    if (call.error !== undefined) return { text: p.checkFailed };
  }
  const edits = calls.filter(({ name }) => name === "edit_file");
  const failed = new Set(
    edits.filter(({ error }) => error !== undefined).map(({ arguments: { old_text } }) => old_text),
  );
  const last = calls.at(-1)!;
  if (last.name === "edit_file") {
    if (last.error === "rejected") return { text: p.rejected };
    if (last.error === undefined) return { call: { name: TOOLS.timeline, arguments: {} } };
  }
  const timeline = latest("timeline", calls);
  if (intent.fixes && edits.length < MOST_FIXES) {
    for (const finding of open(timeline)) {
      const fix = fixOf(finding, timeline);
      if (!fix || failed.has(fix.old)) continue;
      const call = { name: "edit_file", arguments: { path: finding.file, old_text: fix.old, new_text: fix.new } };
      return { text: edits.length ? undefined : p.fixFirst(open(timeline).length), call };
    }
  }
  return { text: report(intent, calls, edits, p) };
}

function report(
  intent: Extract<StoryIntent, { kind: "check" }>,
  calls: PastCall[],
  edits: PastCall[],
  p: StoryReplies,
): string {
  const parts: string[] = [];
  const made = edits.filter(({ error }) => error === undefined);
  if (made.length) parts.push(p.fixed(made.map((edit) => p.change(String(edit.arguments.path), ...changed(edit)))));
  for (const kind of intent.checks) {
    const found = latest(kind, calls);
    const left = open(found).map((finding) => p.finding(finding));
    parts.push(left.length ? p.left(kind, left) : p.clean(kind));
    const waived = found.filter((finding) => finding.waived).length;
    if (waived) parts.push(p.waived(waived));
  }
  if (!intent.fixes && intent.checks.includes("timeline") && open(latest("timeline", calls)).length)
    parts.push(p.offerFix);
  return parts.join("\n\n");
}

/** Returns the words that an edit replaced, and the new ones: the day or the date that differs. */
function changed({ arguments: { old_text, new_text } }: PastCall): [string, string] {
  const parts = (text: unknown) => String(text).match(/\bday\s+\d+|第[^天\s]+天|\[TIME:[^\]]*\]/gi) ?? [];
  const [old, next] = [parts(old_text), parts(new_text)];
  const at = old.findIndex((part, index) => part !== next[index]);
  return [old[at] ?? String(old_text), next[at] ?? String(new_text)];
}

function latest(kind: CheckKind, calls: PastCall[]): Finding[] {
  const { errors, warnings } = asObject(calls.findLast(({ name }) => name === TOOLS[kind])?.result);
  return [...findingsOf(errors), ...findingsOf(warnings)];
}

function open(findings: Finding[]): Finding[] {
  return findings.filter(({ waived }) => !waived);
}

function findingsOf(list: unknown): Finding[] {
  if (!Array.isArray(list)) return [];
  return list.map(asObject).map(({ file, line, text, message, code, details, waived }) => ({
    file: String(file),
    line: Number(line),
    text: String(text),
    message: String(message),
    code: String(code),
    details: asObject(details),
    waived: waived === true,
  }));
}

/** Days of a story, as JavaScript finds them. */
const DAYS = "\\bday \\d+|第[\\d０-９〇零一二两三四五六七八九十百千]+天";

/** Reads what is there, writes a chapter that goes on from it, and checks its reference. */
function writeChapter(
  intent: Extract<StoryIntent, { kind: "chapter" }>,
  calls: PastCall[],
  language: Language,
  p: StoryReplies,
): Step {
  const { number, refersTo } = intent;
  const call = (name: string) => calls.find((past) => past.name === name);
  const list = call("list_files");
  if (!list) return { text: p.lookFirst, call: { name: "list_files", arguments: { glob: "*.md" } } };
  if (list.error !== undefined) return { text: p.filesFailed };
  const paths = pathsIn(list.result);
  const existing = paths.find((path) => numberOf(path) === number);
  if (existing && !intent.overwrites) return { text: p.chapterExists(number, existing) };
  const before = paths.filter((path) => (numberOf(path) ?? number) < number);
  let reference: Reference | null = null;
  if (refersTo !== null) {
    const path = paths.find((each) => numberOf(each) === refersTo);
    if (!path) return { text: p.noChapter(refersTo) };
    const read = call("read_file");
    if (!read) return { text: p.readFirst(refersTo), call: { name: "read_file", arguments: { path } } };
    if (read.error !== undefined) return { text: p.filesFailed };
    reference = referenceIn(String(read.result));
  }
  const search = call("search_files");
  if (before.length && !search)
    return { call: { name: "search_files", arguments: { pattern: DAYS, regex: true, glob: "*.md" } } };
  const day = dayAfter(search?.result, number);
  const written = call("write_chapter");
  const overwrite = existing ? { overwrite: true } : {};
  const content = p.chapter({
    number,
    day,
    topic: intent.topic,
    title: language === "en" ? titleCase(intent.topic.replace(/^(?:an?|the)\s+/i, "the ")) : intent.topic,
    reference,
  });
  if (!written) return { call: { name: "write_chapter", arguments: { number, content, ...overwrite } } };
  if (written.error === "rejected") return { text: p.rejected };
  if (written.error !== undefined) return { text: p.writeFailed(number) };
  const path = String(asObject(written.result).path);
  if (!reference?.id)
    return {
      text: [p.written(number, path), refersTo !== null && p.noMark(refersTo), p.template].filter(Boolean).join("\n\n"),
    };
  const verified = call(TOOLS.references);
  if (!verified) return { call: { name: TOOLS.references, arguments: {} } };
  const faults =
    verified.error === undefined ? open(latest("references", calls)).filter(({ file }) => file === path) : null;
  const verdict =
    faults === null
      ? p.checkFailed
      : faults.length
        ? p.left("references", faults.map(p.finding))
        : p.referenceHolds(reference.id, refersTo!);
  return { text: [p.written(number, path), verdict, p.template].join("\n\n") };
}

/** A passage of an earlier chapter, and the id of its setup, if it has one. */
export interface Reference {
  id: string | null;
  passage: string;
}

/** Returns the first setup in the lines of a file, with the sentence before it, or else its first sentence. */
function referenceIn(numbered: string): Reference {
  const lines = numbered.split("\n").map((line) => line.replace(/^ *\d+ \| ?/, ""));
  const line = lines.find((each) => /\[SETUP:[^\]]+\]/.test(each));
  const id = /\[SETUP:([^\]]+)\]/.exec(line ?? "")?.[1]?.trim() ?? null;
  const text = (line?.split("[SETUP:")[0] ?? lines.find((each) => each.trim() && !each.startsWith("#")) ?? "")
    .replace(/\[[A-Z]+:[^\]]*\]|[*_]/g, "")
    .trim();
  const sentences = text.match(/[^.!?。！？]+[.!?。！？]*["”]?/g) ?? [text];
  return { id, passage: (line ? sentences.at(-1)! : sentences[0]!).trim().replace(/^["“]|["”]$/g, "") };
}

function pathsIn(result: unknown): string[] {
  const { files } = asObject(result);
  return Array.isArray(files) ? files.map((file) => String(asObject(file).path)) : [];
}

function numberOf(path: string): number | null {
  const found = /(?:^|\/)ch(?:apter)?[-_ ]?0*(\d+)/i.exec(path);
  return found ? Number(found[1]) : null;
}

/** Returns the day after the last one of the chapters before. */
function dayAfter(result: unknown, number: number): number {
  const { matches } = asObject(result);
  const before = (Array.isArray(matches) ? matches.map(asObject) : []).filter(
    ({ path }) => (numberOf(String(path)) ?? number) < number,
  );
  return Math.max(0, ...before.flatMap(({ text }) => daysIn(String(text)).map(({ day }) => day))) + 1;
}
