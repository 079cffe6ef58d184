// The AI SDK's stream of UI messages, read by the official package: from the route, and from an agent in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema } from "ai";
import { Agent, Document, init } from "../../pkg/index.js";
import { AgentChatTransport, createDocAgentRoute } from "../../pkg/route.js";
import { Chat } from "./chat.mjs";
import { answer, call, delta, llmConfigOf, model, post, routeOn, until } from "./route-server.mjs";

await init();

const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const ANSWERS = () => [
  { say: "I write. ", calls: [call("a", "update_section", { operation: "append", title: "Kinds", content: "<p>Green.</p>" }), call("b", "update_section", { operation: "delete", sectionIndex: 9 })] },
  { say: "Done." },
];

function assertMessage(message) {
  const kinds = message.parts.map(({ type, state }) => (state ? `${type} ${state}` : type));
  assert.deepEqual(kinds, ["step-start", "text done", "tool-update_section output-available", "tool-update_section output-error", "data-doc-update", "step-start", "text done"]);
  const [, said, edit, failed, update] = message.parts;
  assert.equal(said.text, "I write. ");
  assert.equal(edit.input.title, "Kinds");
  assert.equal(edit.output.success, true);
  assert.match(failed.errorText, /section/i);
  const copy = Document.fromHTML(TEA);
  copy.apply(update.data);
  assert.equal(copy.toHTML(), `${TEA}<h2>Kinds</h2><p>Green.</p>`);
}

test("the stream has the header, chunks of the schema, and [DONE]", async (t) => {
  const llm = await model(t, ANSWERS());
  const url = await routeOn(t, { format: "ui-message-stream" });
  const response = await post(url, { message: "x", documentContent: TEA, llmConfig: llmConfigOf(llm) });
  assert.equal(response.headers.get("x-vercel-ai-ui-message-stream"), "v1");
  const text = await response.clone().text();
  assert.ok(text.endsWith("data: [DONE]\n\n"));
  const chunks = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema });
  const valid = chunks.pipeThrough(new TransformStream({ transform: (chunk, out) => (assert.ok(chunk.success, chunk.error), out.enqueue(chunk.value)) }));
  let last;
  for await (const message of readUIMessageStream({ stream: valid })) last = message;
  assertMessage(last);
});

test("useChat over the route: its transport, its messages as history", async (t) => {
  const llm = await model(t, [...ANSWERS(), { say: "Again." }]);
  const api = await routeOn(t, { format: "ui-message-stream", documentInPrompt: false });
  const chat = new Chat(new DefaultChatTransport({ api, body: { documentContent: TEA, llmConfig: llmConfigOf(llm) } }));
  await chat.sendMessage({ text: "Add kinds" });
  assert.deepEqual([chat.status, chat.errors], ["ready", []]);
  assertMessage(chat.messages[1]);
  await chat.sendMessage({ text: "And now?" });
  const messages = llm.requests[2].messages.slice(1);
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "tool", "tool", "assistant", "user"]);
  assert.deepEqual([0, 1, 4, 5].map((at) => messages[at].content), ["Add kinds", "I write. ", "Done.", "And now?"]);
  assert.equal(chat.messages.at(-1).parts.at(-1).text, "Again.");
});

test("useChat over an agent in the page", async (t) => {
  const llm = await model(t, [...ANSWERS(), { say: "Again." }]);
  const document = Document.fromHTML(TEA);
  const agent = new Agent({ document, llmConfig: llmConfigOf(llm) });
  const chat = new Chat(new AgentChatTransport(agent));
  await chat.sendMessage({ text: "Add kinds" });
  assert.deepEqual([chat.status, chat.errors], ["ready", []]);
  assertMessage(chat.messages[1]);
  assert.equal(document.toHTML(), `${TEA}<h2>Kinds</h2><p>Green.</p>`);
  await chat.sendMessage({ text: "And now?" });
  assert.equal(chat.messages.at(-1).parts.at(-1).text, "Again.");
  assert.equal(llm.requests[2].messages.filter(({ role }) => role === "user").length, 2, "the conversation is the agent's");
});

test("a request that is repeated removes what the step has shown; stopping stops; a failure is an error", async (t) => {
  const cut = (response) => {
    response.write(delta("lost "));
    setTimeout(() => response.destroy(), 20);
  };
  const endless = (response) => response.write(delta("word "));
  const llm = await model(t, [cut, { say: "Kept." }, endless]);
  for (const transportOf of [
    async () => new DefaultChatTransport({ api: await routeOn(t, { format: "ui-message-stream" }), body: { llmConfig: llmConfigOf(llm) } }),
  ]) {
    const chat = new Chat(await transportOf());
    await chat.sendMessage({ text: "x" });
    assert.deepEqual(chat.messages[1].parts.filter(({ type }) => type === "text").map(({ text }) => text), ["Kept."]);
    const running = chat.sendMessage({ text: "y" });
    await until(() => chat.messages.at(-1).parts.some(({ text }) => text === "word "));
    await chat.stop();
    await running;
    await until(() => llm.open === 0);
    assert.equal(chat.status, "ready");
  }
  const dead = llmConfigOf({ baseUrl: "http://127.0.0.1:1/v1" });
  const failing = new Chat(new AgentChatTransport(new Agent({ document: Document.fromHTML(""), llmConfig: dead, maxRetries: 0 })));
  await failing.sendMessage({ text: "x" });
  assert.equal(failing.status, "error");
  assert.match(failing.errors[0].message, /127\.0\.0\.1/);
});

/** A model that appends two sections in one answer, reads the document, and says what it was told. */
const edit = (id, title) => call(id, "update_section", { operation: "append", title, content: `<p>${title}</p>` });
const lines = call("l", "replace_text", { old: "A leaf.", new: "A dry leaf." });
const asked = (chat) => chat.messages.at(-1).parts.filter(({ state }) => state === "approval-requested");
const tools = (chat) => chat.messages.flatMap(({ parts }) => parts).filter(({ toolCallId }) => toolCallId);

for (const [where, transportOf] of [
  ["the route", async (t, llm, needsApproval) => {
    let html = TEA;
    const onEnd = (end) => (html = end.html);
    const api = await routeOn(t, { format: "ui-message-stream", needsApproval, onEnd });
    const body = () => ({ documentContent: html, llmConfig: llmConfigOf(llm) });
    return { transport: new DefaultChatTransport({ api, body }), html: () => html };
  }],
  ["an agent in the page", async (t, llm, needsApproval) => {
    const document = Document.fromHTML(TEA);
    const agent = new Agent({ document, llmConfig: llmConfigOf(llm), needsApproval });
    return { transport: new AgentChatTransport(agent), html: () => document.toHTML() };
  }],
]) {
  const automatic = { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses };

  test(`${where}: calls wait for approval, and useChat goes on when all are answered`, async (t) => {
    const llm = await model(t, [{ say: "I write.", calls: [edit("a", "One"), lines, edit("b", "Two")] }, { say: "Done." }, { say: "Again." }]);
    const { transport, html } = await transportOf(t, llm, ["update_section"]);
    const chat = new Chat(transport, automatic);
    await chat.sendMessage({ text: "Add" });
    assert.deepEqual([chat.status, chat.errors], ["ready", []]);
    assert.deepEqual(asked(chat).map(({ toolCallId, input }) => [toolCallId, input.title]), [["a", "One"]]);
    assert.equal(html(), TEA, "nothing has run");
    await chat.addToolApprovalResponse({ id: asked(chat)[0].approval.id, approved: true });
    // The second call that needs it asks when it is its turn.
    await until(() => chat.status === "ready" && asked(chat).length === 1);
    assert.deepEqual(asked(chat).map(({ toolCallId }) => toolCallId), ["b"]);
    assert.equal(html(), "<h1>Tea</h1><p>A dry leaf.</p><h2>One</h2><p>One</p>");
    assert.equal(llm.requests.length, 1);
    await chat.addToolApprovalResponse({ id: asked(chat)[0].approval.id, approved: false, reason: "too long" });
    await until(() => chat.messages.at(-1).parts.at(-1).text === "Done." && chat.status === "ready");
    assert.deepEqual(chat.errors, []);
    assert.deepEqual(tools(chat).map(({ toolCallId, state }) => [toolCallId, state]), [["a", "output-available"], ["l", "output-available"], ["b", "output-denied"]]);
    assert.equal(html(), "<h1>Tea</h1><p>A dry leaf.</p><h2>One</h2><p>One</p>");
    const results = llm.requests[1].messages.filter(({ role }) => role === "tool");
    assert.deepEqual(results.map(({ tool_call_id }) => tool_call_id), ["a", "l", "b"]);
    assert.match(results[2].content, /too long/);
    await chat.sendMessage({ text: "And now?" });
    assert.equal(chat.messages.at(-1).parts.at(-1).text, "Again.");
    assert.equal(llm.requests[2].messages.filter(({ role }) => role === "tool").length, 3);
  });

  test(`${where}: a new message in place of an answer leaves the call undone`, async (t) => {
    const llm = await model(t, [{ calls: [edit("a", "One")] }, { say: "As you like." }]);
    const { transport, html } = await transportOf(t, llm, ["*"]);
    const chat = new Chat(transport, automatic);
    await chat.sendMessage({ text: "Add" });
    assert.equal(asked(chat).length, 1);
    await chat.sendMessage({ text: "No, wait" });
    assert.equal(chat.messages.at(-1).parts.at(-1).text, "As you like.");
    assert.deepEqual([chat.status, chat.errors, html()], ["ready", [], TEA]);
  });
}

test("an agent in the page: a call that waits is answered after a reload", async (t) => {
  const llm = await model(t, [{ calls: [edit("a", "One")] }, { say: "Done." }]);
  const options = { llmConfig: llmConfigOf(llm), needsApproval: ["*"] };
  const before = new Agent({ document: Document.fromHTML(TEA), ...options });
  const chat = new Chat(new AgentChatTransport(before));
  await chat.sendMessage({ text: "Add" });
  const stored = JSON.stringify([before.messages, chat.messages]);
  before.dispose();
  const [messages, shown] = JSON.parse(stored);
  const document = Document.fromHTML(TEA);
  const agent = new Agent({ document, ...options });
  agent.messages = messages;
  const after = new Chat(new AgentChatTransport(agent), { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
  after.messages = shown;
  await after.addToolApprovalResponse({ id: asked(after)[0].approval.id, approved: true });
  await until(() => after.status === "ready" && after.messages.at(-1).parts.at(-1).text === "Done.");
  assert.deepEqual(after.errors, []);
  assert.equal(document.toHTML(), `${TEA}<h2>One</h2><p>One</p>`);
});

test("an approved call keeps to what it was meant for, also if the document has changed since", async (t) => {
  const read = call("r", "read_lines", {});
  const replace = call("e", "edit_current_editor_document", { edits: [{ start_line: 4, end_line: 4, content: "A dry leaf." }] });
  const llm = await model(t, [{ calls: [read] }, { calls: [replace] }, { say: "Done." }]);
  const ends = [];
  let html = "<h1>Tea</h1><p>One.</p><p>Two.</p><p>A leaf.</p><p>Four.</p><p>Five.</p>";
  const api = await routeOn(t, { format: "ui-message-stream", needsApproval: [replace.name], onEnd: (end) => void ends.push(end) });
  const body = () => ({ documentContent: html, llmConfig: llmConfigOf(llm) });
  const chat = new Chat(new DefaultChatTransport({ api, body }), { sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses });
  await chat.sendMessage({ text: "Dry it" });
  assert.deepEqual(ends.map(({ waiting }) => waiting), [["e"]]);
  // Line 4 is another one now.
  html = html.replace("</h1>", "</h1><p>New.</p>");
  await chat.addToolApprovalResponse({ id: asked(chat)[0].approval.id, approved: true });
  await until(() => chat.status === "ready" && ends.length === 2);
  assert.deepEqual(chat.errors, []);
  assert.equal(ends[1].html, html.replace("A leaf", "A dry leaf"));
});

test("a route whose clients cannot answer refuses tools that need approval", () => {
  for (const asks of [{ needsApproval: ["*"] }, { tools: [{ name: "t", needsApproval: true, execute() {} }] }])
    assert.throws(() => createDocAgentRoute(asks), /ui-message-stream/);
});
