/** Describes the calls of the tools for files to the user. */

import { FILE_TOOLS, type FileTool } from "../assistant/file-tools.js";
import type { Change } from "../assistant/changes.js";
import type { IconName } from "./icons.js";
import { count, excerpt, field, number, text, type Call } from "./call-text.js";
import type { Words } from "./words/en.js";

/** Lines of a result that are listed. */
const MOST_LISTED = 30;

export function fileCallIcon(name: FileTool): IconName {
  return FILE_TOOLS[name];
}

/** Describes the action of a call that needs approval. */
export function requestedFileCall({ toolName, input }: Pick<Call, "toolName" | "input">, m: Words): string {
  const { requested } = m.files;
  const path = text(input.path);
  if (toolName === "write_chapter") return requested.chapter(number(input.number), input.overwrite === true);
  if (toolName === "edit_file") return requested.edit(path, excerpt(input.old_text), excerpt(input.new_text));
  return requested.write(path);
}

export function describeFileCall({ toolName, input, state, content }: Call, m: Words): string {
  const { working, done, failedTo } = m.files;
  const running = state !== "done" && state !== "failed";
  const failed = state === "failed";
  const path = text(field(content, "path")) ?? text(input.path);
  const pick = (now: () => string, after: () => string, without: () => string) =>
    running ? now() : failed ? without() : after();
  const length = state === "preparing" ? text(input.content)?.length : undefined;
  switch (toolName as FileTool) {
    case "read_file": {
      const lines = [number(input.start_line), number(input.end_line)] as const;
      return pick(
        () => working.reading(path, ...lines),
        () => done.read(path, ...lines),
        () => failedTo.read(path),
      );
    }
    case "write_file":
      return pick(
        () => working.writing(path, length),
        () => done.wrote(path, field(content, "created") === true),
        () => failedTo.write(path),
      );
    case "write_chapter": {
      const chapter = number(input.number);
      return pick(
        () => working.chapter(chapter, length),
        () => done.wrote(path, field(content, "created") === true),
        () => failedTo.chapter(chapter),
      );
    }
    case "edit_file": {
      const lines = field(content, "lines");
      const [first, last] = Array.isArray(lines) ? lines.map(number) : [];
      return pick(
        () => working.editing(path),
        () => done.edited(path, first, last),
        () => failedTo.edit(path),
      );
    }
    case "list_files":
      return pick(
        () => working.listing,
        () => done.listed(count(content, "files")),
        () => failedTo.list,
      );
    case "search_files":
    case "search_content": {
      // Nobody has to read a regular expression.
      const wanted = input.regex === true ? undefined : excerpt(input.pattern ?? input.keyword);
      const found = Array.isArray(content) ? content.length : count(content, "matches");
      return pick(
        () => working.searching(wanted),
        () => done.searched(wanted, found, field(content, "cut") !== undefined),
        () => failedTo.search(wanted),
      );
    }
    case "verify_strict_timeline":
    case "verify_strict_references": {
      const kind = toolName === "verify_strict_timeline" ? "timeline" : "references";
      const found = content === undefined ? undefined : findingsIn(content).filter(({ waived }) => !waived).length;
      return pick(
        () => working[kind],
        () => done[kind](found),
        () => failedTo[kind],
      );
    }
  }
}

/** Returns what a call writes, read or found, as lines for people. */
export function wordsOfFileCall({ toolName, input, content }: Call, m: Words): string {
  if (content !== undefined && field(content, "error") !== undefined) return text(input.content) ?? "";
  switch (toolName as FileTool) {
    case "read_file":
      return typeof content === "string" ? content.replace(/^ *\d+ \| ?/gm, "").trim() : "";
    case "write_file":
    case "write_chapter":
      return text(input.content) ?? "";
    case "list_files":
      return listed(entriesOf(content, "files").map((entry) => text(field(entry, "path"))));
    case "search_files":
      return listed(entriesOf(content, "matches").map((entry) => placed(entry, "path", "text", m)));
    case "search_content":
      return listed((Array.isArray(content) ? content : []).map((entry) => placed(entry, "file", "content", m)));
    case "verify_strict_timeline":
    case "verify_strict_references":
      return listed(
        findingsIn(content).map(({ file, line, message, waived }) =>
          [message, m.files.place(file, line), waived && m.files.waived].filter(Boolean).join(" · "),
        ),
      );
    case "edit_file":
      return "";
  }
}

/** Returns the replacement that a call makes in a file. */
export function changesOfFile({ toolName, input, state }: Call): Change[] {
  const [originalText, newText] = [text(input.old_text), text(input.new_text) ?? ""];
  if (toolName !== "edit_file" || originalText === undefined) return [];
  // The text of a call that failed is still what the assistant wanted to do.
  return state === "preparing" ? [] : [{ originalText, newText, at: 0 }];
}

interface FoundFault {
  file: string;
  line: number;
  message: string;
  waived: boolean;
}

function findingsIn(content: unknown): FoundFault[] {
  return [...entriesOf(content, "errors"), ...entriesOf(content, "warnings")].map((entry) => ({
    file: text(field(entry, "file")) ?? "",
    line: number(field(entry, "line")) ?? 1,
    message: text(field(entry, "message")) ?? "",
    waived: field(entry, "waived") === true,
  }));
}

function entriesOf(content: unknown, name: string): unknown[] {
  const list = field(content, name);
  return Array.isArray(list) ? list : [];
}

/** Returns a line of a file with its place. */
function placed(entry: unknown, path: string, line: string, m: Words): string | undefined {
  const [file, found] = [text(field(entry, path)), text(field(entry, line))];
  return file === undefined ? undefined : `${m.files.place(file, number(field(entry, "line")) ?? 1)}: ${found ?? ""}`;
}

function listed(lines: (string | undefined)[]): string {
  const shown = lines.filter((line) => line !== undefined);
  return [...shown.slice(0, MOST_LISTED), ...(shown.length > MOST_LISTED ? ["…"] : [])].join("\n");
}
