// What the examples have in common: a document, a workspace, and an agent whose model is a script of this page.
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { init } from "copydesk";
import { createAssistant } from "copydesk/assistant";
import { Authorship } from "copydesk/authorship";
import { Comments } from "copydesk/comments";
import { FindMarks } from "copydesk/find";
import { Copydesk } from "copydesk/tiptap";
import { memoryWorkspace } from "copydesk/workspace";
import "copydesk/review.css";
import "copydesk/ui";

/** Returns an editor with a document about tea, which is shown in an element. */
export const newEditor = (element) => new Editor({
  element,
  content: "<h2>History</h2><p>Tea is an old drink of the south.</p><h2>Kinds</h2><p>Green and black.</p>",
  extensions: [
    StarterKit,
    Copydesk.configure({ mode: "review" }),
    Comments.configure({ user: { name: "Ada" } }),
    Authorship.configure({ user: { name: "Ada" } }),
    FindMarks,
  ],
  editorProps: { attributes: { "aria-label": "Document" } },
});

/** The editor that most elements are for. */
export const editor = newEditor(document.querySelector("#page"));

/** Answers as a model does: with a call first, then with a text. */
async function script(_url, { body }) {
  const { messages } = JSON.parse(body);
  const arguments_ = JSON.stringify({ old: "an old drink", new: "a very old drink" });
  const call = { index: 0, id: `call-${messages.length}`, type: "function", function: { name: "replace_text", arguments: arguments_ } };
  const isFirst = messages.at(-1).role !== "tool";
  const delta = isFirst ? { tool_calls: [call] } : { content: "I made it **older**." };
  const chunks = [{ delta, finish_reason: null }, { delta: {}, finish_reason: isFirst ? "tool_calls" : "stop" }];
  const text = chunks.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`).join("");
  return new Response(`${text}data: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
}

/** The options of an agent; yours have a model: see docs/agent.md. */
export const agent = {
  fetch: script,
  llmConfig: {
    model: { api: "openai-completions", modelId: "script" },
    streamOptions: { baseUrl: "https://model.example/v1" },
  },
};

/** One assistant, which the parts of it show together. */
export const assistant = createAssistant({ editor, agent });

await init();
export const book = memoryWorkspace({ "chapters/ch001.md": "# One\n\nOn Day 1 she found a tin whistle.\n" });
