// Plugins of an agent: what they add counts from the next request on, and their files are read-only.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Agent, Document, init } from "copydesk";
import { memoryWorkspace } from "copydesk/workspace";

await init();

/** A `fetch` with a model that makes these calls, one in each turn, and the bodies of its requests. */
function scripted(calls, before = () => {}) {
  const requests = [];
  const fetch = async (_, { body }) => {
    requests.push(JSON.parse(body));
    await before(requests.length);
    const [name, given] = calls[requests.length - 1] ?? [];
    const call = { index: 0, id: `c${requests.length}`, function: { name, arguments: JSON.stringify(given) } };
    const chunk = { choices: [{ delta: name ? { tool_calls: [call] } : { content: "Done." }, finish_reason: "stop" }] };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  };
  return { fetch, requests };
}

const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };
const systemOf = ({ messages }) => messages[0].content;
const toolsOf = ({ tools }) => tools.map((tool) => tool.function.name);

/** A plugin with a handle on its host, and how often it was asked and closed. */
function plugin(name = "test") {
  const made = { name, host: undefined, asked: 0, closed: 0 };
  made.connect = (host) => {
    made.host = host;
    return { ready: async () => void made.asked++, close: () => void made.closed++ };
  };
  return made;
}

/** An agent and the events that it reports. */
function agentWith(options) {
  const document = options.workspace ? undefined : Document.fromHTML("<p>Tea.</p>");
  const agent = new Agent({ document, locale: "en", llmConfig, documentInPrompt: false, ...options });
  const events = [];
  agent.subscribe((event) => events.push(event));
  return { agent, events, saw: (type) => events.filter((event) => event.type === type) };
}

test("what a plugin provides during a run is in the next request, and a note says so", async () => {
  const added = plugin();
  const noticed = { name: "ping", description: "Pings.", parameters: { type: "object" }, execute: () => "pong" };
  const { fetch, requests } = scripted([["list_files", {}], ["ping", {}]], (turn) => {
    if (turn !== 1) return;
    added.host.provide({ tools: [noticed], rules: [{ id: "r", text: "Be kind." }], skills: [{ name: "tea", description: "Tea.", content: "Boil." }] });
    added.host.notice("test_notice", "Something happened.");
  });
  const workspace = memoryWorkspace({}, { locale: "en" });
  const { agent, saw } = agentWith({ workspace, fetch, plugins: [added] });
  assert.equal((await agent.prompt("Go")).status, "complete");
  assert.ok(!systemOf(requests[0]).includes("Be kind."));
  assert.match(systemOf(requests[1]), /- tea: Tea\.[^]*Boil\.[^]*1\. Be kind\.$/);
  assert.ok(toolsOf(requests[1]).includes("ping"));
  assert.deepEqual(saw("tool_result").map(({ content }) => content)[1], "pong");
  assert.deepEqual(saw("notice").map(({ code }) => code), ["test_notice", "settings_changed"]);
  assert.match(agent.messages.find(({ role }) => role === "note").content, /rules: 1 added; skills added: tea; tools added: activate_skill, ping/);
  assert.equal(systemOf(requests[1]), systemOf(requests[2]), "nothing has changed");
  assert.ok(added.asked >= requests.length);
  agent.dispose();
  assert.equal(added.closed, 1);
  await workspace.close();
});

test("a run waits for plugins before its first request", async () => {
  const slow = {
    name: "slow",
    connect: (host) => ({
      ready: () => new Promise((resolve) => setTimeout(resolve, 20)).then(() => host.provide({ rules: [{ id: "r", text: "Be kind." }] })),
      close() {},
    }),
  };
  const { fetch, requests } = scripted([]);
  const { agent } = agentWith({ fetch, plugins: [slow] });
  await agent.prompt("Go");
  assert.match(systemOf(requests[0]), /Be kind/);
});

test("files of skills are read by read_file, also without a workspace, and cannot be written", async () => {
  const files = { name: "files", connect: (host) => (host.provide({
    skills: [{ name: "tea", description: "Tea.", content: "See the form.", files: ["form.md"] }],
    readSkillFile: async (skill, path) => ({ path: `skills/${skill}/${path}`, text: `${skill}: the form`, version: "v1", size: 1 }),
  }), { ready: async () => {}, close() {} }) };
  const without = scripted([["read_file", { path: "skills/tea/form.md" }], ["read_file", { path: "other.md" }]]);
  const { agent, saw } = agentWith({ fetch: without.fetch, plugins: [files] });
  await agent.prompt("Go");
  assert.deepEqual(toolsOf(without.requests[0]).filter((name) => /file|chapter/.test(name)), ["read_file"]);
  assert.match(JSON.stringify(saw("tool_result")[0].content), /tea: the form/);
  assert.equal(saw("tool_result")[1].content.error.code, "file_not_found");

  const workspace = memoryWorkspace({}, { locale: "en" });
  const within = scripted([["write_file", { path: "./skills/tea/form.md", content: "Evil." }], ["write_file", { path: "skills/own.md", content: "Fine." }]]);
  const second = agentWith({ workspace, fetch: within.fetch, plugins: [files] });
  await second.agent.prompt("Go");
  assert.deepEqual(second.saw("tool_result").map(({ isError }) => isError), [true, false]);
  assert.deepEqual((await workspace.list()).map(({ path }) => path), ["skills/own.md"]);
  await workspace.close();
});

test("rule files of a workspace are rules that follow their changes, and the model cannot write them", async () => {
  const workspace = memoryWorkspace({ "AGENTS.md": "Write British English.", ".rules/b.md": "Second.", ".rules/a.md": "First.", ".rules/c.txt": "No." }, { locale: "en" });
  const { fetch, requests } = scripted(
    [["write_file", { path: "agents.md", content: "Evil." }], ["edit_file", { path: ".rules/a.md", old_text: "First", new_text: "Evil" }], ["read_file", { path: "AGENTS.md" }]],
    (turn) => turn === 3 && workspace.write("AGENTS.md", "Write American English."),
  );
  const { agent, saw } = agentWith({ workspace, fetch, rules: [{ id: "own", text: "Own." }] });
  await agent.prompt("Go");
  assert.match(systemOf(requests[0]), /1\. Own\.\n2\. Write British English\.\n3\. First\.\n4\. Second\.$/);
  assert.deepEqual(saw("tool_result").map(({ content }) => content.error?.code), ["permission_denied", "permission_denied", undefined]);
  assert.match(systemOf(requests[3]), /2\. Write American English\./);
  assert.deepEqual(saw("notice").map(({ message }) => message), ["rules: 1 changed"]);
  agent.dispose();

  const off = scripted([]);
  const second = agentWith({ workspace, fetch: off.fetch, ruleFiles: false });
  await second.agent.prompt("Go");
  assert.ok(!systemOf(off.requests[0]).includes("American"));
  await workspace.close();
});

test("a rule file that cannot be read is named and the others apply", async () => {
  const workspace = memoryWorkspace({ "AGENTS.md": "Be kind.", ".rules/a.md": "x".repeat(100_000) }, { locale: "en" });
  const read = workspace.read.bind(workspace);
  workspace.read = async (path) => {
    if (path === "AGENTS.md") throw Object.assign(new Error("The disk is gone."), { code: "storage_failed" });
    return read(path);
  };
  const { fetch, requests } = scripted([]);
  const { agent, saw } = agentWith({ workspace, fetch });
  assert.equal((await agent.prompt("Go")).status, "complete");
  assert.deepEqual(saw("notice").map(({ code }) => code), ["rules_not_read", "rules_shortened"]);
  assert.ok(systemOf(requests[0]).length < 30_000);
  await workspace.close();
});

test("a plugin that fails is named, and the agent works without it", async () => {
  const kinds = {
    connecting: { connect: () => { throw new Error("no luck"); } },
    nothing: { connect: () => undefined },
    rejecting: { connect: () => ({ ready: () => Promise.reject(new Error("no luck")), close() {} }) },
    throwing: { connect: () => ({ ready: () => { throw "no luck"; }, close: () => { throw new Error("closed"); } }) },
  };
  for (const locale of ["en", "zh-CN"]) {
    const plugins = Object.entries(kinds).map(([name, made]) => ({ name, ...made }));
    const { fetch, requests } = scripted([]);
    const { agent, saw } = agentWith({ fetch, plugins, locale });
    assert.equal((await agent.prompt("Go")).status, "complete");
    assert.equal(requests.length, 1);
    const said = saw("notice");
    assert.ok(said.every(({ code }) => code === "plugin_failed"));
    for (const name of ["connecting", "rejecting", "throwing"]) assert.ok(said.some(({ message }) => message.includes(name) && message.includes("no luck")), name);
    const [reported, { error }] = [[], console];
    console.error = (thrown) => reported.push(thrown.message);
    try {
      agent.dispose();
    } finally {
      console.error = error;
    }
    assert.deepEqual(reported, ["closed"]);
  }
});

test("what cannot be used is refused, and what was provided before stays", async () => {
  for (const plugins of [{}, [{}], [null], ["mcp"]])
    assert.throws(() => new Agent({ llmConfig, plugins }), { code: "invalid_parameter" });
  const added = plugin();
  const { fetch, requests } = scripted([]);
  const { agent } = agentWith({ fetch, plugins: [added] });
  added.host.provide({ rules: [{ id: "a", text: "Kept." }] });
  const tool = (name, description) => ({ name, description, parameters: { type: "object" }, execute: () => "" });
  for (const wrong of [{ skills: [{ name: "Not valid", content: "" }] }, { tools: [tool("not valid", "")] }, { rules: [{ text: "" }] }])
    assert.throws(() => added.host.provide(wrong), (error) => error.name === "CopydeskError");
  await agent.prompt("Go");
  assert.match(systemOf(requests[0]), /1\. Kept\.$/);
  added.host.provide({ tools: [tool("twice", "first"), tool("twice", "last")] });
  await agent.prompt("Go");
  const sent = requests[1].tools.filter((one) => one.function.name === "twice");
  assert.deepEqual(sent.map((one) => one.function.description), ["last"]);
  agent.dispose();
  assert.doesNotThrow(() => added.host.provide({}), "after the agent was disposed");
});
