// Skills, servers and rules in the demo: one run uses them, and its timeline shows what each contributed. The model is a
// scripted server, whose requests are looked at; the skill comes from a real git repository, the tools from a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everything, hostile, listen } from "../mcp/servers.mjs";
import { gitServer, repository } from "../skills/servers.mjs";
import { ask, ended, frames, offline, openDemo, openSettings, saved, text, written } from "./demo-page.mjs";
import { answer, begin, call, model } from "./model.mjs";

/** More text than the system prompt has room for, so that the model has to load it. */
const LONG = Array.from({ length: 340 }, (_, at) => `- Point ${at + 1}: say one thing at a time, and say it where the reader looks for it.`).join("\n");
const SKILL = {
  "house-style/SKILL.md": `---\nname: house-style\ndescription: Use it for articles and essays.\n---\nKeep to [the form](references/form.md).\n\n${LONG}\n`,
  "house-style/references/form.md": "End every section with “Ask for a second cup.”\n",
};
const ENDING = "Ask for a second cup.";
/** What the page logs of servers that are down, and of the client's attempts in the newer era and with a stream. */
const expected = [...offline, /ERR_CONNECTION_REFUSED|ERR_FAILED|40[045]|CORS|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/];

const card = (page, name) => page.locator(`[data-card="${name}"]`);
const state = (page, name, wanted) => page.waitForSelector(`[data-card="${name}"][data-state="${wanted}"]`);

async function addSkill(page, source) {
  await page.click("copydesk-skills .button >> text=/^(Add a skill|添加技能)$/");
  await page.keyboard.type(source);
  await page.keyboard.press("Enter");
}

async function addServer(page, url, name) {
  await page.click("copydesk-servers .button >> text=/^(Add a server|添加服务器)$/");
  await page.keyboard.type(url);
  await page.fill("copydesk-servers .field >> nth=1 >> input", name);
  await page.keyboard.press("Enter");
}

async function addRule(page, rule) {
  await page.click("copydesk-rules [part=add]");
  await page.keyboard.type(rule);
}

const at = (server) => `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m`;
const append = (id, title) => call(id, "update_section", { operation: "append", title, content: "<p>Words.</p>" });

/** An answer that waits until `open()` is called; `asked` resolves when its request has come. */
function gate(then) {
  let open, come;
  const opened = new Promise((resolve) => (open = resolve));
  const asked = new Promise((resolve) => (come = resolve));
  const give = async (response) => {
    come();
    await opened;
    begin(response).end(answer(then));
  };
  return { give, open, asked };
}

test("one run uses a skill, a tool of a server and a rule, and shows what each contributed", async (t) => {
  const { home } = repository(t, SKILL);
  const git = await gitServer(t, home);
  const server = await everything(t);
  const down = await listen(t, () => {});
  await down.stop();
  const [ruled, skilled] = [gate({ calls: [append("c-6", "Two")] }), gate({ calls: [append("c-8", "Four")] })];
  const llm = await model(t, [
    { calls: [call("c-1", "activate_skill", { name: "house-style" })] },
    { calls: [call("c-2", "read_file", { path: "skills/house-style/references/form.md" })] },
    { calls: [call("c-3", "everything__get-sum", { a: 2, b: 3 })] },
    { calls: [call("c-4", "get_document")] },
    { calls: [append("c-5", "One")] },
    ruled.give,
    { say: "Done." },
    { calls: [append("c-7", "Three")] },
    skilled.give,
    { say: "Done." },
    { calls: [call("c-9", "everything__get-sum", { a: 20, b: 22 })] },
    { say: "42." },
  ]);
  const system = (nth) => llm.requests[nth].body.messages[0].content;
  const tools = (nth) => llm.requests[nth].body.tools.map((tool) => tool.function.name);
  const page = await openDemo(t, { search: at(llm), expected });

  await t.test("the user adds them", async () => {
    const before = await page.evaluate(() => performance.getEntriesByType("resource").length);
    await page.click("#tab-assistant");
    await addRule(page, "Write “brew” instead of “tea”.");
    assert.ok(before > 0);
    await addSkill(page, `${git.url}/tips.git`);
    await state(page, "tips", "ready");
    await card(page, "tips").locator("summary").click();
    assert.match(await card(page, "tips").textContent(), /house-styleUse it for articles and essays\..*Keep to \[the form\].*references\/form\.md/s);
    await addServer(page, server.url, "everything");
    await addServer(page, down.url, "closed");
    await state(page, "everything", "ready");
    await state(page, "closed", "failed");
    assert.match(await card(page, "everything").textContent(), /Ready.*Protocol 2025-11-25.*\d+ tools.*Get Sum/s);
    assert.match(await card(page, "closed").locator(".problem").textContent(), /^[^{}_]*$/);
    await page.keyboard.press("Escape");
  });

  await t.test("the run uses them, and a rule that is edited meanwhile counts from the next request on", async () => {
    await ask(page, "Add 2 and 3, and write about tea");
    await ruled.asked;
    await page.evaluate(() => {
      const field = find("textarea", find("copydesk-rules").shadowRoot);
      field.value = "Write “infusion” instead of “tea”.";
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    });
    ruled.open();
    await ended(page);
    const rows = await text(page, ".row-text");
    assert.deepEqual(rows.slice(0, 4), ["Loaded the skill “house-style”", "Read references/form.md of the skill “house-style”", "Used everything: Get Sum Tool", "Read the document: empty"]);
    const notices = await text(page, ".run .notice");
    assert.equal(notices.length, 2, notices.join("\n"));
    assert.match(notices[0], /closed/);
    assert.equal(notices[1], "Settings changed: rules: 1 changed");
    for (const words of [...rows, ...notices]) assert.doesNotMatch(words, /[{}<>]|_/);

    assert.deepEqual(await text(page, ".run-setup summary"), ["With 1 rule, 1 skill, 1 server"]);
    await page.click(".run-setup summary");
    assert.deepEqual((await text(page, ".run-setup li")).slice(0, 2), ["Rule 1: Write “brew” instead of “tea”.", "Skill: house-style"]);
    await page.click('.row[data-tool="everything__get-sum"] .row-head');
    assert.match(await page.textContent('.row[data-tool="everything__get-sum"] .row-words'), /a: 2\nb: 3\n.*sum of 2 and 3 is 5/);

    assert.match(system(0), /house-style: Use it for articles and essays\./);
    assert.ok(llm.tool(1)["c-1"].includes("Point 340"), "the model gets the whole skill");
    assert.ok(llm.tool(2)["c-2"].includes(ENDING));
    assert.match(llm.tool(3)["c-3"], /The sum of 2 and 3 is 5/);
    assert.ok(system(5).includes("brew") && !system(5).includes("infusion"));
    assert.ok(system(6).includes("infusion") && !system(6).includes("brew"));
  });

  await t.test("a skill that is disabled meanwhile is gone from the next request on", async () => {
    await ask(page, "Write about coffee");
    await skilled.asked;
    await page.click('[data-card="tips"] input[type=checkbox]');
    await state(page, "tips", "disabled");
    skilled.open();
    await ended(page, 2);
    assert.ok(tools(8).includes("activate_skill") && system(8).includes("house-style"));
    assert.ok(!tools(9).includes("activate_skill") && !system(9).includes("house-style"));
    const [notice] = (await text(page, ".run:last-child .notice")).slice(-1);
    assert.equal(notice, "Settings changed: skills removed: house-style; tools removed: loading skills, reading files");
    assert.ok(await card(page, "tips").locator("text=Off").isVisible());
  });

  await t.test("everything is there after a reload, and a new rule has its words in Chinese", async () => {
    await saved(page);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await state(page, "tips", "disabled");
    await state(page, "everything", "ready");
    assert.equal(await page.inputValue("copydesk-rules textarea"), "Write “infusion” instead of “tea”.");
    assert.equal((await text(page, ".run-setup summary"))[0], "With 1 rule, 1 skill, 1 server");
    await page.click(".language");
    assert.match((await text(page, "#panel-assistant :is(h3, .card-state)")).join(" "), /规则.*技能.*已停用.*服务器/s);
    assert.equal((await text(page, ".row-text"))[2], "已使用 everything：Get Sum Tool");
    await card(page, "closed").locator("input[type=checkbox]").uncheck();
    await state(page, "everything", "ready");
    await ask(page, "20 加 22 等于几？");
    await ended(page, 3);
    assert.match(llm.tool(11)["c-9"], /The sum of 20 and 22 is 42/);
  });
});

test("a call that may destroy something asks first, and an image in a result is shown", async (t) => {
  const server = await everything(t);
  const llm = await model(t, [{ calls: [call("c-1", "everything__get-tiny-image")] }, { say: "There it is." }]);
  const page = await openDemo(t, { search: at(llm), expected });
  await page.click("#tab-assistant");
  await addServer(page, server.url, "everything");
  await state(page, "everything", "ready");
  await page.selectOption("copydesk-servers select", "always");
  await state(page, "everything", "ready");
  await ask(page, "Show me a tiny image");
  await page.waitForSelector('.row[data-state="approval"]');
  assert.equal(await page.textContent(".row-text"), "Use everything: Get Tiny Image Tool?");
  await page.click(".row-approval button >> nth=0");
  await ended(page);
  assert.ok(await page.$eval(".row-image", (image) => image.complete && image.naturalWidth > 0));
});

test("structured results of servers are shown in words, and as JSON in the details only", async (t) => {
  const orders = { total: 2, open: true, next_page: null, tags: [], buyer: { name: "Ann", city: { name: "Oslo" } }, orders: [{ id: 7, item_name: "Green tea", sizes: [1, 2] }, { id: 8, item_name: "Pot", sizes: [] }] };
  const results = {
    structured: { content: [], structuredContent: orders },
    // Text before it, and the value once more as text.
    both: { content: [{ type: "text", text: "Two orders [1]." }, { type: "text", text: JSON.stringify(orders, null, 2) }], structuredContent: orders },
    list: { content: [{ type: "text", text: "[\n  {\"id\": 1},\n  {\"id\": 2}\n]" }] },
    text: { content: [{ type: "text", text: "{curly} and [square] stay\n[1] as they are: 3 | 4" }] },
  };
  const names = Object.keys(results);
  const server = await hostile(t, {
    "tools/list": () => ({ tools: names.map((name) => ({ name, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } })) }),
    "tools/call": ({ name }) => results[name],
  });
  const given = { filter: { states: ["open", "sent"] } };
  const llm = await model(t, [{ calls: names.map((name) => call(name, `shop__${name}`, name === "structured" ? given : {})) }, { say: "Done." }]);
  const page = await openDemo(t, { search: at(llm), expected });
  await page.click("#tab-assistant");
  await addServer(page, server.url, "shop");
  await state(page, "shop", "ready");
  await ask(page, "Which orders are open?");
  await ended(page);
  const said = {};
  for (const name of names) {
    const row = page.locator(`.row[data-tool="shop__${name}"]`);
    await row.locator(".row-head").click();
    said[name] = await row.locator(".row-words").textContent();
    assert.equal(await row.locator(".row-details").evaluate((details) => details.open), false);
    assert.match(await row.locator(".row-details").textContent(), /[{[]/);
  }
  const inWords = "total: 2\nopen: yes\nnext page: none\ntags: none\nbuyer › name: Ann\nbuyer › city › name: Oslo\norders:\n• id: 7, item name: Green tea, sizes: (1, 2)\n• id: 8, item name: Pot, sizes: none";
  assert.deepEqual(said, {
    structured: `filter › states: open, sent\n${inWords}`,
    both: `Two orders [1].\n${inWords}`,
    list: "• id: 1\n• id: 2",
    text: "{curly} and [square] stay\n[1] as they are: 3 | 4",
  });
  await page.click(".language");
  assert.match(await page.textContent('.row[data-tool="shop__both"] .row-words'), /open：是\nnext page：无\n.*orders：\n• id：7，item name：Green tea/s);
});

test("the numbers of rules in the panel are those that the assistant is told", async (t) => {
  const llm = await model(t, [{ say: "Done." }, { say: "Done." }]);
  const page = await openDemo(t, { search: at(llm), prepare: (fresh) => fresh.addInitScript(() => {
    const rule = (id, text, enabled = true) => ({ id, text, enabled });
    localStorage.setItem("copydesk.rules", JSON.stringify([rule("a", "First off.", false), rule("b", "Rule of b."), rule("c", "  "), rule("d", "Rule of d.")]));
  }) });
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files .button");
  await page.evaluate(async () => {
    const { workspace } = document.querySelector("copydesk-files");
    for (const path of [".rules/b.md", ".rules/a.md", "AGENTS.md"]) await workspace.write(path, `Rule of ${path}.`);
  });
  await page.click("#tab-assistant");
  await page.waitForFunction(() => findAll(".rule-file").length === 3);
  /** The numbered rules of the panel, as the system prompt has them. */
  const shown = () => page.$$eval("copydesk-rules :is(.rule, .rule-file)", (rows) => rows.map((row) => {
    const number = row.querySelector(".rule-number").textContent;
    return number && `${number}. ${(row.querySelector("textarea")?.value ?? row.querySelector(".text").textContent).trim()}`;
  }).filter(Boolean));
  const told = () => llm.requests.at(-1).body.messages[0].content.split("\n").filter((line) => /^\d+\. Rule of /.test(line));
  const labels = () => page.$$eval("copydesk-rules textarea", (all) => all.map((field) => field.ariaLabel));
  await ask(page, "Write about tea");
  await ended(page);
  assert.equal(told().length, 5);
  assert.deepEqual(await shown(), told());
  assert.deepEqual(await labels(), ["Row 1, not used", "Rule 1", "Row 3, not used", "Rule 2"]);

  await page.locator("copydesk-rules .rule >> nth=1 >> input").uncheck();
  await page.fill("copydesk-rules textarea >> nth=2", "Rule of c.");
  await page.locator("copydesk-rules textarea >> nth=2").blur();
  await ask(page, "Write about coffee");
  await ended(page, 2);
  assert.equal(told().length, 5);
  assert.deepEqual(await shown(), told());
  assert.deepEqual(await labels(), ["Row 1, not used", "Row 2, not used", "Rule 1", "Rule 2"]);
});

test("what a panel says about a refused change is in the language of the page, also after it is switched", async (t) => {
  const page = await openDemo(t, {
    expected: [...expected, /mcp-[\w-]+\.js|dynamically imported/],
    prepare: async (fresh) => {
      await fresh.addInitScript(() => localStorage.setItem("copydesk.servers", JSON.stringify({ a: { url: "https://tools.example.org/mcp", enabled: false } })));
      await fresh.route(chunk, (route) => route.abort());
    },
  });
  await page.click("#tab-assistant");
  const says = (panel, sentence) => page.waitForFunction(
    ([panel, sentence]) => findAll("[role=alert]:not([hidden])", find(`copydesk-${panel}`).shadowRoot).map((alert) => alert.textContent).join() === sentence,
    [panel, sentence],
  );
  await card(page, "a").locator("input[type=checkbox]").click();
  await says("servers", "This part of the page could not be loaded. Check the network, and try again.");
  await addSkill(page, "https://ann:secret@example.org/tips");
  await says("skills", "Enter the URL of a repository or of a folder, without a password, or a folder in your files.");
  await page.click(".language");
  await says("servers", "页面的这一部分未能加载。请检查网络后重试。");
  await says("skills", "请输入代码仓库或文件夹的网址（不含密码），或文件中的文件夹。");
  await page.click("copydesk-skills button[type=submit]");
  await says("skills", "请输入代码仓库或文件夹的网址（不含密码），或文件中的文件夹。");
  await page.click(".language");
  await says("skills", "Enter the URL of a repository or of a folder, without a password, or a folder in your files.");
});

test("keys of servers are sent to their server only, and kept only with the other keys", async (t) => {
  const server = await listen(t, (request, response) => response.writeHead(401).end());
  const other = await listen(t, (request, response) => response.writeHead(401).end());
  const page = await openDemo(t, { expected: [/401|404/] });
  await page.click("#tab-assistant");
  await page.click("copydesk-servers .button >> text=Add a server");
  await page.keyboard.type(server.url);
  await page.fill("copydesk-servers input[type=password]", "sk-very-secret");
  await page.keyboard.press("Enter");
  await state(page, "local", "failed");
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer sk-very-secret") && server.requests.length > 0);
  const stored = () => page.evaluate(() => JSON.stringify(localStorage));
  assert.doesNotMatch(await stored(), /very-secret/);
  assert.doesNotMatch(await page.textContent("body"), /very-secret/);

  await openSettings(page);
  await page.check("dialog input[name=remember]");
  await page.click("dialog button[type=submit]");
  assert.match(await stored(), /very-secret/);

  // Another server does not get it.
  await card(page, "local").locator(".menu > button").click();
  await page.click(".popup:popover-open >> text=Change");
  await page.fill("copydesk-servers input[type=url]", other.url);
  await page.keyboard.press("Enter");
  await page.waitForFunction((url) => find("[data-card=local]")?.textContent.includes(url), other.url);
  await state(page, "local", "failed");
  assert.ok(other.requests.length > 0 && other.requests.every(({ headers }) => !headers.authorization));
  assert.doesNotMatch(await stored(), /very-secret/);
});

test("a page without skills, servers and rules loads nothing of them", async (t) => {
  const page = await openDemo(t);
  await ask(page, "What can you do?");
  await ended(page);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1)));
  assert.deepEqual(loaded.filter((name) => /^(?:mcp|skills|mount|isomorphic-git)-/.test(name)), []);
  assert.equal((await written(page)).length, 0);
});

test("what cannot be added says why, and everything can be reached by the keyboard, moved and removed", async (t) => {
  const page = await openDemo(t, { locale: "en-US" });
  await page.focus("#tab-outline");
  await page.keyboard.press("End");
  await page.waitForSelector("copydesk-servers .button");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-assistant");
  for (const [url, name, problem] of [
    ["https://a.example/mcp", "not valid", /letters, digits, hyphens/],
    ["file:///etc/passwd", "a", /begins with https/],
    ["javascript:alert(1)", "a", /begins with https/],
  ]) {
    await addServer(page, url, name);
    await page.waitForSelector("copydesk-servers [role=alert]:not([hidden])");
    assert.match(await page.textContent("copydesk-servers [role=alert]:not([hidden])"), problem);
    await page.keyboard.press("Escape");
  }
  await addSkill(page, "https://user:password@example.org/tips");
  await page.waitForSelector("copydesk-skills [role=alert]:not([hidden])");
  const said = await page.textContent("copydesk-skills [role=alert]:not([hidden])");
  assert.match(said, /without a password/);
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.skills")), null);
  await page.keyboard.press("Escape");

  for (const rule of ["One.", "Two."]) await addRule(page, rule);
  const rules = () => page.$$eval("copydesk-rules textarea", (all) => all.map(({ value }) => value));
  await page.focus("copydesk-rules li:nth-child(2) .menu > button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => focusedElement().textContent === "Move up");
  await page.keyboard.press("Enter");
  assert.deepEqual(await rules(), ["Two.", "One."]);
  for (let left = 2; left > 0; left--) {
    await page.click("copydesk-rules li:first-child .menu > button");
    await page.click(".popup:popover-open >> text=Remove");
    await page.waitForFunction((count) => findAll("li", find("copydesk-rules").shadowRoot).length === count, left - 1);
  }
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.rules")), null);
});

test("the rules in the user's files are shown, and count", async (t) => {
  const llm = await model(t, [{ say: "Done." }]);
  const page = await openDemo(t, { search: at(llm) });
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files .button");
  await page.evaluate(() => document.querySelector("copydesk-files").workspace.write("AGENTS.md", "Write “brew” instead of “tea”."));
  await page.click("#tab-assistant");
  await page.waitForSelector(".rule-file >> text=brew");
  await ask(page, "Write about tea");
  await ended(page);
  assert.match(await page.textContent(".run-setup li"), /^Rule 1: AGENTS\.md: Write “brew”/);
  assert.match(llm.requests[0].body.messages[0].content, /Write “brew” instead of “tea”\./);
  await page.click(".rule-file button");
  await page.waitForSelector(".file-bar >> text=AGENTS.md");
});

/** The code of servers. */
const chunk = /\/mcp-[\w-]+\.js$/;

test("what the user changes while the code of servers is loading counts, also if it cannot be loaded", async (t) => {
  const server = await everything(t);
  const page = await openDemo(t, {
    expected: [...expected, /mcp-[\w-]+\.js|dynamically imported/],
    prepare: (fresh) => fresh.addInitScript((url) => {
      if (sessionStorage.seeded) return;
      sessionStorage.seeded = "1";
      localStorage.setItem("copydesk.servers", JSON.stringify({ a: { url }, b: { url } }));
    }, server.url),
  });
  await page.click("#tab-assistant");
  for (const name of ["a", "b"]) await state(page, name, "ready");
  await page.reload();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(chunk, async (route) => (await held, route.continue()));
  await page.reload();
  await page.waitForSelector("[data-card=a]");
  for (const name of ["a", "b"]) await card(page, name).locator("input[type=checkbox]").uncheck();
  release();
  await page.waitForFunction(() => ["a", "b"].every((name) => JSON.parse(localStorage.getItem("copydesk.servers"))[name].enabled === false));
  for (const name of ["a", "b"]) assert.equal(await card(page, name).getAttribute("data-state"), "disabled");
  await page.unroute(chunk);

  // Now it cannot be loaded: the server is refused, the rule and the focus stay.
  await page.evaluate(() => localStorage.removeItem("copydesk.servers"));
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  let fail;
  const failed = new Promise((resolve) => (fail = resolve));
  await page.route(chunk, async (route) => (await failed, route.abort()));
  await addServer(page, server.url, "new");
  await addRule(page, "Write British");
  fail();
  await page.waitForSelector("copydesk-servers [role=alert]:not([hidden])");
  await page.keyboard.type(" English.");
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("copydesk.rules") ?? "[]")[0]?.text === "Write British English.");
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.servers")), null);
});

test("a click right after a rule was typed counts, and what was typed right before a reload", async (t) => {
  const server = await everything(t);
  const page = await openDemo(t, { expected });
  await page.click("#tab-assistant");
  await addServer(page, server.url, "one");
  await state(page, "one", "ready");
  await addRule(page, "Be brief.");
  const box = await card(page, "one").locator("input[type=checkbox]").boundingBox();
  await page.mouse.move(box.x + 7, box.y + 7);
  await page.mouse.down();
  await frames(page);
  await page.mouse.up();
  await state(page, "one", "disabled");
  await page.click("copydesk-rules textarea");
  await page.keyboard.press("End");
  await page.keyboard.type(` See https://example.org/${"long".repeat(30)}`);
  await page.reload();
  await page.waitForSelector("copydesk-rules textarea");
  assert.match(await page.inputValue("copydesk-rules textarea"), /long$/);
  assert.ok(await page.$eval("copydesk-rules", (panel) => panel.scrollWidth <= panel.clientWidth));
});

test("undo in a field leaves the document as it is", async (t) => {
  const page = await openDemo(t);
  await page.click(".tiptap");
  await page.keyboard.type("Doc text");
  await page.click("#tab-assistant");
  await addRule(page, "x");
  for (let times = 0; times < 4; times++) await page.keyboard.press("Control+z");
  await page.fill("#composer", "y");
  for (let times = 0; times < 4; times++) await page.keyboard.press("Control+z");
  assert.equal(await page.textContent(".tiptap"), "Doc text");
  await page.click(".tiptap");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector(".tiptap").textContent === "");
});

test("names that objects have, damaged entries and URLs with passwords do no harm", async (t) => {
  const server = await everything(t);
  const page = await openDemo(t, {
    expected,
    prepare: (fresh) => fresh.addInitScript((url) => {
      if (sessionStorage.seeded) return;
      sessionStorage.seeded = "1";
      const put = (name, value) => localStorage.setItem(`copydesk.${name}`, JSON.stringify(value));
      put("servers", { good: { url, tools: "x", approval: 5, enabled: "no", headers: 7 }, bad: { url: 5 }, worse: { url: "ftp://x" }, worst: null, "": { url } });
      put("server-keys", { good: "abc", bad: 5 });
      put("skills", [5, null, { id: "x", source: "javascript:alert(1)" }, { id: "", source: "" }]);
      put("rules", [{ id: "a", text: "Be kind.", enabled: 5 }, null, 7, { id: "b" }]);
    }, server.url),
  });
  await page.click("#tab-assistant");
  await state(page, "good", "ready");
  assert.deepEqual(await page.$$eval("[data-card]", (all) => all.map(({ dataset }) => dataset.card)), ["good"]);
  assert.equal(await page.inputValue("copydesk-rules textarea"), "Be kind.");
  for (const name of ["constructor", "__proto__", "toString"]) {
    await addServer(page, server.url, name);
    await state(page, name, "ready");
  }
  await addServer(page, server.url.replace("//", "//ann:secret@"), "own");
  await page.waitForSelector("copydesk-servers [role=alert] >> text=without a user name");
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes("secret"));
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  for (const name of ["good", "constructor", "__proto__", "toString"]) await state(page, name, "ready");
});

test("a key that was removed in another tab stays removed", async (t) => {
  const server = await listen(t, (request, response) => response.writeHead(401).end());
  const page = await openDemo(t, { expected: [/401|404/] });
  const keys = () => page.evaluate(() => localStorage.getItem("copydesk.server-keys"));
  await openSettings(page);
  await page.check("dialog input[name=remember]");
  await page.click("dialog button[type=submit]");
  await page.click("#tab-assistant");
  await page.click("copydesk-servers .button >> text=Add a server");
  await page.keyboard.type(server.url);
  await page.fill("copydesk-servers input[type=password]", "sk-very-secret");
  await page.keyboard.press("Enter");
  await state(page, "local", "failed");
  assert.match(await keys(), /very-secret/);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForSelector("html[data-ready]");
  await other.click(".actions .tool:last-child");
  await other.uncheck("dialog input[name=remember]");
  await other.click("dialog button[type=submit]");
  await page.waitForFunction(() => localStorage.getItem("copydesk.server-keys") === null);
  await addRule(page, "Be brief.");
  await page.waitForFunction(() => localStorage.getItem("copydesk.rules")?.includes("brief"));
  assert.equal(await keys(), null);
});

test("a change of the language does not end a call, nor does the end of its server the answer", async (t) => {
  const server = await everything(t);
  const work = (id) => ({ calls: [call(id, "all__trigger-long-running-operation", { duration: 2, steps: 2 })] });
  const llm = await model(t, [work("c-1"), { say: "It took long." }, work("c-2"), { say: "It could not be done." }]);
  const page = await openDemo(t, { search: at(llm), expected });
  await page.click("#tab-assistant");
  await addServer(page, server.url, "all");
  await state(page, "all", "ready");
  const long = "Work for two seconds";
  await ask(page, long);
  await page.waitForSelector('.row[data-tool="all__trigger-long-running-operation"]');
  await page.click(".language");
  await ended(page);
  assert.match(llm.tool(1)["c-1"], /Long running operation completed/);
  await state(page, "all", "ready");
  await page.click(".language");
  await state(page, "all", "ready");
  await ask(page, long);
  await page.waitForSelector('.run:last-child .row[data-tool="all__trigger-long-running-operation"]');
  await card(page, "all").locator(".menu > button").click();
  await page.click(".popup:popover-open >> text=Remove");
  await ended(page, 2);
  assert.equal((await text(page, ".assistant-message")).at(-1), "It could not be done.");
  assert.equal(await page.locator('.run:last-child .row[data-state="failed"]').count(), 1);
});

test("rules that the browser has no room for are named", async (t) => {
  const page = await openDemo(t);
  await page.evaluate(() => {
    for (let size = 1 << 22; size > 16; size >>= 1)
      try {
        for (let at = 0; ; at++) localStorage.setItem(`full-${size}-${at}`, "x".repeat(size));
      } catch {}
  });
  await page.click("#tab-assistant");
  await addRule(page, "Write British English, and mention the harbour in every chapter of the book.");
  await page.waitForSelector("[data-notice=unsaved-additions]");
  await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("full-")).forEach((name) => localStorage.removeItem(name)));
  await page.keyboard.type(" Always.");
  await page.waitForSelector("[data-notice=unsaved-additions]", { state: "detached" });
});

test("a folder of the user's files is a source of skills at once", async (t) => {
  const llm = await model(t, [{ say: "Done." }]);
  const page = await openDemo(t, { search: at(llm) });
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files .button");
  await page.evaluate(() => document.querySelector("copydesk-files").workspace.write("notes/skills/tea/SKILL.md", "---\nname: tea\ndescription: Use it for tea.\n---\nEnd every section with “Sip.”\n"));
  await page.click("#tab-assistant");
  await addSkill(page, "notes/skills");
  await state(page, "skills", "ready");
  await ask(page, "Write about tea");
  await ended(page);
  assert.deepEqual(await text(page, ".run .notice"), []);
  assert.match(llm.requests[0].body.messages[0].content, /End every section with “Sip\.”/);
});
