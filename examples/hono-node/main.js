import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import { init } from "copydesk";
import { streamDocAgentChat } from "copydesk/route";
import { Copydesk } from "copydesk/tiptap";

const form = document.querySelector("form");
const answer = document.querySelector("#answer");
/** The conversation so far, as the route takes it. */
const history = [];

init().then(() => {
  const editor = new Editor({
    element: document.querySelector("#editor"),
    extensions: [StarterKit, Image, Copydesk],
    content: "<h1>Tea</h1><p>A leaf.</p>",
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { message } = Object.fromEntries(new FormData(form));
    editor.setEditable(false);
    let text = "";
    try {
      const body = { message, history, runId: crypto.randomUUID() };
      for await (const event of streamDocAgentChat("/api/doc-agent-chat", body, { document: editor })) {
        if (event.type === "turn_start" || event.type === "retry") text = "";
        if (event.type === "content") text += event.content;
        if (event.type === "error") text = event.error;
        answer.textContent = text;
      }
      history.push({ role: "user", content: message }, { role: "assistant", content: text });
    } catch (error) {
      answer.textContent = error.message;
    }
    editor.setEditable(true);
  });
  document.body.dataset.ready = "";
});
