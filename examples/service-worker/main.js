import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import StarterKit from "@tiptap/starter-kit";
import { init } from "copydesk";
import { streamDocAgentChat } from "copydesk/route";
import { Copydesk } from "copydesk/tiptap";

const ROUTE = "/api/doc-agent-chat";
const form = document.querySelector("form");
const answer = document.querySelector("#answer");

/** The run under way: what a reload needs to go on with it. */
const store = {
  read: () => JSON.parse(sessionStorage.getItem("run") ?? "null"),
  write: (run) => sessionStorage.setItem("run", JSON.stringify(run)),
  remove: () => sessionStorage.removeItem("run"),
};

async function start() {
  await Promise.all([init(), register()]);
  const run = store.read();
  const content = run?.document ?? "<h1>Tea</h1><p>A leaf.</p>";
  const editor = new Editor({ element: document.querySelector("#editor"), extensions: [StarterKit, Image, Copydesk], content });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { message, ...model } = Object.fromEntries(new FormData(form));
    follow(editor, { runId: crypto.randomUUID(), runToken: crypto.randomUUID(), message, documentContent: editor.getHTML(), model });
  });
  if (run) await follow(editor, run);
  document.body.dataset.ready = "";
}

/** The registration of the service worker. The page that registers it waits until it answers. */
async function register() {
  await navigator.serviceWorker.register("./sw.js", { type: "module" });
  if (!navigator.serviceWorker.controller)
    await new Promise((ready) => navigator.serviceWorker.addEventListener("controllerchange", ready, { once: true }));
}

async function follow(editor, run) {
  const { runId, runToken, message, documentContent, model, lastEventId } = run;
  const { baseUrl, modelId, apiKey } = model;
  const llmConfig = { model: { api: "openai-completions", modelId }, streamOptions: { baseUrl, apiKey } };
  const body = { runId, message, documentContent, llmConfig };
  editor.setEditable(false);
  let text = run.text ?? "";
  try {
    for await (const event of streamDocAgentChat(ROUTE, body, { document: editor, lastEventId, runToken })) {
      if (event.type === "turn_start" || event.type === "retry") text = "";
      if (event.type === "content") text += event.content;
      if (event.type === "error") text = event.error;
      answer.textContent = text;
      store.write({ ...run, lastEventId: event.seq, document: editor.getJSON(), text });
      window.dispatchEvent(new CustomEvent("copydesk", { detail: event }));
    }
  } catch (error) {
    answer.textContent = error.message;
  }
  store.remove();
  editor.setEditable(true);
}

start();
