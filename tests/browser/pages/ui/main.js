// A page with the elements of copydesk/ui beside a real editor.
import { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import { createAssistant, indexedDBStorage, llmConfigOf, memoryStorage, presets, settingsOf, StorageError } from "copydesk/assistant";
import { Authorship } from "copydesk/authorship";
import { Comments, withComments } from "copydesk/comments";
import { Find, FindMarks } from "copydesk/find";
import { openRoom, roomExtensions, setRoomUser } from "copydesk/room";
import { Copydesk } from "copydesk/tiptap";
import { Agent, init, loadRest } from "copydesk";
import { pdf } from "copydesk/pdf";
import { memoryWorkspace } from "copydesk/workspace";
import { LocalizedError, words } from "copydesk/ui";
import { renderAnswer } from "copydesk/ui/answer";
import "copydesk/review.css";

const parameters = new URLSearchParams(location.search);
const HTML = "<h2>History</h2><p>Tea is an old drink of the south.</p><h2>Kinds</h2><p>Green and black.</p>";

window.renderAnswer = renderAnswer;

/** Creates an editor; `mode` and `pending` are those of the extension, and `extensions` are further ones. */
window.edit = (content = HTML, { mode = "review", pending, element = document.querySelector("#page"), extensions = [] } = {}) =>
  new Editor({ element, content, extensions: [StarterKit, Copydesk.configure({ mode, ...(pending && { pending }) }), Comments.configure({ user: { name: "Ada" } }), ...extensions], editorProps: { attributes: { "aria-label": "Document" } } });

/** The options of an agent that asks the model of the page's URL. */
window.agentOptions = (more = {}) => ({
  llmConfig: { model: { api: "openai-completions", modelId: "m", cost: { input: 2, output: 8 } }, streamOptions: { baseUrl: parameters.get("model") } },
  maxRetries: 1,
  ...more,
});

/** Starts the page as an app does. */
window.start = ({ content, mode, storage, agent, ...properties } = {}) => {
  window.editor = edit(content, { mode });
  const element = document.querySelector("copydesk-assistant");
  const kept = storage === "indexeddb" ? indexedDBStorage("ui-test") : storage;
  Object.assign(element, { editor, agent: agentOptions(agent), storage: kept, ...properties });
  document.querySelector("copydesk-review-bar").editor = editor;
  document.querySelector("copydesk-selection-menu").editor = editor;
  window.element = element;
};

/** Text of two agents, as it is stored with a document. */
const STORED = {
  records: {
    a1: { v: 1, agent: { kind: "agent", name: "<b>Robot</b>", model: "m-1", color: "#7a5cff" }, provider: "Acme", time: 5, sources: ["https://a.example/tea", "javascript:alert(1)"] },
    a2: { v: 1, agent: { kind: "agent", name: "", color: "red; background: url(https://outside.example/)" }, time: 6, sources: [] },
  },
  ranges: [{ from: 10, to: 13, id: "a1" }, { from: 20, to: 23, id: "a2" }],
};
/** Shows an editor with text of agents, and its authors. */
window.showAuthorship = () => {
  window.authored = edit(HTML, { extensions: [Authorship.configure({ stored: STORED, user: { name: "Ada" } })] });
  return showPanel("authorship", { editor: authored });
};

/** Shows an editor with find and replace, opened. */
window.showFind = async (options) => {
  await init();
  const searched = edit(HTML, { extensions: [FindMarks] });
  window.searched = searched;
  await showPanel("find", { find: new Find(searched) });
  await panel.show(options);
};

/** Shows a room with this participant, and another one of the same browser. */
window.showRoom = async (name = "tea", other = { name: "Bo", color: "#a3509a" }) => {
  await init();
  const [room, second] = [await openRoom({ name, keep: false }), await openRoom({ name, keep: false })];
  const element = document.querySelector("#page");
  const extensions = [StarterKit.configure({ undoRedo: false }), Collaboration.configure({ document: room.document }), Copydesk.configure({ mode: "review" }), ...roomExtensions(room, { user: { name: "Ada", color: "#3f6fd8" } })];
  const editor = new Editor({ element, extensions, editorProps: { attributes: { "aria-label": "Document" } } });
  second.awareness.setLocalStateField("user", other);
  window.inRoom = { room, second, editor };
  return showPanel("room", { room, editor });
};

/** Shows a panel, in place of the assistant. */
window.showPanel = (name, properties) => {
  window.panel = Object.assign(document.createElement(`copydesk-${name}`), properties);
  document.querySelector("aside").replaceChildren(panel);
  return panel.updateComplete;
};

/** A story with faults: a date that cannot be, days that were left out, and a setup without a use. */
const STORY = {
  "chapters/ch001.md": "# One\n\nOn Day 1 she found the tin whistle. [SETUP:tin-whistle]\n\nA Tin whistle, twice.\n",
  "chapters/ch002.md": "# Two\n\nOn Day 7 the lamp was out. [TIME:1998-09-31]\n",
  "notes/plan.md": "Find a tin whistle.\n",
};

/** Creates a workspace in memory, in a language. */
window.createWorkspace = async (files = STORY, options = { locale: "en" }) => {
  await init();
  return memoryWorkspace(files, options);
};

// With `?parts` the page has the first part of the build in two, before any element loads another.
if (parameters.has("parts")) await init(undefined, (await import("copydesk/parts")).page);
Object.assign(window, { Agent, loadRest, openRoom, setRoomUser, Image, withComments, LocalizedError, pdf, llmConfigOf, presets, settingsOf, createAssistant, memoryStorage, indexedDBStorage, StorageError, words });
if (!parameters.has("bare")) start({ storage: parameters.has("kept") ? "indexeddb" : undefined });
window.ready = true;
