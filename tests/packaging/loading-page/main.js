import { Agent, init, loadRest, Document } from "copydesk";

const A = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] };

/** Loads copydesk and takes a document through it; returns code and message of what went wrong. */
window.load = async (source) => {
  try {
    await init(source);
    return Document.fromJSON(A).toHTML();
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};

/** The same with the page build inlined in JavaScript. */
window.loadInlined = async () => {
  const { page } = await import("copydesk/inline");
  await init(undefined, page);
  return Document.fromJSON(A).toHTML();
};

/** The same with the first part of the build in two. */
window.loadFirst = async (source) => {
  const { page } = await import("copydesk/parts");
  await init(source, page);
  return Document.fromJSON(A).toHTML();
};

/** The later part, and an agent, which needs it. */
window.loadRest = async (source) => {
  try {
    await loadRest(source);
    const document = Document.fromJSON(A);
    new Agent({ document, llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://example.com" } } });
    return "agent";
  } catch (error) {
    return { code: error.code, message: error.message };
  }
};

/** The same with the full build, chosen by the page. */
window.loadFull = async () => {
  const { full } = await import("copydesk/full");
  await init(undefined, full);
  return Document.fromHTML("<p>a</p>").toHTML();
};

/** The same in a worker, which chooses by itself. */
window.loadInWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
