// Skills in a page: cloned from a real git server, from a forge, offline after a reload, and the causes of failures there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { folderServer, forgeServer, gitServer, listen, repository, skillText } from "../skills/servers.mjs";
import { opener } from "./harness.mjs";
import { call, model } from "./model.mjs";

const open = opener("skills");
const NAMES = ["outline", "proofread", "translate"];

/** Connects in the page. Returns what the agent has, after everything is stored or has failed. */
function connect(page, list, options = {}) {
  return page.evaluate(
    async ([list, options]) => {
      const { plugin, host } = await connected(list, options);
      Object.assign(window, { plugin, host });
      await until(plugin, () => plugin.list.every(({ state, isStored }) => state === "failed" || isStored));
      return { names: host.names, notices: host.notices, list: plugin.list };
    },
    [list, options],
  );
}

test("a repository is cloned in the page, once, and is there after a reload without the network", async (t) => {
  const { home, first, commit } = repository(t);
  const server = await gitServer(t, home);
  const page = await open(t, { expected: [/ERR_CONNECTION_REFUSED/] });
  const list = [{ id: "tips", source: `${server.url}/tips.git` }];
  const found = await connect(page, list);
  assert.deepEqual([found.names, found.notices, found.list[0].commit], [NAMES, [], first]);
  const gets = () => server.requests.filter((request) => !request.startsWith("OPTIONS")).length;
  assert.equal(gets(), 3, server.requests.join("\n"));
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  assert.ok(loaded.some((name) => /isomorphic-git|buffer/.test(name)) || loaded.length > 2, loaded.join());

  await page.reload();
  await page.waitForFunction(() => window.ready);
  assert.deepEqual((await connect(page, list)).names, NAMES);
  assert.equal(gets(), 3, "nothing is fetched twice");

  const second = commit({ "SKILL.md": skillText("tips") });
  await page.evaluate(() => plugin.refresh("tips"));
  await page.waitForFunction(() => plugin.list[0].isStored);
  assert.deepEqual(await page.evaluate(() => [plugin.list[0].commit, host.names]), [second, ["tips"]]);

  await server.close();
  await page.reload();
  await page.waitForFunction(() => window.ready);
  assert.deepEqual((await connect(page, list)).names, ["tips"]);
  assert.match(await page.evaluate(async () => (await host.contribution.readSkillFile("tips", "SKILL.md")).text), /Do tips well/);
  // Without the cache there is nothing.
  await page.evaluate(() => plugin.removeFromCache("tips"));
  const none = await connect(page, list);
  assert.deepEqual([none.names, none.notices.map(({ code }) => code)], [[], ["skill_unreachable"]]);
});

test("files of a forge come by its API, and are there after a reload without the network", async (t) => {
  const server = await forgeServer(t, "github", repository(t));
  const page = await open(t);
  const forges = [{ type: "github", url: server.url }];
  const list = [{ id: "tips", source: `${server.url}/ann/tips/tree/main/skills` }];
  assert.deepEqual((await connect(page, list, { forges })).names, NAMES);
  assert.ok(server.requests.every((request) => request.startsWith("GET ")), "no request needs a preflight");
  const count = server.requests.length;
  await server.close();
  await page.reload();
  await page.waitForFunction(() => window.ready);
  assert.deepEqual((await connect(page, list, { forges })).names, NAMES);
  assert.equal(server.requests.length, count);
  assert.equal(await page.evaluate(async () => (await host.contribution.readSkillFile("outline", "references/steps.md")).text), "1. Read.\n2. Write.\n");
});

test("a server without CORS headers is told from one that is down, and a proxy helps", async (t) => {
  const { home } = repository(t);
  const git = await gitServer(t, home, { cors: false });
  const files = await folderServer(t, { "/a/SKILL.md": skillText("alpha") }, { cors: false });
  const proxy = await listen(t, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = { ...(request.headers["content-type"] && { "content-type": request.headers["content-type"] }) };
    const answer = await fetch(`http:/${request.url}`, { method: request.method, headers, ...(chunks.length && { body: Buffer.concat(chunks) }) });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") }).end(Buffer.from(await answer.arrayBuffer()));
  });
  const down = await folderServer(t, {});
  await down.close();
  const page = await open(t, { expected: [/CORS|ERR_FAILED|ERR_CONNECTION_REFUSED/] });
  const list = [
    { id: "git", source: `${git.url}/tips.git` },
    { id: "folder", source: `${files.url}/a` },
    { id: "down", source: `${down.url}/a.git` },
  ];
  const { list: states, notices } = await connect(page, list);
  assert.deepEqual(states.map(({ error }) => error?.code), ["skill_cors", "skill_cors", "skill_unreachable"]);
  // Their order is that of the answers.
  assert.match(notices.map(({ message }) => message).join("\n"), /127\.0\.0\.1:\d+ answers, but.*corsProxy/);
  const found = await connect(page, list.slice(0, 1), { corsProxy: proxy.url });
  assert.deepEqual([found.names, found.notices], [NAMES, []]);
});

test("a redirect within the server is followed, one to another server is not read", async (t) => {
  const other = await folderServer(t, { "/SKILL.md": skillText("evil") });
  const to = (location) => (_, response) => response.writeHead(302, { location }).end();
  const server = await folderServer(t, { "/a/SKILL.md": to("/b/SKILL.md"), "/b/SKILL.md": skillText("beta"), "/c/SKILL.md": to(`${other.url}/SKILL.md`) });
  const page = await open(t);
  const { names, notices } = await connect(page, ["a", "c"].map((id) => ({ id, source: `${server.url}/${id}` })));
  assert.deepEqual([names, notices.map(({ code }) => code)], [["beta"], ["skill_redirected"]]);
});

test("an agent has the skills in its prompt, reads their files, and loses them when they are disabled in the run", async (t) => {
  const { home } = repository(t);
  const server = await gitServer(t, home);
  const provider = await model(t, [
    { calls: [call("c1", "read_file", { path: "skills/outline/references/steps.md" })] },
    { calls: [call("c3", "write_file", { path: "own/SKILL.md", content: "Obey." }), call("c2", "read_file", { path: "skills/outline/../../x" })] },
    { say: "Done." },
  ]);
  const page = await open(t);
  const outcome = await page.evaluate(
    async ([source, baseUrl]) => {
      const workspace = memoryWorkspace({ "own/SKILL.md": "---\nname: own\ndescription: Ours.\n---\nSay please." }, { locale: "en" });
      const list = [{ id: "tips", source }, { id: "own", source: "own" }, { id: "none", source: "nowhere" }];
      const plugin = skills(list, { locale: "en" });
      const agent = new Agent({ workspace, plugins: [plugin], locale: "en", llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl } } });
      const notices = [];
      agent.subscribe((event) => {
        if (event.type === "notice" && event.code.startsWith("skill_")) notices.push(event.code);
        if (event.type === "tool_result" && event.toolId === "c2") plugin.configure(list.map((one) => ({ ...one, enabled: false })));
      });
      const { status, error } = await agent.prompt("Write an outline");
      const { text } = await workspace.read("own/SKILL.md");
      agent.dispose();
      return { status, error, notices, text };
    },
    [`${server.url}/tips.git`, provider.baseUrl],
  );
  assert.deepEqual([outcome.status, outcome.error], ["complete", undefined], JSON.stringify(outcome));
  const prompts = provider.requests.map(({ body }) => JSON.stringify(body.messages.filter(({ role }) => ["system", "developer"].includes(role))));
  assert.match(prompts[0], /Do outline well[^]*Say please/);
  assert.equal(prompts[1], prompts[0], "nothing changed, the prompt is the same");
  assert.match(provider.tool(1).c1, /1\. Read\./);
  assert.doesNotMatch(prompts[2], /Do outline well/);
  assert.doesNotMatch(prompts[2], /Say please/);
  assert.match(provider.tool(2).c2, /invalid_path/);
  assert.match(provider.tool(2).c3, /error/);
  assert.match(outcome.text, /Say please/);
  assert.deepEqual(outcome.notices, ["skill_missing"]);
});
