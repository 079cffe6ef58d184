// Exports and Markdown files in a page. What the print dialog would show is kept in `printed`.
import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { readMarkdown, writeMarkdown } from "copydesk/markdown";
import * as exports from "copydesk/export";

const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow");
window.printed = [];
Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
  get() {
    const view = get.call(this);
    view.print = () => {
      const images = [...view.document.images].map(({ complete, naturalWidth }) => complete && naturalWidth);
      printed.push({ title: view.document.title, text: view.document.body.innerText, images, frames: document.querySelectorAll("iframe").length });
      view.dispatchEvent(new Event("afterprint"));
    };
    return view;
  },
});

window.files = exports;

/** Exports with one of the functions; a file becomes its length. */
window.make = async (name, ...given) => {
  const made = await exports[name](...given);
  return made?.bytes ? { ...made, bytes: made.bytes.length } : made;
};

const editor = new Editor({
  element: document.body.appendChild(document.createElement("div")),
  extensions: [StarterKit, Image, TableKit, TaskList, TaskItem.configure({ nested: true })],
});

/** Opens a source in the editor, types a text at the start of its last paragraph, and saves it. */
window.edited = (source, typed) => {
  const file = readMarkdown(source, editor.schema);
  editor.commands.setContent(file.json);
  let last;
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === "paragraph" && node.content.size > 0) last = offset + 1;
  });
  if (typed && last) editor.view.dispatch(editor.state.tr.insertText(typed, last));
  const { text, lost } = writeMarkdown(file, editor.getJSON(), { locale: "en" });
  return { text, lost: lost.map(({ message }) => message), hasTyped: last !== undefined };
};
window.ready = true;
