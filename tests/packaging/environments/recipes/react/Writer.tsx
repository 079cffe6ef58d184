"use client";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { Agent, init } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
import { useEffect, useState } from "react";
import { llmConfig } from "./model";

const extensions = [StarterKit, Copydesk];

export function Writer() {
  const editor = useEditor({ extensions, immediatelyRender: false });
  const [agent, setAgent] = useState<Agent>();
  const [answer, setAnswer] = useState("");

  useEffect(() => {
    if (!editor) return;
    let created: Agent | undefined;
    let left = false;
    init().then(() => {
      // The component may be gone; StrictMode mounts it twice.
      if (left || editor.isDestroyed) return;
      created = new Agent({ document: editor, llmConfig });
      created.subscribe((event) => event.type === "content" && setAnswer((text) => text + event.content));
      setAgent(created);
    });
    return () => {
      left = true;
      created?.dispose();
      setAgent(undefined);
    };
  }, [editor]);

  async function write() {
    const result = await agent?.prompt("Write an article about tea");
    if (result?.error) setAnswer(result.error.message);
  }

  return (
    <>
      <EditorContent editor={editor} />
      <button disabled={!agent} onClick={write}>Write</button>
      <p>{answer}</p>
    </>
  );
}
