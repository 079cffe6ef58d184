// Editors whose tools agents outside of the page call, through the browser's own WebMCP.
import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { Agent, CopydeskError, Document, init, loadMarkdown } from "copydesk";
import { Copydesk } from "copydesk/tiptap";
import { exposeTools } from "copydesk/webmcp";
import { compare } from "./compare.js";

await init();

const LLM = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://model.invalid" } };

/** Creates an editor; the options are those of the extension. */
function edit(content, options = {}) {
  const element = document.querySelector("#page").appendChild(document.createElement("div"));
  // Each input of the user is an undo step of its own. With 0, two in one millisecond would be one.
  const starter = StarterKit.configure({ undoRedo: { newGroupDelay: -1 } });
  return new Editor({ element, content, extensions: [starter, Image, TableKit, Copydesk.configure(options)] });
}

/** Returns the registered tools of this page by name. */
async function toolsOf(context = document.modelContext) {
  return Object.fromEntries((await context.getTools()).map((tool) => [tool.name, tool]));
}

/** Calls a tool as an agent outside of the page does. Resolves to the text of the result. */
async function outside(name, input = {}, options = {}) {
  return document.modelContext.executeTool((await toolsOf())[name], input, options);
}

const stream = (delta, reason) => {
  const chunk = JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] });
  return new Response(`data: ${chunk}\n\ndata: [DONE]\n\n`, { headers: { "content-type": "text/event-stream" } });
};

/** Creates the agent of an editor, whose model makes the calls that `run` gets. `run` resolves to the texts of the
 * results as the model reads them; `requests` are the bodies of all requests. */
function agentOf(editor, options = {}) {
  const requests = [];
  let [calls, made] = [[], 0];
  const fetch = async (_, { body }) => {
    requests.push(JSON.parse(body));
    const [given] = [calls];
    calls = [];
    if (!given.length) return stream({ content: "Done." }, "stop");
    return stream({ tool_calls: given.map((call, index) => ({ index, type: "function", ...call })) }, "tool_calls");
  };
  const settings = { systemPrompt: "", documentInPrompt: false, maxRepeats: 1e6, llmConfig: LLM };
  const agent = new Agent({ document: editor, ...settings, fetch, ...options });
  const run = async (given) => {
    calls = given.map(({ name, args }) => ({ id: `own_${made++}`, function: { name, arguments: JSON.stringify(args) } }));
    const ids = calls.map(({ id }) => id);
    const { status, error } = await agent.prompt("Go on");
    if (status !== "complete") throw new Error(`the run is ${status}: ${error?.message}`);
    return ids.map((id) => requests.at(-1).messages.find((message) => message.tool_call_id === id).content);
  };
  return { agent, run, requests };
}

Object.assign(window, { CopydeskError, Document, agentOf, compare, edit, exposeTools, loadMarkdown, outside, toolsOf });
window.ready = true;
