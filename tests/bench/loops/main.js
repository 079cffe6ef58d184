// An agent loop on a recorded stream: copydesk's, the AI SDK's and pi's, each set up as its documentation says.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent as PiAgent } from "@earendil-works/pi-agent-core";
import { Type } from "@earendil-works/pi-ai";
import { streamSimpleOpenAICompletions } from "@earendil-works/pi-ai/openai-completions";
import { ToolLoopAgent, tool } from "ai";
import { Agent, Document, init } from "copydesk";
import { full } from "copydesk/full";
import { z } from "zod";
import { answer, chunked, toolCall } from "../stream.mjs";

await init(undefined, full);

const PROMPT = "Write about tea.";
const SYSTEM = "You write articles.";
const TOOL = "update_section";
const DESCRIPTION = "Replaces a section.";
const CALL = { operation: "replace", sectionIndex: 0, title: "Tea", content: `<p>${answer(1000, 2).text.replace(/\n+/g, "</p><p>").replace(/"/g, "")}</p>` };
/** The tool result of the other two; copydesk edits its document. */
const RESULT = JSON.stringify({ success: true, message: "Section 0 'Tea' updated", sections: [{ index: 0, title: "Tea" }] });

/**
 * Each runs one prompt to its end with `fetch` at `baseUrl`, and returns the text that its listener received and the
 * contents of the calls that were run.
 */
const LOOPS = {
  /** Only reads the chunks: the upper bound of the speed. */
  async alone(fetch) {
    const reader = (await fetch()).body.getReader();
    while (!(await reader.read()).done);
    return {};
  },
  async copydesk(fetch, baseUrl) {
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl, apiKey: "k" } };
    const document = Document.fromHTML("<h1>Tea</h1><p>About tea.</p>");
    const agent = new Agent({ document, llmConfig, fetch, systemPrompt: SYSTEM });
    let text = "";
    let edits = 0;
    agent.subscribe((event) => {
      if (event.type === "content") text += event.content;
      if (event.type === "doc_update") edits++;
    });
    const { status, error } = await agent.prompt(PROMPT);
    if (status !== "complete") throw new Error(`copydesk: ${JSON.stringify(error)}`);
    // The content is in the document, after its title.
    return { text, contents: edits ? [document.toHTML().replace("<h1>Tea</h1>", "")] : [] };
  },
  async ai(fetch, baseURL) {
    const model = createOpenAICompatible({ name: "bench", baseURL, apiKey: "k", fetch, includeUsage: true })("m");
    const inputSchema = z.object({ operation: z.string(), sectionIndex: z.number(), title: z.string(), content: z.string() });
    const contents = [];
    const execute = async ({ content }) => {
      contents.push(content);
      return RESULT;
    };
    const agent = new ToolLoopAgent({ model, instructions: SYSTEM, tools: { [TOOL]: tool({ description: DESCRIPTION, inputSchema, execute }) } });
    const { fullStream } = await agent.stream({ prompt: PROMPT });
    let text = "";
    for await (const part of fullStream) {
      if (part.type === "text-delta") text += part.text;
      if (part.type === "error") throw part.error;
    }
    return { text, contents };
  },
  async pi(fetch, baseUrl) {
    const model = {
      id: "m", name: "m", api: "openai-completions", provider: "bench", baseUrl, reasoning: false, input: ["text"],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: 128000, maxTokens: 16000,
    };
    const parameters = Type.Object({ operation: Type.String(), sectionIndex: Type.Number(), title: Type.String(), content: Type.String() });
    const contents = [];
    const execute = async (_id, { content }) => {
      contents.push(content);
      return { content: [{ type: "text", text: RESULT }], details: {} };
    };
    const tools = [{ name: TOOL, label: TOOL, description: DESCRIPTION, parameters, execute }];
    const agent = new PiAgent({ initialState: { systemPrompt: SYSTEM, model, tools }, getApiKey: () => "k", streamFn: streamSimpleOpenAICompletions });
    let text = "";
    agent.subscribe((event) => {
      if (event.type !== "message_update") return;
      const { type, delta } = event.assistantMessageEvent;
      if (type === "text_delta") text += delta;
    });
    // It has no option for fetch; OpenAI's client takes the global one when it is created.
    const real = globalThis.fetch;
    globalThis.fetch = fetch;
    try {
      await agent.prompt(PROMPT);
    } finally {
      globalThis.fetch = real;
    }
    if (agent.state.errorMessage) throw new Error(`pi: ${agent.state.errorMessage}`);
    return { text, contents };
  },
};

const pause = () => new Promise((done) => setTimeout(done, 20));
/** Starts a new task without the 4 ms of timers. */
const { port1, port2 } = new MessageChannel();
const tasks = [];
port1.onmessage = () => tasks.shift()();
const task = () => new Promise((done) => {
  tasks.push(done);
  port2.postMessage(null);
});

/** Returns a response whose chunks are available at once or, with `inTasks`, each in a task of its own. */
function response(chunks, inTasks) {
  let at = 0;
  const body = new ReadableStream({
    async pull(out) {
      if (inTasks) await task();
      if (at < chunks.length) out.enqueue(chunks[at++]);
      else out.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Replaces `fetch`: answers the requests in order. */
function answering(answers, inTasks = false) {
  let asked = 0;
  return async () => response(answers[asked++], inTasks);
}

/** Throws unless a loop received the text and ran the calls. */
function check(name, { text, contents }, expected) {
  if (text !== expected.text) throw new Error(`${name} received another text: ${text.length} of ${expected.text.length}`);
  // A document drops white space that HTML does not show.
  const written = (list) => list.map((html) => Document.fromHTML(html).toHTML()).join("\n");
  if (written(contents) !== written(expected.contents)) throw new Error(`${name} ran ${contents.length} calls, or with other contents`);
}

async function timed(name, answers, expected) {
  await pause();
  const start = performance.now();
  const received = await LOOPS[name](answering(answers), "http://localhost/v1");
  const took = performance.now() - start;
  if (name !== "alone") check(name, received, expected);
  return took;
}

async function interleaved(runs, answers, expected) {
  const times = Object.fromEntries(Object.keys(LOOPS).map((name) => [name, []]));
  for (let run = -1; run < runs; run++) {
    for (const name of Object.keys(LOOPS)) {
      const took = await timed(name, answers, expected);
      // The first round warms up the compilers.
      if (run >= 0) times[name].push(took);
    }
  }
  return times;
}

/** An answer of text only. */
async function textStream(runs, deltas, perChunk) {
  const { text, events } = answer(deltas);
  return { times: await interleaved(runs, [chunked(events, perChunk)], { text, contents: [] }), deltas };
}

/** A tool call with long arguments, then an answer. */
async function wholeRun(runs, perChunk) {
  const call = toolCall(TOOL, CALL);
  const { text, events } = answer(500);
  const answers = [chunked(call.events, perChunk), chunked(events, perChunk)];
  return { times: await interleaved(runs, answers, { text, contents: [CALL.content] }), deltas: call.deltas + 500 };
}

/**
 * Returns the tasks over 50 ms that one loop causes during a long answer, in milliseconds. `perChunk` events arrive in each
 * task; without it everything comes from the network as fast as possible.
 */
async function longTasks(name, deltas, perChunk) {
  const { text, events } = answer(deltas);
  const chunks = perChunk ? chunked(events, perChunk) : [];
  const found = [];
  const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
  observer.observe({ type: "longtask" });
  // One-time work, such as compiling, does not belong to the stream.
  await LOOPS[name](answering([chunked(answer(50).events, 1)], true), "http://localhost/v1");
  await new Promise((done) => setTimeout(done, 200));
  const start = performance.now();
  const received = perChunk ? await LOOPS[name](answering([chunks], true), "http://localhost/v1") : await LOOPS[name](fetch.bind(globalThis), `${location.origin}/${deltas}/v1`);
  const took = performance.now() - start;
  check(name, received, { text, contents: [] });
  await new Promise((done) => setTimeout(done, 200));
  found.push(...observer.takeRecords());
  return { took, tasks: found.filter(({ startTime }) => startTime >= start - 1).map(({ duration }) => duration) };
}

Object.assign(window, { textStream, wholeRun, longTasks });
window.ready = true;
