// Editors with all kinds of nodes and marks, and a scripted model.
import { Editor, Extension, Mark } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { DecorationSet } from "@tiptap/pm/view";
import StarterKit from "@tiptap/starter-kit";
import { Copydesk } from "copydesk/tiptap";
import { Callout, MathBlock, Mention } from "../common/nodes.js";

/** Several of these marks may cover one text, and none extends when somebody types beside it. */
const Comment = Mark.create({
  name: "comment",
  excludes: "",
  inclusive: false,
  addAttributes: () => ({ id: {} }),
  parseHTML: () => [{ tag: "span[data-comment]" }],
  renderHTML: ({ mark }) => ["span", { "data-comment": mark.attrs.id }, 0],
});

const Highlight = Mark.create({
  name: "highlight",
  addAttributes: () => ({ color: { default: null } }),
  parseHTML: () => [{ tag: "mark" }],
  renderHTML: ({ mark }) => ["mark", { "data-color": mark.attrs.color }, 0],
});

/** Attributes of blocks: one that HTML carries, and one that it does not. */
const Attributes = Extension.create({
  name: "attributes",
  addGlobalAttributes: () => [
    {
      types: ["paragraph", "heading"],
      attributes: {
        textAlign: { default: null, parseHTML: (dom) => dom.style.textAlign || null, renderHTML: ({ textAlign }) => (textAlign ? { style: `text-align: ${textAlign}` } : {}) },
        rank: { default: null, rendered: false },
      },
    },
  ],
});

/** The key of the decorations of these tests; the extension has some of its own. */
export const decorations = new PluginKey("decorated");

/** Draws the decorations in its metadata, and maps them from then on. */
const Decorated = Extension.create({
  name: "decorated",
  addProseMirrorPlugins: () => [
    new Plugin({
      key: decorations,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, set) => (tr.getMeta("decorate") ? DecorationSet.create(tr.doc, tr.getMeta("decorate")) : set.map(tr.mapping, tr.doc)),
      },
      props: {
        decorations(state) {
          return this.getState(state);
        },
      },
    }),
  ],
});

/** Creates an editor with all extensions. */
export function newEditor({ inlineImages = false, element = "#page", extensions = [], starter = {}, ...options } = {}) {
  // A paragraph that is added automatically at the end would be a change that no edit made.
  const kit = [StarterKit.configure({ trailingNode: false, link: { autolink: false }, ...starter }), Image.configure({ inline: inlineImages }), TableKit, TaskList, TaskItem.configure({ nested: true })];
  const own = [Callout, Mention, MathBlock, Comment, Highlight, Attributes, Decorated, Copydesk];
  return new Editor({ element: document.querySelector(element), extensions: [...kit, ...own, ...extensions], ...options });
}

/** The one editor of the page, with this content. */
export function editorOf(content, options) {
  window.editor?.destroy();
  return (window.editor = newEditor({ content, ...options }));
}

/** Returns an answer of the model: tool calls, `[name, arguments]` each, or the end. */
export function answer(calls) {
  const tool_calls = calls.map(([name, given], index) => ({ index, id: `c${index}-${Math.random()}`, function: { name, arguments: JSON.stringify(given) } }));
  const delta = calls.length ? { tool_calls } : { content: "Done." };
  const chunk = { choices: [{ delta, finish_reason: calls.length ? "tool_calls" : "stop" }] };
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

export const CONFIG = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };
