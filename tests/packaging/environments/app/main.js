import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { Agent, init } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
import { runAgent } from "./agent.js";

async function start() {
  await init();
  const element = document.querySelector("#page");
  const editor = new Editor({ element, extensions: [StarterKit, Copydesk], content: "<h2>A</h2><p>Old.</p>" });
  const agent = await runAgent(Agent, editor);
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const inWorker = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve(`failed: ${message}`);
  });
  return { agent, editor: editor.getHTML(), inWorker };
}

start().then(
  (outcome) => (globalThis.outcome = outcome),
  (error) => (globalThis.outcome = { error: String(error) }),
);
