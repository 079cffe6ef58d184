// What an app imports for a review, with nothing of its own about colors.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { init } from "copydesk";
import { Copydesk, reviewBar } from "copydesk/tiptap";
import "copydesk/actions.css";
import "copydesk/review.css";

await init();
const editor = new Editor({
  element: document.getElementById("editor"),
  extensions: [StarterKit, Copydesk.configure({ mode: "review" })],
  content: "<p>Tea is an old drink.</p>",
});
reviewBar(editor, document.body);
editor.storage.copydesk.document.apply({ operation: "replace", sectionIndex: 0, content: "<p>Tea is a very old drink.</p>" });
window.ready = true;
