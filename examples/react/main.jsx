import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { useDocAgent } from "copydesk/react";
import { Copydesk } from "copydesk/tiptap";
import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";

const extensions = [StarterKit, Copydesk];

function Writer() {
  const editor = useEditor({ extensions, content: "<h1>Tea</h1><p>A leaf.</p>" });
  const [model, setModel] = useState({ baseUrl: "https://api.openai.com/v1", modelId: "gpt-4.1-mini", apiKey: "" });
  const { baseUrl, modelId, apiKey } = model;
  const { status, text, approvals, error, prompt, abort, approve } = useDocAgent(editor, {
    llmConfig: { model: { api: "openai-completions", modelId }, streamOptions: { baseUrl, apiKey } },
    needsApproval: ["update_section"],
  });
  const change = ({ target }) => setModel({ ...model, [target.name]: target.value });
  const send = (data) => void prompt(data.get("message"));

  return (
    <>
      <h1>A document agent in React</h1>
      <EditorContent editor={editor} />
      <p>
        <input name="baseUrl" aria-label="Base URL" value={baseUrl} onChange={change} size={40} />
        <input name="modelId" aria-label="Model" value={modelId} onChange={change} />
        <input name="apiKey" aria-label="Key" value={apiKey} onChange={change} type="password" autoComplete="off" />
      </p>
      <form action={send}>
        <input name="message" aria-label="Message" size={60} required />
        <button disabled={status !== "ready"}>Send</button>
        <button type="button" disabled={status === "ready" || status === "loading"} onClick={abort}>
          Stop
        </button>
      </form>
      {approvals.map(({ toolId, toolName }) => (
        <p key={toolId}>
          May the agent use {toolName}? <button onClick={() => approve(toolId, true)}>Yes</button>
          <button onClick={() => approve(toolId, false)}>No</button>
        </p>
      ))}
      <p aria-live="polite">{error?.message ?? text}</p>
    </>
  );
}

createRoot(document.querySelector("main")).render(
  <StrictMode>
    <Writer />
  </StrictMode>,
);
