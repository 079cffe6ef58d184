// A page for most browser tests: real TipTap, the package, and a function that creates editors.
import { Editor, Node } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import StarterKit from "@tiptap/starter-kit";
import { Agent, CopydeskError, Document, init, loadMarkdown } from "copydesk";
import { full, replay } from "copydesk/full";
import { GhostText } from "copydesk/ghost-text";
import { AgentActions, agentActions, askOf, changeTone, Copydesk, reviewBar, reviewViewOf, schemaData, slashBlocks, translateTo } from "copydesk/tiptap";
import { Callout } from "../common/nodes.js";
import "copydesk/actions.css";
import "copydesk/review.css";

// By itself it is the page build.
const parameters = new URLSearchParams(location.search);
const load = () => init(undefined, parameters.has("full") ? full : undefined);
// With `?early` the test loads the wasm.
const isEarly = parameters.has("early");
if (!isEarly) await load();

/** Creates an editor with all extensions and this content; `extensions` are added, `top` replaces the document node. */
function edit(content, { extensions = [], image = {}, copydesk = {}, starter: starterOptions = {}, top, ...options } = {}) {
  window.editor?.destroy();
  const ofTop = () => [Node.create({ name: "doc", topNode: true, content: top }), StarterKit.configure({ document: false, trailingNode: false })];
  const starter = top ? ofTop() : [StarterKit.configure(starterOptions)];
  // An instance configured by the test replaces the default one.
  const own = extensions.some(({ name }) => name === "copydesk") ? [] : [Copydesk.configure(copydesk)];
  const kit = [...starter, Image.configure(image), TableKit, TaskList, TaskItem.configure({ nested: true }), Callout, ...own];
  const element = document.querySelector("#page");
  window.editor = new Editor({ element, content, extensions: [...kit, ...extensions], ...options });
  if (!isEarly) window.boundDocument = window.editor.storage.copydesk.document;
  return window.editor;
}

/** Loaded on demand: its plugins use names that others also use. */
async function collaboration() {
  const [{ default: Collaboration }, Y] = await Promise.all([import("@tiptap/extension-collaboration"), import("yjs")]);
  return { Collaboration, Y };
}

Object.assign(window, { Agent, AgentActions, agentActions, askOf, changeTone, translateTo, Copydesk, CopydeskError, Document, Editor, GhostText, Node, Plugin, PluginKey, collaboration, edit, load, loadMarkdown, replay, reviewBar, reviewViewOf, schemaData, slashBlocks });
window.ready = true;
