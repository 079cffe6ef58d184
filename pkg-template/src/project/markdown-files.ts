/** The worker in which the Markdown files of an editor are opened and saved. */

import type { Editor } from "@tiptap/core";
import { MarkdownFiles } from "../markdown-document/files.js";
import { readMarkdown, type OpenedMarkdown } from "../markdown-document/opened.js";
import { openLater } from "../markdown-document/source-parts.js";

const workers = new WeakMap<Editor, MarkdownFiles>();
/** The file that was opened last in each worker. */
const lastOpened = new WeakMap<MarkdownFiles, OpenedMarkdown>();

/** Returns the worker of an editor. It ends with the editor. */
export function workerOf(editor: Editor): MarkdownFiles {
  const known = workers.get(editor);
  if (known) return known;
  const worker = new MarkdownFiles(editor.schema);
  workers.set(editor, worker);
  editor.on("destroy", () => worker.close());
  return worker;
}

/** Opens a file in the worker. */
export async function openMarkdown(editor: Editor, source: string): Promise<OpenedMarkdown> {
  const worker = workerOf(editor);
  const file = await worker.read(source);
  lastOpened.set(worker, file);
  return file;
}

/** Returns the file that was opened last if it has this source; otherwise one that is read when it is first needed. */
export function opened(editor: Editor, source: string): OpenedMarkdown {
  const { schema } = editor;
  const last = lastOpened.get(workerOf(editor));
  if (last?.source === source) return last;
  let read: OpenedMarkdown | undefined;
  const now = (): OpenedMarkdown => (read ??= readMarkdown(source, schema));
  const later = {
    source,
    get json() {
      return now().json;
    },
    get frontMatter() {
      return now().frontMatter;
    },
  };
  return openLater(later, schema);
}
