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

/** The state of the page when a prompt is sent. */
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
    const blocks = blocksOf(editor);
    const contains = withoutSpace(fit.contains ?? "");
    if (fit.document && blocks.some(textOf)) return false;
    if (!blocks.some((block) => textOf(block).includes(contains))) return false;
    const sections = fit.sections ? sectionsOf(blocks) : [];
    for (const [index, id] of Object.entries(fit.sections ?? {}))
      if (!hasText(sections[Number(index)], writtenBy(runWithId(id), Number(index)))) return false;
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

/** The blocks that were read last. Many runs are compared with them. */
let last: { doc: Node; revision: number; blocks: readonly Node[] } | undefined;

/** Returns the blocks of a document with its pending changes. */
function blocksOf(editor: Editor): readonly Node[] {
  const { doc } = editor.state;
  const revision = hunksRevision(editor);
  if (last?.doc !== doc || last.revision !== revision)
    last = { doc, revision, blocks: proposedDocument(editor).children };
  return last.blocks;
}

/** The texts of blocks without white space. A key changes one of them. */
const texts = new WeakMap<Node, string>();

function textOf(block: Node): string {
  let text = texts.get(block);
  if (text === undefined) texts.set(block, (text = withoutSpace(block.textContent)));
  return text;
}

/** Returns true if a section has a text. */
function hasText(section: readonly Node[] | undefined, text: string | undefined): boolean {
  const isRead = section && text !== undefined;
  return isRead ? section.reduce((all, block) => all + textOf(block), "") === text : section === text;
}

/** Returns the document with its pending changes, as the model reads it. */
function proposedDocument(editor: Editor): Node {
  const { tr, schema } = editor.state;
  for (const { from, to, content, conflict } of [...hunksOf(editor)].reverse())
    if (!conflict) tr.replaceWith(from, to, content.map(schema.nodeFromJSON));
  return tr.doc;
}

const withoutSpace = (text: string) => text.replace(/\s+/g, "");

/** Returns the blocks of the sections by their index. */
function sectionsOf(blocks: readonly Node[]): Node[][] {
  const sections: Node[][] = [[]];
  for (const block of blocks) {
    if (block.type.name === "heading" && block.attrs.level === 2) sections.push([]);
    sections.at(-1)!.push(block);
  }
  return sections;
}

/** The texts that runs write, by the index of the section. */
const written = new WeakMap<Run, string[]>();

/** Returns the text that a run writes into a section, without white space. */
function writtenBy(run: Run | undefined, index: number): string | undefined {
  if (!run) return undefined;
  let found = written.get(run);
  if (!found) written.set(run, (found = writtenTexts(run)));
  return found[index];
}

function writtenTexts({ turns }: Run): string[] {
  const calls = turns.flatMap(({ calls = [] }) => calls).filter(({ name }) => name === "update_section");
  return calls.map(({ arguments: { title, content } }) => {
    const { body } = new DOMParser().parseFromString(String(content), "text/html");
    return withoutSpace(`${String(title ?? "")}${body.textContent ?? ""}`);
  });
}
