/** Describes tool calls to the user: requested, waiting, running, done or failed. */

import { isFileTool, kindOf, type ToolAction } from "../agent/tool-kinds.js";
import { inWords } from "../assistant/tool-names.js";
import { count, excerpt, field, number, text, type Call } from "./call-text.js";
import { describeFileCall, requestedFileCall } from "./file-tool-text.js";
import type { IconName } from "./icons.js";
import { describePluginCall, isPluginCall, pluginCallIcon, requestedPluginCall } from "./plugin-tool-text.js";
import type { Words } from "./words/en.js";

/** Section 0, the introduction, is not counted: the outline numbers sections from 1. */
function describeRead(content: unknown, m: Words): string {
  const total = number(field(content, "totalSections")) ?? count(content, "sections");
  return total === 0 ? m.done.readEmpty : m.done.read(total === undefined ? undefined : total - 1);
}

/** Describes the action of a call that needs approval. */
function describeRequest(call: Call, m: Words): string {
  if (isPluginCall(call)) return requestedPluginCall(call, m);
  const { toolName, input, titles } = call;
  const index = number(input.sectionIndex);
  const title = text(input.title) ?? (index === undefined ? undefined : titles[index]);
  switch (toolName) {
    case "update_section":
      if (input.operation === "delete") return m.requested.delete(index, title);
      return input.operation === "insert"
        ? m.requested.insert(title)
        : m.requested.write(input.operation === "append" ? undefined : index, title);
    case "insert_image":
      return m.requested.insertImage(index);
    case "move_section":
      return m.requested.move(index, title, number(input.toIndex));
    case "edit_current_editor_document":
    case "set_attributes": {
      const ranges = count(input, "edits");
      if (ranges) return m.requested.editRanges(ranges);
      const first = number(input.start_line);
      return first === undefined ? m.requested.editAll : m.requested.editLines(first, number(input.end_line));
    }
    case "replace_text":
      return m.requested.replace(excerpt(input.old), excerpt(input.new));
    default:
      if (m.plugins.comments[toolName]) return m.plugins.comments[toolName][0]!;
      if (isFileTool(toolName)) return requestedFileCall({ toolName, input }, m);
      return m.requested.tool(inWords(toolName));
  }
}

export function describeCall(call: Call, m: Words): string {
  const { toolName, input, state, content } = call;
  if (state === "rejected" || state === "waiting") return describeRequest(call, m);
  if (state === "approval") return m.question(describeRequest(call, m));
  if (isPluginCall(call)) return describePluginCall(call, m);
  const running = state !== "done" && state !== "failed";
  const failed = state === "failed";
  const index = number(field(content, "sectionIndex")) ?? number(input.sectionIndex);
  const before = index === undefined ? undefined : call.titles[index];
  const title = text(input.title) ?? before;
  if (isFileTool(toolName)) return describeFileCall(call, m);
  const about = m.plugins.comments[toolName];
  if (about) return about[running ? 1 : failed ? 3 : 2]!;
  switch (toolName) {
    case "get_document":
      return running ? m.working.reading : failed ? m.failed.read : describeRead(content, m);
    case "update_section":
      switch (input.operation) {
        case "delete":
          return running
            ? m.working.deleting(index, before)
            : failed
              ? m.failed.deleted(index)
              : m.done.deleted(index, before);
        case "insert":
          return running
            ? m.working.inserting(title)
            : failed
              ? m.failed.wrote(index, title)
              : m.done.inserted(index, title);
        default: {
          const length = state === "preparing" ? text(input.content)?.length : undefined;
          const fresh = input.operation === "append" || (index !== undefined && index >= call.titles.length);
          const named = input.operation === "append" ? text(input.title) : title;
          if (running) return m.working.writing(index, named, length);
          if (failed) return m.failed.wrote(index, named);
          return fresh ? m.done.wrote(index, named) : m.done.rewrote(index, named);
        }
      }
    case "insert_image":
      return running
        ? m.working.insertingImage(index)
        : failed
          ? m.failed.insertedImage
          : m.done.insertedImage(index, before);
    case "move_section": {
      const [from, to] = [number(input.sectionIndex), number(input.toIndex)];
      const moved = from === undefined ? undefined : call.titles[from];
      return running ? m.working.moving(from, moved) : failed ? m.failed.moved(from) : m.done.moved(from, moved, to);
    }
    case "search_image": {
      const query = text(input.keywords);
      return running
        ? m.working.searchingImages(query)
        : failed
          ? m.failed.searchedImages(query)
          : m.done.searchedImages(query, count(content, "images"));
    }
    case "search_web": {
      const query = text(input.query);
      return running
        ? m.working.searchingWeb(query)
        : failed
          ? m.failed.searchedWeb(query)
          : m.done.searchedWeb(query, count(content, "results"));
    }
    case "read_lines": {
      const [first, last] = [number(input.start_line), number(input.end_line)];
      return running
        ? m.working.readingLines(first, last)
        : failed
          ? m.failed.readLines
          : m.done.readLines(first, last);
    }
    case "read_more":
      return running ? m.working.readingMore : failed ? m.failed.readMore : m.done.readMore;
    case "edit_current_editor_document":
    case "set_attributes": {
      if (failed) return m.failed.editedLines;
      const ranges = count(input, "edits");
      if (ranges) return running ? m.working.editingRanges(ranges) : m.done.editedRanges(ranges);
      const [first, last] = [number(input.start_line), number(input.end_line)];
      if (first === undefined) return running ? m.working.editingAll : m.done.editedAll;
      return running ? m.working.editingLines(first, last) : m.done.editedLines(first, last);
    }
    case "replace_text": {
      const [old, replacement] = [excerpt(input.old), excerpt(input.new)];
      return running
        ? m.working.replacing(old, replacement)
        : failed
          ? m.failed.replaced(old)
          : m.done.replaced(old, replacement);
    }
    default:
      return running
        ? m.working.tool(inWords(toolName))
        : failed
          ? m.failed.tool(inWords(toolName))
          : m.done.tool(inWords(toolName));
  }
}

const ICONS: Readonly<Record<ToolAction, IconName>> = {
  read: "read",
  write: "write",
  image: "image",
  list: "files",
  search: "search",
  check: "checks",
  skill: "skills",
};

export function callIcon(call: Call): IconName {
  if (isPluginCall(call)) return pluginCallIcon(call);
  if (call.toolName === "update_section" && call.input.operation === "delete") return "delete";
  const kind = kindOf(call.toolName);
  return kind ? ICONS[kind.does] : "tool";
}
