// Compares the effect of an edit on an editor with the expected one.
import { Decoration } from "@tiptap/pm/view";
import { Agent, CopydeskError, Document } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { CONFIG, answer, decorations, editorOf } from "./editors.js";
import { keptOf, keptPairs } from "./identity.js";

const json = (node) => JSON.stringify(node.toJSON());

/** Describes the difference of two documents in short form. */
function differing(found, wanted) {
  const [a, b] = [found.toString(), wanted.toString()];
  return a === b ? `${json(found)}\n   instead of ${json(wanted)}` : `${a}\n   instead of ${b}`;
}

/** Selects and decorates a text that the edit leaves unchanged, to see whether both stay. */
function mark(editor, kept) {
  let found;
  editor.state.doc.descendants((node, position) => {
    if (!found && node.isTextblock && node.textContent.length > 0 && kept.has(node)) found = { node, from: position + 1, to: position + 1 + node.content.size };
  });
  if (found) {
    const decoration = Decoration.inline(found.from, found.to, { class: "kept" });
    editor.commands.setTextSelection({ from: found.from, to: found.to });
    editor.view.dispatch(editor.state.tr.setMeta("decorate", [decoration]));
  }
  return found;
}

function unmarked(editor, marked) {
  if (!marked) return [];
  const { doc, selection } = editor.state;
  const problems = [];
  if (selection.$from.parent !== marked.node || selection.to - selection.from !== marked.node.content.size) problems.push("the selection moved");
  const [decoration] = decorations.getState(editor.state).find();
  if (!decoration || doc.resolve(decoration.from).parent !== marked.node || decoration.to - decoration.from !== marked.node.content.size) problems.push("the decoration moved");
  return problems;
}

function outcome(act) {
  try {
    return { result: act() };
  } catch (error) {
    if (!(error instanceof CopydeskError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** Applies one update of the table. Returns the deviations as sentences. */
function play({ before, update, after, facts = {}, code, ...options }) {
  const editor = editorOf(before, options);
  const { schema } = editor;
  const expected = schema.nodeFromJSON(after ?? before);
  expected.check();
  const start = editor.state.doc;
  start.check();
  const problems = [];
  if (json(start) !== json(schema.nodeFromJSON(before))) problems.push(`the editor made something else of the start: ${json(start)}`);
  const { document: boundDocument } = editor.storage.copydesk;
  const marked = mark(editor, keptOf(start, expected));
  const { selection } = editor.state;
  const transactions = [];
  editor.on("transaction", ({ transaction }) => transaction.docChanged && transactions.push(transaction));

  const { result, ...refusal } = outcome(() => boundDocument.apply(update));
  const now = editor.state.doc;
  if (refusal.code !== code) problems.push(`refused: ${refusal.code} ${refusal.message}`);
  if (json(now) !== json(expected)) problems.push(`came to ${differing(now, expected)}`);
  now.check();
  if (JSON.stringify(boundDocument.toJSON()) !== json(now)) problems.push("the wasm holds something else than the editor");
  for (const [name, value] of Object.entries(facts)) {
    if (JSON.stringify(result?.[name]) !== JSON.stringify(value)) problems.push(`${name} is ${JSON.stringify(result?.[name])}`);
  }
  const changed = json(start) !== json(expected);
  if (transactions.length !== Number(changed)) problems.push(`${transactions.length} transactions`);
  if (code && (now !== start || !editor.state.selection.eq(selection) || editor.can().undo())) problems.push("a refusal left something behind");
  problems.push(...unmarked(editor, marked));
  problems.push(...keptPairs(start, now, expected).map((what) => `not the same object: ${what}`));

  if (changed && now !== start) {
    editor.commands.undo();
    if (json(editor.state.doc) !== json(start)) problems.push(`one undo came to ${json(editor.state.doc)}`);
    if (editor.can().undo()) problems.push("there is more than one step to undo");
    editor.commands.redo();
    if (json(editor.state.doc) !== json(now)) problems.push(`redo came to ${json(editor.state.doc)}`);
  }
  // Only an editor knows how custom nodes are written in HTML.
  if (options.alone === false) return problems;
  const alone = Document.fromJSON(before, schemaData(schema));
  const without = outcome(() => alone.apply(update));
  const left = schema.nodeFromJSON(alone.toJSON());
  if (without.code !== code || json(left) !== json(expected)) problems.push(`without an editor: ${without.code} ${differing(left, expected)}`);
  return problems;
}

/** Returns the update as a tool call of the agent. */
function asCall({ operation, ...update }) {
  if (operation === "replace_text") return ["replace_text", update];
  if (operation === "insert_image" || operation === "move_section") return [operation, update];
  if (operation !== "replace_lines") return ["update_section", { operation, ...update }];
  const { edits, ...rest } = update;
  return ["edit_current_editor_document", edits.length === 1 ? { ...rest, ...edits[0] } : update];
}

/** Applies the same update through an agent that has read the lines. */
async function playByAgent({ before, update, after, code, ...options }) {
  const editor = editorOf(before, options);
  const expected = editor.schema.nodeFromJSON(after ?? before);
  const problems = [];
  const turns = [[["get_document", {}]], [["read_lines", {}]], [asCall(update)], []];
  const agent = new Agent({ document: editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift()) });
  const results = [];
  agent.subscribe((event) => event.type === "tool_result" && results.push(event.content));
  const { status } = await agent.prompt("Go");
  const said = results[2]?.error;
  if (status !== "complete" || said?.code !== code) problems.push(`${status}, ${said?.code}: ${said?.message}`);
  if (json(editor.state.doc) !== json(expected)) problems.push(`came to ${differing(editor.state.doc, expected)}`);
  return problems;
}

/** Returns the deviations: `[name, problems]` for each case that has some. */
export async function playAll(cases) {
  const wrong = [];
  for (const one of cases) {
    const tried = async (how, act) => {
      try {
        return (await act()).map((problem) => how + problem);
      } catch (error) {
        return [`${how}thrown: ${error.stack}`];
      }
    };
    const problems = await tried("", () => play(one));
    if (one.agent !== false) problems.push(...(await tried("by the agent: ", () => playByAgent(one))));
    if (problems.length) wrong.push([one.name, problems]);
  }
  return wrong;
}
