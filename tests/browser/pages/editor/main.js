// A page with everything that a browser test needs: real TipTap, the package, and a way to make editors.
import { Editor, Node } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import StarterKit from "@tiptap/starter-kit";
import { Agent, CopydeskError, Document, init, loadMarkdown } from "copydesk";
import { full, replay } from "copydesk/full";
import { Copydesk, reviewBar, schemaData } from "copydesk/tiptap";
import { Callout } from "../common/nodes.js";
import "copydesk/review.css";

// By itself it is the page build.
const isFull = new URLSearchParams(location.search).has("full");
await init(undefined, isFull ? full : undefined);

/** An editor of everything, with this content; `extensions` come on top, `top` is a document of another content. */
function edit(content, { extensions = [], image = {}, copydesk = {}, starter: starterOptions = {}, top, ...options } = {}) {
  window.editor?.destroy();
  const ofTop = () => [Node.create({ name: "doc", topNode: true, content: top }), StarterKit.configure({ document: false, trailingNode: false })];
  const starter = top ? ofTop() : [StarterKit.configure(starterOptions)];
  // One that the test has configured stands in for ours.
  const own = extensions.some(({ name }) => name === "copydesk") ? [] : [Copydesk.configure(copydesk)];
  const kit = [...starter, Image.configure(image), TableKit, TaskList, TaskItem.configure({ nested: true }), Callout, ...own];
  const element = document.querySelector("#page");
  window.editor = new Editor({ element, content, extensions: [...kit, ...extensions], ...options });
  window.held = window.editor.storage.copydesk.document;
  return window.editor;
}

/** Loaded by the tests that want it: its plugins take names that others stand in for. */
async function collaboration() {
  const [{ default: Collaboration }, Y] = await Promise.all([import("@tiptap/extension-collaboration"), import("yjs")]);
  return { Collaboration, Y };
}

Object.assign(window, { Agent, Copydesk, CopydeskError, Document, Editor, Node, Plugin, PluginKey, collaboration, edit, loadMarkdown, replay, reviewBar, schemaData });
window.ready = true;
