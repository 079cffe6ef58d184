/** `copydesk/markdown/worker`: the worker in which Markdown files are opened and saved. */

import type { Schema } from "@tiptap/pm/model";
import { atOnce, join, split } from "./markdown-document/json-slices.js";
import type { FromMarkdown, ReadParts, ToMarkdown, WrittenParts } from "./markdown-document/messages.js";
import { readMarkdown, type OpenedMarkdown } from "./markdown-document/opened.js";
import { inlineSourceOf } from "./markdown-document/source-parts.js";
import { schemaOf } from "./markdown-document/portable-schema.js";
import { writeMarkdown } from "./markdown-document/write.js";
import type { NodeJSON } from "./types/index.js";
import { dataOf } from "./base/worker-error.js";

/** The number of files that are kept open: the most recently used ones. */
const MOST_FILES = 4;

/** The part of a worker's global scope that is used. */
interface Scope {
  postMessage(message: FromMarkdown): void;
  addEventListener(type: "message", listener: (event: { data: ToMarkdown }) => void): void;
}

const scope = globalThis as unknown as Scope;
const files = new Map<string, OpenedMarkdown>();
let schema: Schema | undefined;

scope.addEventListener("message", ({ data }) => {
  if (data.type === "schema") {
    schema = schemaOf(data.schema);
    return scope.postMessage({ type: "ready" });
  }
  const { id } = data;
  try {
    scope.postMessage({ type: "done", id, result: data.type === "read" ? read(data.source) : write(data) });
  } catch (thrown) {
    scope.postMessage({ type: "error", id, ...dataOf(thrown) });
  }
});

function read(source: string): ReadParts {
  return partsOf(opened(source));
}

function write({ source, json, options }: Extract<ToMarkdown, { type: "write" }>): WrittenParts {
  const { text, lost, opened: next } = writeMarkdown(opened(source), atOnce(join(json))[0] as NodeJSON, options);
  keep(text, next);
  return { text, lost, ...partsOf(next) };
}

function partsOf(file: OpenedMarkdown): ReadParts {
  const inlineSource = [...inlineSourceOf(file)];
  return { json: atOnce(split([file.json])), frontMatter: file.frontMatter, inlineSource };
}

function opened(source: string): OpenedMarkdown {
  const file = files.get(source) ?? readMarkdown(source, schema as Schema);
  keep(source, file);
  return file;
}

function keep(source: string, file: OpenedMarkdown): void {
  files.delete(source);
  files.set(source, file);
  for (const old of files.keys()) {
    if (files.size <= MOST_FILES) break;
    files.delete(old);
  }
}
