/** Describes the calls of the tools for files to the user. */

import type { FileTool } from "../agent/tool-kinds.js";
import { count, excerpt, field, number, text, type Call } from "./call-text.js";
import type { Words } from "./words/en.js";

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

interface FoundFault {
  file: string;
  line: number;
  message: string;
  waived: boolean;
}

/** Returns the findings of a check. */
export function findingsIn(content: unknown): FoundFault[] {
  return [...entriesOf(content, "errors"), ...entriesOf(content, "warnings")].map((entry) => ({
    file: text(field(entry, "file")) ?? "",
    line: number(field(entry, "line")) ?? 1,
    message: text(field(entry, "message")) ?? "",
    waived: field(entry, "waived") === true,
  }));
}

/** Returns the list in a field of a result; an empty one for anything else. */
export function entriesOf(content: unknown, name: string): unknown[] {
  const list = field(content, name);
  return Array.isArray(list) ? list : [];
}
