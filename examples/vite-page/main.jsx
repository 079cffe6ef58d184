import { useChat } from "@ai-sdk/react";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { DefaultChatTransport, isToolUIPart, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { init, loadMarkdown } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
import { StrictMode, useMemo } from "react";
import { createRoot } from "react-dom/client";

const extensions = [StarterKit, Copydesk];

function Writer() {
  const editor = useEditor({ extensions, content: "<h1>Tea</h1><p>A leaf.</p>" });
  return (
    <>
      <h1>A document agent with useChat</h1>
      <EditorContent editor={editor} />
      {editor && <Chat key={editor.instanceId} editor={editor} />}
    </>
  );
}

function Chat({ editor }) {
  const transport = useMemo(
    () => new DefaultChatTransport({ api: "/api/doc-agent-chat", body: () => ({ documentContent: editor.getHTML() }) }),
    [editor],
  );
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onData({ type, data }) {
      if (type === "data-doc-update" && !data.pending) editor.storage.copydesk.document.apply(data);
    },
  });
  const answer = (id, approved) => addToolApprovalResponse({ id, approved });
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <div key={id} className={role}>
          {parts.map((part, at) => {
            if (part.type === "text") return <p key={at}>{part.text}</p>;
            if (!isToolUIPart(part)) return null;
            return (
              <p key={at}>
                {part.type}: {part.state}{" "}
                {part.state === "approval-requested" && (
                  <>
                    <button onClick={() => answer(part.approval.id, true)}>Yes</button>
                    <button onClick={() => answer(part.approval.id, false)}>No</button>
                  </>
                )}
              </p>
            );
          })}
        </div>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form action={(data) => void sendMessage({ text: data.get("message") })}>
        <input name="message" aria-label="Message" size={60} required />
        <button disabled={status !== "ready" && status !== "error"}>Send</button>
      </form>
    </>
  );
}

// Updates are applied as they arrive, so the wasm is loaded first, and the parser for updates in Markdown.
await Promise.all([init(), loadMarkdown()]);
createRoot(document.querySelector("main")).render(
  <StrictMode>
    <Writer />
  </StrictMode>,
);
