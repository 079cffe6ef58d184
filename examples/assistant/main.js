import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { indexedDBStorage } from "copydesk/assistant";
import { Copydesk } from "copydesk/tiptap";
import "copydesk/ui";
import "copydesk/review.css";

const editor = new Editor({
  element: document.querySelector("#page"),
  content: "<h2>Tea</h2><p>Tea is an old drink of the south.</p>",
  extensions: [StarterKit, Copydesk.configure({ mode: "review" })],
  editorProps: { attributes: { "aria-label": "Document" } },
});
const apiKey = prompt("Your OpenAI API key (it stays in this page)") ?? "";
const agent = {
  llmConfig: {
    model: { api: "openai-completions", modelId: "gpt-4.1-mini" },
    streamOptions: { baseUrl: "https://api.openai.com/v1", apiKey },
  },
};
for (const name of ["review-bar", "selection-menu"]) document.querySelector(`copydesk-${name}`).editor = editor;
const storage = indexedDBStorage("my-app");
Object.assign(document.querySelector("copydesk-assistant"), { editor, agent, storage });
