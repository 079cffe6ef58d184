// Runs of many clients behind nginx, while instances of the route are killed, closed and hung at random moments.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { DefaultChatTransport } from "ai";
import { Document } from "../../pkg/index.js";
import { resumableFetch, streamDocAgentChat } from "../../pkg/route.js";
import { Chat } from "../packaging/chat.mjs";
import { answer, call, delta, listening, llmConfigOf, model, random } from "../packaging/route-server.mjs";
import { freePort, lastFirst, nginxServer, postgresServer, redisServer } from "../packaging/stores.mjs";
import { FAULTS, Fleet } from "./fleet.mjs";
import { http2Fetch } from "./http2-fetch.mjs";

const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const AT_ONCE = 5;
/** The probability that an instance fails at a moment, once each kind of fault has happened. */
const FAILING = 0.3;
const LEASE = 1_000;
/** The most runs that are added until each kind of fault has happened. */
const MOST_ADDED = 20;

/** The calls of a turn: an edit, a mail, or both. */
function callsOf(run, turn) {
  const edit = call(`e${run}-${turn}`, "update_section", { operation: "append", title: `t${turn}`, content: `<p>t${turn}</p>` });
  const mail = call(`m${run}-${turn}`, "send_mail", { to: `m${run}-${turn}` });
  return [[edit], [mail], [edit, mail]][(run + turn) % 3];
}

const allCalls = (run, turns) => Array.from({ length: turns }, (_, turn) => callsOf(run, turn)).flat();

/** A model that plays the turns that its prompt asks for, and tells `asked` which instance asks. */
const scripted = (t, asked) =>
  model(t, ({ messages }) => {
    const [, run, turns] = /Run (\d+): (\d+) turns/.exec(JSON.stringify(messages)).map(Number);
    const turn = messages.filter(({ tool_calls: calls }) => calls?.length).length;
    return (response, request) => {
      for (const word of ["Now ", "I ", "go on. "]) response.write(delta(word));
      asked(request.headers["x-instance"]);
      response.end(answer(turn < turns ? { calls: callsOf(run, turn) } : { say: "Done." }));
    };
  });

/** A server that takes mails, and tells `arrived` who sends them. */
async function mailServer(t, arrived) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    arrived(JSON.parse(text));
    response.end("sent");
  });
  return listening(t, server);
}

/** Starts all that the runs need. Returns the URLs of nginx by name, the fleet and the mails that were sent. */
async function world(t, { store, seed, format }) {
  const after = lastFirst(t);
  const next = random(seed);
  const sent = [];
  const moment = (name) => {
    const isChosen = next() < FAILING;
    if (!isChosen && !fleet.missing) return;
    void fleet.fail(name, FAULTS[Math.floor(next() * FAULTS.length)]);
  };
  const llm = await scripted(t, moment);
  const mails = await mailServer(t, ({ id, name }) => {
    sent.push(id);
    moment(name);
  });
  const server = store === "redis" ? await redisServer(after) : await postgresServer(after);
  const ports = [await freePort(), await freePort(), await freePort()];
  const urls = await nginxServer(after, ports);
  const model = llmConfigOf(llm);
  const fleet = new Fleet({ [store]: server.port, mails, format, lease: LEASE });
  after(() => fleet.end());
  await fleet.start(ports);
  return { urls, fleet, sent, model, after };
}

/** Returns the document after updates. */
function documentAfter(updates) {
  const document = Document.fromHTML(TEA);
  for (const update of updates) document.apply(update);
  return document.toHTML();
}

/** The client of each format. Each reads a run and returns the ids of its edits in the order in which they arrived, the texts
 * of results by the ids of calls, and the final document of the client. */
const READERS = {
  /** The reader of the package. Whoever comes later reads the same. */
  async copydesk({ url, fetch, runId, message, model }, where) {
    const read = async (document) => {
      const body = { message, documentContent: TEA, runId, llmConfig: model };
      const events = [];
      for await (const event of streamDocAgentChat(url, body, { document, fetch, runToken })) events.push(event);
      return events;
    };
    const runToken = crypto.randomUUID();
    const [page, again] = [Document.fromHTML(TEA), Document.fromHTML(TEA)];
    const events = await read(page);
    assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index), where);
    assert.equal(events.at(-1).type, "complete", `${where} ${JSON.stringify(events.at(-1))}`);
    assert.deepEqual(await read(again), events, where);
    assert.deepEqual(again.toJSON(), page.toJSON(), where);
    const results = events.filter(({ type }) => type === "tool_result").map(({ toolId, content }) => [toolId, JSON.stringify(content)]);
    return { edits: events.filter(({ type }) => type === "doc_update").map(({ toolId }) => toolId), results, html: page.toHTML() };
  },

  /** `useChat`, and a page that is loaded again. */
  async "ui-message-stream"({ url, fetch, runId: id, message, model }, where) {
    const runToken = crypto.randomUUID();
    const transport = new DefaultChatTransport({ api: url, body: { documentContent: TEA, llmConfig: model }, fetch: resumableFetch({ fetch, runToken }) });
    // Parts with one id are one part of the message, however often they arrive.
    const [updates, again] = [[], []];
    const listener = (all) => ({ type, data }) => void (type === "data-doc-update" && all.push(data));
    const chat = new Chat(transport, { id, onData: listener(updates) });
    await chat.sendMessage({ text: message });
    assert.deepEqual([chat.status, chat.errors], ["ready", []], where);
    const page = new Chat(transport, { id, messages: structuredClone(chat.messages.slice(0, 1)), onData: listener(again) });
    await page.resumeStream();
    assert.deepEqual(page.messages, chat.messages, where);
    assert.deepEqual(again, updates, where);
    const { parts } = chat.messages[1];
    assert.equal(parts.at(-1).text, "Now I go on. Done.", where);
    const results = parts.filter(({ state }) => /^output/.test(state)).map(({ toolCallId, output, errorText }) => [toolCallId, JSON.stringify(output ?? errorText)]);
    assert.deepEqual(parts.filter(({ type }) => type === "data-doc-update").map(({ data }) => data), updates, where);
    return { edits: updates.map(({ toolId }) => toolId), results, html: documentAfter(updates) };
  },

  /** The client of AG-UI, which checks the order of events. */
  async "ag-ui"({ url, fetch, runId: threadId, message, model }, where) {
    const agent = new HttpAgent({ url, threadId, initialState: { documentContent: TEA }, fetch: resumableFetch({ fetch }) });
    const events = [];
    agent.subscribe({ onEvent: ({ event }) => void events.push(event) });
    agent.addMessage({ id: "u", role: "user", content: message });
    await agent.runAgent({ forwardedProps: { llmConfig: model } });
    assert.deepEqual(events.at(-1).outcome, { type: "success" }, where);
    assert.equal(agent.messages.at(-1).content, "Now I go on. Done.", where);
    const results = agent.messages.filter(({ role }) => role === "tool").map(({ toolCallId, content }) => [toolCallId, content]);
    const updates = events.filter(({ name }) => name === "doc_update").map(({ value }) => value);
    assert.equal(agent.state.documentContent, documentAfter(updates), where);
    return { edits: updates.map(({ toolId }) => toolId), results, html: agent.state.documentContent };
  },
};

/** Fails unless each call has run once and has one result, and the document has each edit once, in order. The result of a mail
 * may say that it is unknown whether it was sent. */
function checkCalls(calls, sent, { edits, results, html }, where) {
  assert.deepEqual(results.map(([id]) => id).sort(), calls.map(({ id }) => id).sort(), where);
  const texts = new Map(results);
  const isEdit = ({ name }) => name !== "send_mail";
  for (const { id } of calls.filter((call) => !isEdit(call))) {
    const count = sent.filter((one) => one === id).length;
    const mayBeLost = /maybe_ran|may or may not/.test(texts.get(id));
    assert.ok(count === 1 || (count === 0 && mayBeLost), `${where}: ${id} ran ${count} times: ${texts.get(id)}`);
  }
  const made = calls.filter(isEdit);
  assert.deepEqual(edits, made.map(({ id }) => id), where);
  const titles = made.map(({ id }) => `t${id.split("-")[1]}`);
  assert.equal(html, TEA + titles.map((title) => `<h2>${title}</h2><p>${title}</p>`).join(""), where);
}

/** Plays runs, several at a time, and more of them until each kind of fault has happened. Returns the faults by kind. */
export async function play(t, { runs, seed, store, format }) {
  const { urls, fleet, sent, model, after } = await world(t, { store, seed, format });
  const names = Object.keys(urls);
  const http2 = http2Fetch(after);
  let begun = 0;
  const client = async () => {
    while (begun < runs || (fleet.missing && begun < runs + MOST_ADDED)) {
      const run = begun++;
      const name = names[run % names.length];
      const turns = 3 + (run % 4);
      const where = `run ${run} over ${name}, COPYDESK_SEED=${seed}`;
      const url = `${urls[name]}/api/doc-agent-chat`;
      const told = { url, runId: `run-${run}`, message: `Run ${run}: ${turns} turns`, model, ...(name === "http2" && { fetch: http2 }) };
      checkCalls(allCalls(run, turns), sent, await READERS[format](told, where), where);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs) }, client));
  assert.equal(new Set(sent).size, sent.length, `no mail was sent twice, COPYDESK_SEED=${seed}`);
  return fleet.faults;
}
