import { HocuspocusProvider } from "@hocuspocus/provider";
import { Editor, Extension } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import StarterKit from "@tiptap/starter-kit";
import { yCursorPlugin } from "@tiptap/y-tiptap";
import { Agent, init } from "copydesk";
import { Comments, withComments } from "copydesk/comments";
import "copydesk/review.css";
import { sharedComments, showAgent, Suggestions } from "copydesk/suggestions";
import { Copydesk, reviewBar } from "copydesk/tiptap";
import "copydesk/ui/comments";

const given = new URLSearchParams(location.search);
const name = given.get("name") ?? "Guest";
const user = { id: name.toLowerCase(), name, color: name === "Ada" ? "#2b5bd7" : "#8a5a00" };
/** The name of the room can be in the address, and the model's URL. */
const room = given.get("room") ?? "tea";
const baseUrl = given.get("model") ?? "https://api.openai.com/v1";

const provider = new HocuspocusProvider({ url: `ws://${location.host}`, name: room });
const { document: shared, awareness } = provider;
provider.setAwarenessField("user", user);
awareness.on("change", () => {
  const names = [...awareness.getStates().values()].map(({ user, agent }) => user && user.name + (agent ? `: ${agent.activity}` : ""));
  document.querySelector("#present").textContent = names.filter(Boolean).join(", ");
});

await Promise.all([init(), new Promise((synced) => provider.on("synced", synced))]);
const editor = new Editor({
  element: document.querySelector("#editor"),
  extensions: [
    StarterKit.configure({ undoRedo: false }),
    Collaboration.configure({ document: shared }),
    // @tiptap/extension-collaboration-caret does the same.
    Extension.create({ name: "carets", addProseMirrorPlugins: () => [yCursorPlugin(awareness)] }),
    Copydesk.configure({ mode: "review" }),
    Suggestions.configure({ document: shared, user }),
    Comments.configure({ shared: sharedComments({ document: shared }), user }),
  ],
});
if (editor.isEmpty) editor.commands.setContent("<h1>Tea</h1><p>Tea is old.</p>");
reviewBar(editor, document.querySelector("#bar"));
document.querySelector("copydesk-comments").editor = editor;

const answer = document.querySelector("#answer");
let agent;
document.querySelector("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { message } = Object.fromEntries(new FormData(event.target));
  if (!agent) {
    // Every user of the page can read a key in it: this one is the user's own.
    const apiKey = prompt("Your key of the model's server");
    const llmConfig = { model: { api: "openai-completions", modelId: "gpt-4.1-mini" }, streamOptions: { baseUrl, apiKey } };
    agent = new Agent({ document: editor, llmConfig, ...withComments({ document: editor }) });
    showAgent({ agent, awareness, editor, document: shared, user: { name: `Assistant of ${name}`, color: user.color } });
  }
  const { text, error } = await agent.prompt(message);
  answer.textContent = error?.message ?? text;
});
document.body.dataset.ready = "";
