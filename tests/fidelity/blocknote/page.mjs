// BlockNote's page: plays cases that are given as HTML, `play(cases)`.
import { BlockNoteEditor } from "@blocknote/core";
import { StreamToolExecutor, _getApplySuggestionsTr, aiDocumentFormats } from "@blocknote/xl-ai/server";
import { operationsFor } from "./operations.mjs";

async function editorOf(html) {
  const editor = BlockNoteEditor.create();
  editor.mount(document.querySelector("#page"));
  editor.replaceBlocks(editor.document, await editor.tryParseHTMLToBlocks(html));
  return editor;
}

/** Returns HTML as BlockNote writes it after it has read it. */
async function through(html) {
  const editor = await editorOf(html);
  const written = editor.blocksToHTMLLossy(editor.document);
  editor.unmount();
  return written;
}

async function playOne({ one, before }) {
  const editor = await editorOf(before);
  try {
    const operations = operationsFor(one, editor);
    if (operations.refused) return { refused: operations.refused, html: editor.blocksToHTMLLossy(editor.document) };
    const tools = aiDocumentFormats.html.getStreamToolsProvider({ withDelays: false }).getStreamTools(editor, false);
    for (const operation of operations) {
      const valid = tools.find(({ name }) => name === operation.type).validate(operation);
      if (!valid.ok)
        return { refused: "invalid_operation", message: valid.error, html: editor.blocksToHTMLLossy(editor.document) };
      await new StreamToolExecutor(tools).executeOne(valid.value);
    }
    // The operations come as suggestions; these are accepted.
    editor.prosemirrorView.dispatch(_getApplySuggestionsTr(editor));
    return { html: editor.blocksToHTMLLossy(editor.document) };
  } catch (error) {
    return { refused: "thrown", message: String(error), html: before };
  } finally {
    editor.unmount();
  }
}

/** Returns for each case what BlockNote makes of its documents, and of the edit. */
window.play = async (cases) => {
  const outcomes = [];
  for (const given of cases) {
    const kept = [];
    for (const html of [given.before, ...given.wanted]) kept.push(await through(html));
    outcomes.push({ kept, ...(await playOne(given)) });
  }
  return outcomes;
};
window.ready = true;
