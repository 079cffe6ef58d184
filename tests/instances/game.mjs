// Runs of many clients behind nginx, while instances of the route are killed, closed and hung at random moments.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { Document } from "../../pkg/index.js";
import { streamDocAgentChat } from "../../pkg/route.js";
import { answer, call, delta, listening, llmConfigOf, model, random } from "../packaging/route-server.mjs";
import { freePort, lastFirst, nginxServer, postgresServer, redisServer } from "../packaging/stores.mjs";
import { FAULTS, Fleet } from "./fleet.mjs";
import { http2Fetch } from "./http2-fetch.mjs";

const TEA = "<h1>Tea</h1><p>A leaf.</p>";
const AT_ONCE = 5;
/** The part of the moments at which an instance fails. */
const FAILING = 0.3;
const LEASE = 1_000;

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
async function world(t, { store, seed, format, llmConfig }) {
  const after = lastFirst(t);
  const next = random(seed);
  const sent = [];
  let isFirst = true;
  const moment = (name) => {
    if (!isFirst && next() >= FAILING) return;
    isFirst = false;
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
  const fleet = new Fleet({ [store]: server.port, mails, format, lease: LEASE, ...(llmConfig && { llmConfig: model }) });
  after(() => fleet.end());
  await fleet.start(ports);
  return { urls, fleet, sent, model, after };
}

/** Reads the run of a number with a reader of the package. Returns its events. */
async function readRun({ url, fetch, body, runToken, document }) {
  const events = [];
  for await (const event of streamDocAgentChat(url, body, { document, fetch, runToken })) events.push(event);
  return events;
}

/** Fails unless a list of events is whole, and no call ran twice. */
function checkEvents(events, calls, sent, where) {
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => 1 + index), where);
  assert.equal(events.at(-1).type, "complete", `${where} ${JSON.stringify(events.at(-1))}`);
  const results = new Map(events.filter(({ type }) => type === "tool_result").map((event) => [event.toolId, event]));
  for (const { id, name } of calls) {
    assert.ok(results.has(id), `${where}: ${id} has a result`);
    const count = name === "send_mail" ? sent.filter((one) => one === id).length : events.filter(({ type, toolId }) => type === "doc_update" && toolId === id).length;
    const mayBeLost = /maybe_ran/.test(JSON.stringify(results.get(id).content));
    assert.ok(count === 1 || (count === 0 && mayBeLost), `${where}: ${id} ran ${count} times ${JSON.stringify(results.get(id).content)}`);
  }
}

/** Plays runs, several at a time. Returns the faults by kind. */
export async function play(t, { runs, seed, store }) {
  const { urls, fleet, sent, model, after } = await world(t, { store, seed });
  const names = Object.keys(urls);
  const http2 = http2Fetch(after);
  let begun = 0;
  const client = async () => {
    while (begun < runs) {
      const run = begun++;
      const name = names[run % names.length];
      const turns = 3 + (run % 4);
      const where = `run ${run} over ${name}, COPYDESK_SEED=${seed}`;
      const body = { message: `Run ${run}: ${turns} turns`, documentContent: TEA, runId: `run-${run}`, llmConfig: model };
      const reader = { url: `${urls[name]}/api/doc-agent-chat`, body, runToken: crypto.randomUUID(), ...(name === "http2" && { fetch: http2 }) };
      const [page, again] = [Document.fromHTML(TEA), Document.fromHTML(TEA)];
      const events = await readRun({ ...reader, document: page });
      checkEvents(events, allCalls(run, turns), sent, where);
      // Whoever comes later reads the same.
      assert.deepEqual(await readRun({ ...reader, document: again }), events, where);
      assert.deepEqual(again.toJSON(), page.toJSON(), where);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, runs) }, client));
  assert.equal(new Set(sent).size, sent.length, `no mail was sent twice, COPYDESK_SEED=${seed}`);
  return fleet.faults;
}
