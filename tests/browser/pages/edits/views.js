// The views of the review beside the exports of the same document, with random documents, proposals and typing.
import { EditorState } from "@tiptap/pm/state";
import { pendingJSON } from "copydesk/export";
import { randomFrom } from "../../../oracle/random.mjs";
import { editorOf, newEditor } from "./editors.js";
import { documentOf } from "./interleaving.js";
import { update } from "./reviewing.js";
import { User } from "./user.js";

const BLOCKS = "p, h1, h2, h3, h4, h5, h6, pre, li, td, th, blockquote, .math";
/** Elements of the page that are not of the document. */
const NOT_CONTENT = ".copydesk-controls, .copydesk-label, .copydesk-placeholder-name, .ProseMirror-trailingBreak, .ProseMirror-separator, label";

/** Returns the visible texts, images and rules, each with the tag of its block. */
function visible(root) {
  const found = [];
  let last;
  const visit = (element) => {
    for (const node of element.childNodes) {
      if (node instanceof Text) {
        const block = node.parentElement.closest(BLOCKS);
        const text = node.data.replaceAll("\ufeff", "");
        if (!text) continue;
        if (block === last) found.push(found.pop() + text);
        else found.push(`${block?.localName}: ${text}`);
        last = block;
      } else if (node instanceof Element && !node.matches(NOT_CONTENT) && getComputedStyle(node).display !== "none") {
        if (node.localName === "img" || node.localName === "hr") {
          found.push(node.getAttribute("src") ?? node.localName);
          last = undefined;
        } else visit(node);
      }
    }
  };
  visit(root);
  return found;
}

/** Performs one run. Returns the first difference. */
async function one(editor, plain, seed, said) {
  const random = randomFrom(seed);
  const { schema, plugins } = editor.state;
  editor.view.updateState(EditorState.create({ schema, plugins, doc: schema.nodeFromJSON(documentOf(random)) }));
  const boundDocument = editor.storage.copydesk.document;
  boundDocument.mode = "review";
  const user = new User(random, editor);
  const log = [];
  for (let left = 3 + random.below(8); left > 0; left--) {
    if (random.chance(0.3)) log.push(user.act());
    else {
      const given = update(random, boundDocument);
      try {
        boundDocument.apply(given);
        log.push(JSON.stringify(given));
      } catch (error) {
        if (!error.code || error.code === "internal") throw error;
      }
    }
    await undefined;
  }
  const state = () => JSON.stringify([editor.getJSON(), boundDocument.hunks(), editor.state.selection.toJSON()]);
  const before = state();
  const hunks = boundDocument.hunks();
  said.hunks += hunks.length;
  said.conflicts += hunks.filter(({ conflict }) => conflict).length;
  for (const view of ["final", "original", "marked", "original", "final"]) {
    editor.commands.setReviewView(view);
    if (state() !== before) return { seed, wrong: `the view ${view} changed something`, log };
    if (view === "marked") continue;
    plain.commands.setContent(pendingJSON(editor, view === "final" ? "accepted" : "rejected"));
    const [shown, expected] = [visible(editor.view.dom), visible(plain.view.dom)];
    if (JSON.stringify(shown) !== JSON.stringify(expected)) return { seed, wrong: view, shown, expected, log };
    if (editor.view.dom.querySelector(".copydesk-controls")) return { seed, wrong: `buttons in ${view}`, log };
  }
  // Typing beside the changes keeps what is drawn right.
  log.push(user.act());
  await undefined;
  // An edit of hidden text marks the changes again.
  editor.commands.setReviewView("final");
  plain.commands.setContent(pendingJSON(editor, "accepted"));
  const [shown, expected] = [visible(editor.view.dom), visible(plain.view.dom)];
  if (JSON.stringify(shown) !== JSON.stringify(expected)) return { seed, wrong: "typing in final", shown, expected, log };
  boundDocument.reject("all");
  return null;
}

/** Performs `count` runs, one per seed. Returns the first failure, and how many changes there were. */
export async function views(seed, count) {
  const said = { hunks: 0, conflicts: 0 };
  const editor = editorOf("<p></p>");
  const plain = newEditor({ element: "#other" });
  for (let index = 0; index < count; index++) {
    const wrong = await one(editor, plain, seed + index, said).catch((error) => ({ seed: seed + index, wrong: String(error.stack ?? error) }));
    if (wrong) return { wrong, said };
  }
  plain.destroy();
  return { wrong: null, said };
}
