/** The state of the page that a recorded run fits. */
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type {} from "copydesk/comments";
import { hunksOf, hunksRevision } from "copydesk/tiptap";
import type { WorkspaceHost } from "copydesk/workspace";
import type { Run } from "./runs";

/** The conditions of a run. All of them have to hold; without any, the run fits everywhere. */
export interface Fit {
  document?: "empty";
  /** By the index of a section: the id of the run that wrote its text, which is unchanged. */
  sections?: Record<string, string>;
  /** A text of the document. */
  contains?: string;
  /** The selected text that the run may change. */
  selection?: string;
  /** A text of the paragraph that the first open comment is about. */
  comment?: string;
  fileCount?: number;
  /** By path: texts of the file, or null if there is none. */
  files?: Record<string, string[] | null>;
}

/** What is known of the page when a prompt is sent. */
export interface Situation {
  editor: Editor;
  files: WorkspaceHost | null;
  /** The number of files; null before there is a place for them. */
  fileCount: number | null;
  /** The id of the menu item that was chosen, and the text that was selected then. */
  action?: string | undefined;
  selection?: string | undefined;
}

/** Returns true if a situation is as a run needs it. */
export async function fits(fit: Fit, situation: Situation, runWithId: (id: string) => Run | undefined) {
  const { editor, files, fileCount } = situation;
  if (fit.selection !== situation.selection?.trim()) return false;
  if (fit.fileCount !== undefined && fit.fileCount !== fileCount) return false;
  if (fit.comment !== undefined && !commentedText(editor).includes(fit.comment)) return false;
  if (fit.document || fit.sections || fit.contains !== undefined) {
    const { text, sections } = textsOf(editor);
    if (fit.document && text.trim()) return false;
    if (fit.contains !== undefined && !text.includes(fit.contains)) return false;
    for (const [index, id] of Object.entries(fit.sections ?? {}))
      if (sections[Number(index)] !== writtenBy(runWithId(id), Number(index))) return false;
  }
  for (const [path, texts] of Object.entries(fit.files ?? {})) {
    const text = await textOfFile(files, path);
    if (texts ? !texts.every((each) => text?.includes(each)) : text !== null) return false;
  }
  return true;
}

function commentedText(editor: Editor): string {
  const open = editor.storage.comments?.threads().find(({ state }) => state === "open");
  return open?.range ? editor.state.doc.resolve(open.range.from).parent.textContent : "";
}

async function textOfFile(files: WorkspaceHost | null, path: string): Promise<string | null> {
  // A file that cannot be read is none that a run can work on.
  return (await files?.read(path).catch(() => null))?.text ?? null;
}

interface Texts {
  /** The revision of the pending changes that are applied. */
  revision: number;
  text: string;
  /** By the index of a section, without white space. */
  sections: string[];
}

/** The texts of a document, which many runs are compared with. */
const known = new WeakMap<Node, Texts>();

function textsOf(editor: Editor): Texts {
  const { doc } = editor.state;
  const revision = hunksRevision(editor);
  const before = known.get(doc);
  if (before?.revision === revision) return before;
  const proposed = proposedDocument(editor);
  const texts = { revision, text: proposed.textContent, sections: sectionTexts(proposed) };
  known.set(doc, texts);
  return texts;
}

/** Returns the document with its pending changes, as the model reads it. */
function proposedDocument(editor: Editor): Node {
  const { tr, schema } = editor.state;
  for (const { from, to, content, conflict } of [...hunksOf(editor)].reverse())
    if (!conflict) tr.replaceWith(from, to, content.map(schema.nodeFromJSON));
  return tr.doc;
}

const withoutSpace = (text: string) => text.replace(/\s+/g, "");

/** Returns the texts of the sections by their index, without white space. */
function sectionTexts(doc: Node): string[] {
  const texts = [""];
  doc.forEach((node) => {
    if (node.type.name === "heading" && node.attrs.level === 2) texts.push("");
    texts[texts.length - 1] += withoutSpace(node.textContent);
  });
  return texts;
}

/** Returns the text that a run writes into a section, without white space. */
function writtenBy(run: Run | undefined, index: number): string | undefined {
  const calls = run?.turns.flatMap(({ calls = [] }) => calls).filter(({ name }) => name === "update_section") ?? [];
  const call = calls[index]?.arguments;
  if (!call) return undefined;
  const { body } = new DOMParser().parseFromString(String(call.content), "text/html");
  return withoutSpace(`${String(call.title ?? "")}${body.textContent ?? ""}`);
}
