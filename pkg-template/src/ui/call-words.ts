/** Returns the content of calls as text for people: what they write, read or found. */

import type { Change } from "../assistant/changes.js";
import { isFileTool, type FileTool } from "../agent/tool-kinds.js";
import { inWords } from "../assistant/tool-names.js";
import { field, number, readable, text, type Call } from "./call-text.js";
import { entriesOf, findingsIn } from "./file-tool-text.js";
import { isPluginCall } from "./plugin-tool-text.js";
import { linesOf, wordsOfText } from "./structured-words.js";
import type { Words } from "./words/en.js";

/** Lines of a result that are listed. */
const MOST_LISTED = 30;

/** Returns the words of a call: what it writes, or what it found. */
export function wordsOf(call: Call, m: Words): string {
  const { input, content } = call;
  if (isPluginCall(call)) return wordsOfPluginCall(call, m);
  if (isFileTool(call.toolName)) return wordsOfFileCall(call, m);
  const written = Array.isArray(input.edits)
    ? input.edits.map((edit) => text(field(edit, "content")))
    : [text(input.content) ?? text(input.imageDescription)];
  const found = ["results", "images"].flatMap((name) => {
    const list = field(content, name);
    return Array.isArray(list)
      ? list.map((entry) => text(field(entry, "title")) ?? text(field(entry, "description")))
      : [];
  });
  return [...written, ...found].flatMap((part) => (part ? [readable(part)] : [])).join("\n");
}

/** Returns what a call writes, read or found, as lines for people. */
function wordsOfFileCall({ toolName, input, content }: Call, m: Words): string {
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

/** Returns a line of a file with its place. */
function placed(entry: unknown, path: string, line: string, m: Words): string | undefined {
  const [file, found] = [text(field(entry, path)), text(field(entry, line))];
  return file === undefined ? undefined : `${m.files.place(file, number(field(entry, "line")) ?? 1)}: ${found ?? ""}`;
}

function listed(lines: (string | undefined)[]): string {
  const shown = lines.filter((line) => line !== undefined);
  return [...shown.slice(0, MOST_LISTED), ...(shown.length > MOST_LISTED ? ["…"] : [])].join("\n");
}

/** Returns what a call is given, and its result, as lines for people. */
function wordsOfPluginCall({ server, input, content }: Call, m: Words): string {
  const given = server ? Object.entries(input).flatMap(([name, value]) => linesOf(value, m, inWords(name))) : [];
  const failed = field(content, "error") !== undefined;
  return [...given, failed || content === undefined ? "" : result(content, !!server, m)].filter(Boolean).join("\n");
}

function result(content: unknown, isOfServer: boolean, m: Words): string {
  if (typeof content !== "string") return linesOf(content, m).join("\n");
  if (isOfServer) return wordsOfText(content, m);
  return content
    .replace(/^<skill [^>]*>\n|\n<\/skill>$/g, "")
    .replace(/^ *\d+ \| ?/gm, "")
    .trim();
}
