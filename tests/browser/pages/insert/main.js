// A page with an editor that takes what is pasted and dropped.
import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import * as inserting from "copydesk/insert";
import { readTextFile } from "copydesk/markdown";

const element = document.body.appendChild(document.createElement("div"));
const { PasteAndDrop } = inserting;
window.inserting = inserting;
window.readTextFile = readTextFile;

/** Creates an editor in place of the one before. */
window.edit = (content, { options = {}, image = Image, ...more } = {}) => {
  window.editor?.destroy();
  window.editor = new Editor({ element, content, extensions: [StarterKit, ...(image ? [image] : []), PasteAndDrop.configure(options)], ...more });
};
window.inlineImage = Image.configure({ inline: true });
window.anyImage = Image.configure({ allowBase64: true });

/** A file of these bytes, or of this text. */
window.file = (name, type, content = name) => new File([Array.isArray(content) ? Uint8Array.from(content) : content], name, { type });

/** Pastes or drops on the document, or on another element. Returns true if the browser would do nothing else. */
window.give = (type, { files = [], texts = {} }, target = document.querySelector(".tiptap")) => {
  const transfer = new DataTransfer();
  for (const one of files) transfer.items.add(one);
  for (const [mime, text] of Object.entries(texts)) transfer.setData(mime, text);
  const box = target.getBoundingClientRect();
  const init = { bubbles: true, cancelable: true, clientX: box.left + 5, clientY: box.top + 5 };
  const event = type === "paste" ? new ClipboardEvent(type, { ...init, clipboardData: transfer }) : new DragEvent(type, { ...init, dataTransfer: transfer });
  return !target.dispatchEvent(event);
};

/** Returns the result of a call, or what is known of its failure. */
window.outcome = async (work) => {
  try {
    return await work();
  } catch (error) {
    const { name, code, message, texts } = error;
    return { name, code, message, texts };
  }
};
window.ready = true;
