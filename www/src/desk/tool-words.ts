/** A tool call in human words: while it runs, when it is done, when it failed. */
import type { IconName } from "../icons";
import type { Words } from "../words";

export interface Call {
  toolName: string;
  input: Record<string, unknown>;
  state: "preparing" | "asking" | "running" | "done" | "failed" | "stopped" | "refused";
  content?: unknown;
  /** The titles of the sections as they were before the call. */
  titles: string[];
}

function number(value: unknown): number | undefined {
  const n = typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof n === "number" && Number.isInteger(n) ? n : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() ? value.trim() : undefined;
}

function field(value: unknown, name: string): unknown {
  return value && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
}

function count(value: unknown, name: string): number | undefined {
  const list = field(value, name);
  return Array.isArray(list) ? list.length : undefined;
}

/** Section 0, the opening, is not counted: the outline numbers from 1. */
function readInWords(content: unknown, w: Words): string {
  const total = number(field(content, "totalSections")) ?? count(content, "sections");
  return total === 0 ? w.done.readEmpty : w.done.read(total === undefined ? undefined : total - 1);
}

/** What a call would do, as the person is asked for it. */
function wishInWords({ toolName, input, titles }: Call, w: Words): string {
  const index = number(input.sectionIndex);
  const title = text(input.title) ?? (index === undefined ? undefined : titles[index]);
  switch (toolName) {
    case "update_section":
      if (input.operation === "delete") return w.wish.delete(index, title);
      return input.operation === "insert" ? w.wish.insert(title) : w.wish.write(input.operation === "append" ? undefined : index, title);
    case "insert_image":
      return w.wish.place(index);
    case "edit_current_editor_document": {
      const places = count(input, "edits");
      if (places) return w.wish.editPlaces(places);
      const first = number(input.start_line);
      return first === undefined ? w.wish.editAll : w.wish.editLines(first, number(input.end_line));
    }
    case "replace_text":
      return w.wish.replace(text(input.old), text(input.new));
    default:
      return w.wish.tool(toolName);
  }
}

export function callInWords(call: Call, w: Words): string {
  const { toolName, input, state, content } = call;
  if (state === "refused") return wishInWords(call, w);
  if (state === "asking") return w.ask(wishInWords(call, w));
  const running = state !== "done" && state !== "failed";
  const failed = state === "failed";
  const index = number(field(content, "sectionIndex")) ?? number(input.sectionIndex);
  const before = index === undefined ? undefined : call.titles[index];
  const title = text(input.title) ?? before;
  switch (toolName) {
    case "get_document":
      return running ? w.working.reading : failed ? w.failed.read : readInWords(content, w);
    case "update_section":
      switch (input.operation) {
        case "delete":
          return running ? w.working.deleting(index, before) : failed ? w.failed.deleted(index) : w.done.deleted(index, before);
        case "insert":
          return running ? w.working.inserting(title) : failed ? w.failed.wrote(index, title) : w.done.inserted(index, title);
        default: {
          const length = state === "preparing" ? text(input.content)?.length : undefined;
          const fresh = input.operation === "append" || (index !== undefined && index >= call.titles.length);
          const named = input.operation === "append" ? text(input.title) : title;
          if (running) return w.working.writing(index, named, length);
          if (failed) return w.failed.wrote(index, named);
          return fresh ? w.done.wrote(index, named) : w.done.rewrote(index, named);
        }
      }
    case "insert_image":
      return running ? w.working.placing(index) : failed ? w.failed.placed : w.done.placed(index, before);
    case "search_image": {
      const q = text(input.keywords);
      return running ? w.working.searchingPictures(q) : failed ? w.failed.searchedPictures(q) : w.done.searchedPictures(q, count(content, "images"));
    }
    case "search_web": {
      const q = text(input.query);
      return running ? w.working.searchingWeb(q) : failed ? w.failed.searchedWeb(q) : w.done.searchedWeb(q, count(content, "results"));
    }
    case "read_lines": {
      const [first, last] = [number(input.start_line), number(input.end_line)];
      return running ? w.working.readingLines(first, last) : failed ? w.failed.readLines : w.done.readLines(first, last);
    }
    case "read_more":
      return running ? w.working.readingOn : failed ? w.failed.readOn : w.done.readOn;
    case "edit_current_editor_document": {
      if (failed) return w.failed.editedLines;
      const places = count(input, "edits");
      if (places) return running ? w.working.editingPlaces(places) : w.done.editedPlaces(places);
      const [first, last] = [number(input.start_line), number(input.end_line)];
      if (first === undefined) return running ? w.working.editingAll : w.done.editedAll;
      return running ? w.working.editingLines(first, last) : w.done.editedLines(first, last);
    }
    case "replace_text": {
      const [old, now] = [text(input.old), text(input.new)];
      return running ? w.working.replacing(old, now) : failed ? w.failed.replaced(old) : w.done.replaced(old, now);
    }
    default:
      return running ? w.working.tool(toolName) : failed ? w.failed.tool(toolName) : w.done.tool(toolName);
  }
}

export function callIcon(call: Call): IconName {
  switch (call.toolName) {
    case "get_document":
    case "read_lines":
    case "read_more":
      return "read";
    case "edit_current_editor_document":
    case "replace_text":
      return "write";
    case "update_section":
      return call.input.operation === "delete" ? "erase" : "write";
    case "insert_image":
      return "picture";
    case "search_image":
    case "search_web":
      return "search";
    default:
      return "tool";
  }
}
