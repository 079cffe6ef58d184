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
    const { contains } = fit;
    const { blocks, sections } = structureOf(editor);
    if (fit.document && blocks.some((block) => textOf(block).compact)) return false;
    if (contains !== undefined && !isIn(blocks, contains)) return false;
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

interface Structure {
  /** The revision of the pending changes that are applied. */
  revision: number;
  blocks: readonly Node[];
  /** The blocks of the sections by their index. */
  sections: readonly Node[][];
}

/** The structure of a document, which many runs are compared with. */
const known = new WeakMap<Node, Structure>();

function structureOf(editor: Editor): Structure {
  const { doc } = editor.state;
  const revision = hunksRevision(editor);
  const before = known.get(doc);
  if (before?.revision === revision) return before;
  const { children } = proposedDocument(editor);
  const structure = { revision, blocks: children, sections: sectionsOf(children) };
  known.set(doc, structure);
  return structure;
}

interface Text {
  text: string;
  /** The text without white space. */
  compact: string;
}

/** The texts of blocks. A key changes one of them. */
const texts = new WeakMap<Node, Text>();

function textOf(block: Node): Text {
  let found = texts.get(block);
  if (!found) {
    const text = block.textContent;
    texts.set(block, (found = { text, compact: withoutSpace(text) }));
  }
  return found;
}

/** Returns true if a section has a text, without white space. */
function hasText(section: readonly Node[] | undefined, text: string | undefined): boolean {
  if (!section || text === undefined) return section === text;
  let at = 0;
  for (const block of section) {
    const { compact } = textOf(block);
    if (!text.startsWith(compact, at)) return false;
    at += compact.length;
  }
  return at === text.length;
}

/** By a text: the blocks that were searched for it, and the block in which it was. */
const searches = new Map<string, { blocks: readonly Node[]; found: Node | undefined }>();

/** Returns true if a text is in one of the blocks. Blocks that the last search has seen are not searched again. */
function isIn(blocks: readonly Node[], text: string): boolean {
  const last = searches.get(text);
  if (last?.found && blocks.includes(last.found)) return true;
  let [start, end] = [0, blocks.length];
  if (last && !last.found) {
    const before = last.blocks;
    const after = before.length - end;
    while (start < end && blocks[start] === before[start]) start++;
    while (end > start && blocks[end - 1] === before[end + after - 1]) end--;
  }
  const found = blocks.slice(start, end).find((block) => textOf(block).text.includes(text));
  searches.set(text, { blocks, found });
  return found !== undefined;
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
