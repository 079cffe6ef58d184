"use client";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { init } from "copydesk";
import { streamDocAgentChat } from "copydesk/route";
import { Copydesk } from "copydesk/tiptap";
import { useRef, useState } from "react";

const extensions = [StarterKit, Copydesk];

export function Writer() {
  const editor = useEditor({ extensions, content: "<h1>Tea</h1><p>A leaf.</p>", immediatelyRender: false });
  const [answer, setAnswer] = useState("");
  const [isRunning, setRunning] = useState(false);
  /** The conversation so far, as the route takes it. */
  const history = useRef([]);

  async function send(data) {
    const message = data.get("message");
    setRunning(true);
    editor.setEditable(false);
    let text = "";
    try {
      await init();
      const body = { message, history: history.current, runId: crypto.randomUUID() };
      for await (const event of streamDocAgentChat("/api/doc-agent-chat", body, { document: editor })) {
        if (event.type === "turn_start" || event.type === "retry") text = "";
        if (event.type === "content") text += event.content;
        if (event.type === "error") text = event.error;
        setAnswer(text);
      }
      history.current.push({ role: "user", content: message }, { role: "assistant", content: text });
    } catch (error) {
      setAnswer(error.message);
    }
    editor.setEditable(true);
    setRunning(false);
  }

  return (
    <main>
      <h1>A document agent in Next.js</h1>
      <EditorContent editor={editor} />
      <form onSubmit={(event) => (event.preventDefault(), send(new FormData(event.currentTarget)))}>
        <input name="message" aria-label="Message" size={60} required />
        <button disabled={!editor || isRunning}>Send</button>
      </form>
      <p aria-live="polite">{answer}</p>
    </main>
  );
}
