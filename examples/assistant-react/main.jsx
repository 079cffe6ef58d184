import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { indexedDBStorage } from "copydesk/assistant";
import { Copydesk } from "copydesk/tiptap";
import { CopydeskAssistant, CopydeskReviewBar, CopydeskSelectionMenu } from "copydesk/ui/react";
import { createRoot } from "react-dom/client";
import "copydesk/review.css";

const extensions = [StarterKit, Copydesk.configure({ mode: "review" })];
const content = "<h2>Tea</h2><p>Tea is an old drink of the south.</p>";
const apiKey = prompt("Your OpenAI API key (it stays in this page)") ?? "";
const streamOptions = { baseUrl: "https://api.openai.com/v1", apiKey };
const agent = { llmConfig: { model: { api: "openai-completions", modelId: "gpt-4.1-mini" }, streamOptions } };
const storage = indexedDBStorage("my-app");

function App() {
  const editor = useEditor({ extensions, content, editorProps: { attributes: { "aria-label": "Document" } } });
  return [
    <CopydeskReviewBar key="review" editor={editor} />,
    <EditorContent key="page" id="page" editor={editor} />,
    <CopydeskAssistant key="assistant" editor={editor} agent={agent} storage={storage} />,
    <CopydeskSelectionMenu key="selection" editor={editor} />,
  ];
}
createRoot(document.querySelector("#app")).render(<App />);
