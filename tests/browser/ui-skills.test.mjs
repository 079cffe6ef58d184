// `<copydesk-skills>` and `<copydesk-servers>`: lists of what is configured, with the states that the page or a plugin tells.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";

const SKILL = { name: "house-style", description: "Use it for articles.", content: "Be brief.\n", files: ["references/form.md"], trusted: false };
const SOURCES = [{ id: "tips", source: "https://github.com/ann/tips" }, { id: "own", source: "notes/skills", enabled: false }];

/** Shows a panel. Proposed values are in `proposed`; `refuse` is the sentence with which the page refuses the next one. */
async function open(t, name, properties) {
  const { page } = await openUi(t, []);
  await page.evaluate(
    ([name, properties]) => {
      Object.assign(window, { proposed: [], others: [], refuse: null });
      for (const type of ["sources-change", "servers-change"])
        addEventListener(type, ({ detail: { value, waitUntil } }) => {
          proposed.push(value);
          if (refuse) waitUntil(Promise.reject(refuse));
        });
      for (const type of ["source-refresh", "server-reconnect"]) addEventListener(type, ({ detail }) => others.push(detail));
      return showPanel(name, properties);
    },
    [name, properties],
  );
  return page;
}
const proposed = (page) => page.evaluate(() => proposed.at(-1));
const focusedText = (page) => page.evaluate(() => panel.shadowRoot.activeElement?.textContent.trim());
const menu = async (page, id, item) => {
  await page.click(`[data-card="${id}"] .menu > button`);
  await page.click(`.popup:popover-open >> text=${item}`);
};

test("sources of skills are shown with their states, turned off, refreshed and removed", async (t) => {
  const states = [{ ...SOURCES[0], state: "ready", skills: [SKILL], origin: "https://github.com/ann/tips", isStored: true, warnings: [{ code: "w", message: "One file was skipped." }] }];
  const page = await open(t, "skills", { sources: SOURCES, states });
  const card = page.locator('[data-card="tips"]');
  assert.match(await card.textContent(), /tips\s*Ready · 1 skill[^]*One file was skipped\.[^]*house-style\s*Use it for articles\.[^]*Be brief\.[^]*references\/form\.md[^]*Written by someone else/);
  assert.equal(await page.getAttribute('[data-card="own"]', "data-state"), "disabled");
  await card.locator("summary").click();
  await card.locator("[part=enabled]").uncheck();
  assert.deepEqual((await proposed(page))[0], { ...SOURCES[0], enabled: false });
  assert.equal(await card.locator("[part=skill]").count(), 0);
  await menu(page, "tips", "Look for a newer version");
  assert.deepEqual(await page.evaluate(() => others), [{ id: "tips" }]);
  await menu(page, "own", "Remove");
  assert.deepEqual((await proposed(page)).map(({ id }) => id), ["tips"]);
  await page.waitForFunction(() => panel.shadowRoot.activeElement?.textContent === "Add a skill");
});

test("a source is added by keyboard; a refusal is said in the language of the panel, and the form stays", async (t) => {
  const page = await open(t, "skills", { sources: SOURCES });
  await page.focus("[part=add]");
  await page.keyboard.press("Enter");
  await page.keyboard.type("https://github.com/bob/tips.git");
  await page.evaluate(() => (refuse = new LocalizedError({ en: "No such place.", "zh-CN": "没有此处。" })));
  await page.keyboard.press("Enter");
  await page.waitForSelector("[part=form] [role=alert] >> text=No such place.");
  assert.equal(await page.locator(".card").count(), 2, "what was refused is gone");
  assert.equal(await page.evaluate(() => panel.shadowRoot.activeElement.name), "source");
  assert.equal(await page.getAttribute("[part=input]", "aria-invalid"), "true");
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.waitForSelector("[role=alert] >> text=没有此处。");
  await page.evaluate(() => (refuse = null));
  await page.keyboard.press("Enter");
  await page.waitForSelector("[part=form]", { state: "detached" });
  assert.deepEqual((await proposed(page)).at(-1), { id: "tips-2", source: "https://github.com/bob/tips.git" });
  assert.equal(await focusedText(page), "添加技能");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("[part=form]").count(), 0);
});

test("a change that is refused later is taken back, with the reason; what was changed since stays", async (t) => {
  const page = await open(t, "skills", { sources: SOURCES });
  await page.evaluate(() => (refuse = new Error("Not now.")));
  await page.click('[data-card="own"] [part=enabled]');
  await page.waitForSelector("fieldset > [role=alert] >> text=Not now.");
  assert.equal(await page.isChecked('[data-card="own"] [part=enabled]'), false);
  await page.evaluate(() => (refuse = null));
  await page.click('[data-card="own"] [part=enabled]');
  assert.equal(await page.isChecked('[data-card="own"] [part=enabled]'), true);
  await page.waitForSelector("fieldset > [role=alert]", { state: "hidden" });
  await page.evaluate(() => (panel.disabled = true));
  await page.waitForFunction(() => panel.shadowRoot.querySelector("[part=add]").matches(":disabled"));
});

test("with a plugin the panel shows its states, and gives it what the user changes unless the page prevents it", async (t) => {
  const page = await open(t, "skills", { sources: [] });
  await page.evaluate(() => {
    const listeners = new Set();
    window.plugin = {
      list: [],
      configured: [],
      refreshed: [],
      subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
      configure(list) {
        if (list.some(({ source }) => source === "bad")) throw new Error("This is no source.");
        this.configured.push(list);
        this.list = list.map((each) => ({ ...each, state: "loading", skills: [], origin: each.source, warnings: [] }));
        for (const listener of listeners) listener();
      },
      async refresh(id) {
        this.refreshed.push(id);
      },
    };
    panel.plugin = window.plugin;
    window.listeners = listeners;
  });
  const add = async (source) => {
    await page.click("[part=add]");
    await page.keyboard.type(source);
    await page.keyboard.press("Enter");
  };
  await add("notes/skills");
  await page.waitForSelector('[data-card="skills"][data-state="loading"]');
  assert.equal(await page.evaluate(() => plugin.configured.length), 1);
  await menu(page, "skills", "Look for a newer version");
  assert.deepEqual(await page.evaluate(() => plugin.refreshed), ["skills"]);
  await add("bad");
  await page.waitForSelector("[role=alert] >> text=This is no source.");
  await page.keyboard.press("Escape");
  await page.evaluate(() => addEventListener("sources-change", (event) => event.preventDefault()));
  await page.click('[data-card="skills"] [part=enabled]');
  assert.equal(await page.evaluate(() => plugin.configured.length), 1);
  await page.evaluate(() => panel.remove());
  assert.equal(await page.evaluate(() => listeners.size), 0);
});

test("the plugin gets a change only when the page has agreed; changes that are refused go back to what was accepted", async (t) => {
  const page = await open(t, "skills", { sources: SOURCES });
  await page.evaluate(() => {
    Object.assign(window, { configured: [], answers: [] });
    panel.plugin = { list: [], subscribe: () => () => {}, configure: (list) => configured.push(list) };
    panel.addEventListener("sources-change", ({ detail }) => detail.waitUntil(new Promise((agree, reject) => answers.push({ agree, reject }))));
  });
  const boxes = () => page.$$eval("[part=enabled]", (all) => all.map(({ checked }) => checked));
  const counted = () => page.evaluate(() => configured.length);
  await page.click('[data-card="own"] [part=enabled]');
  await page.click('[data-card="tips"] [part=enabled]');
  assert.deepEqual(await boxes(), [false, true]);
  assert.equal(await counted(), 0, "nobody has agreed");
  await page.evaluate(() => answers[0].reject(new Error("Not that.")));
  await page.waitForSelector("fieldset > [role=alert] >> text=Not that.");
  assert.deepEqual(await boxes(), [false, true], "what was changed since stays");
  await page.evaluate(() => answers[1].reject(new Error("Nor that.")));
  await page.waitForSelector("fieldset > [role=alert] >> text=Nor that.");
  assert.deepEqual(await boxes(), [true, false]);
  assert.equal(await counted(), 0);
  await page.click('[data-card="own"] [part=enabled]');
  await page.evaluate(() => answers[2].agree());
  await page.waitForFunction(() => configured.length === 1);
  await page.click('[data-card="tips"] [part=enabled]');
  await page.click('[data-card="own"] [part=enabled]');
  await page.evaluate(() => (answers[4].agree(), answers[3].agree()));
  await page.waitForFunction(() => configured.length > 1);
  assert.deepEqual(await page.evaluate(() => configured.map((list) => list.map(({ enabled }) => enabled ?? true))), [[true, true], [false, false]]);
});

test("a copy of what the page has given takes nothing back", async (t) => {
  const page = await open(t, "skills", { sources: SOURCES });
  const isOn = () => page.isChecked('[data-card="own"] [part=enabled]');
  const give = (sources) => page.evaluate((sources) => ((panel.sources = sources), panel.updateComplete), sources);
  await page.click('[data-card="own"] [part=enabled]');
  await give(SOURCES);
  assert.equal(await isOn(), true);
  await give([SOURCES[1]]);
  assert.equal(await isOn(), false);
});

const TOOLS = [
  { name: "a__sum", tool: "sum", title: "Get Sum", description: "Adds.", inputSchema: {}, needsApproval: true },
  { tool: "echo", inputSchema: {}, needsApproval: false },
];
const SERVERS = { a: { url: "https://a.example/mcp", headers: { Authorization: "Bearer sk-1" } }, b: { url: "https://b.example/mcp" } };

test("servers are shown with their tools, changed, connected again and removed; a key stays with its server", async (t) => {
  const states = [
    { name: "a", state: "ready", protocolVersion: "2025-11-25", tools: TOOLS },
    { name: "b", state: "failed", tools: [], error: { code: "x", message: "It cannot be reached." } },
  ];
  const page = await open(t, "servers", { servers: SERVERS, states });
  assert.match(await page.textContent('[data-card="a"]'), /Ready[^]*https:\/\/a\.example\/mcp · Protocol 2025-11-25[^]*2 tools[^]*Get Sum\s*asks first\s*Adds\.[^]*echo\s*not used/);
  assert.match(await page.textContent('[data-card="b"]'), /Not connected[^]*It cannot be reached\./);
  assert.doesNotMatch(await page.evaluate(() => panel.shadowRoot.innerHTML), /sk-1/);
  await page.selectOption('[data-card="b"] select', "always");
  assert.equal((await proposed(page)).b.approval, "always");
  await menu(page, "b", "Connect again");
  assert.deepEqual(await page.evaluate(() => others), [{ name: "b" }]);
  await menu(page, "a", "Change");
  assert.equal(await page.inputValue("[name=url]"), "https://a.example/mcp");
  assert.equal(await page.locator("[name=name]").count(), 0);
  await page.fill("[name=url]", "https://a.example/other");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[part=form]", { state: "detached" });
  assert.deepEqual((await proposed(page)).a.headers, { Authorization: "Bearer sk-1" }, "the same server keeps the key");
  assert.equal(await page.evaluate(() => panel.shadowRoot.activeElement.getAttribute("aria-label")), "Actions for a");
  await menu(page, "a", "Change");
  await page.fill("[name=url]", "https://elsewhere.example/mcp");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[part=form]", { state: "detached" });
  assert.deepEqual((await proposed(page)).a, { url: "https://elsewhere.example/mcp", headers: {} });
  await menu(page, "a", "Remove");
  assert.deepEqual(Object.keys(await proposed(page)), ["b"]);
});

test("changing a server changes its key alone: other headers and schemes stay", async (t) => {
  const headers = { "X-Team": "red", authorization: "Basic YTpi" };
  const page = await open(t, "servers", { servers: { a: { url: "https://a.example/mcp", headers } } });
  const change = async (fields) => {
    await menu(page, "a", "Change");
    if ("header" in fields) await page.click("summary >> text=More");
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.press("[name=url]", "Enter");
    await page.waitForSelector("[part=form]", { state: "detached" });
    return (await proposed(page)).a;
  };
  assert.deepEqual(await change({ url: "https://a.example/other" }), { url: "https://a.example/other", headers });
  assert.deepEqual((await change({ key: "sk-1" })).headers, { authorization: "Bearer sk-1", "X-Team": "red" });
  assert.deepEqual((await change({ header: "X-Key" })).headers, { "X-Key": "sk-1", "X-Team": "red" });
  await menu(page, "a", "Remove the key");
  assert.deepEqual((await proposed(page)).a.headers, { "X-Team": "red" });
});

test("a late outcome closes and changes no other form", async (t) => {
  const page = await open(t, "servers", { servers: SERVERS });
  await page.evaluate(() => {
    window.answers = [];
    panel.addEventListener("servers-change", ({ detail }) => detail.waitUntil(new Promise((agree, reject) => answers.push({ agree, reject }))));
  });
  const submit = async (id) => {
    await menu(page, id, "Change");
    await page.press("[name=url]", "Enter");
  };
  const settle = (at, how) => page.evaluate(async ([at, how]) => (answers[at][how](new Error("Too late.")), await Promise.resolve(), panel.updateComplete), [at, how]);
  await submit("a");
  await menu(page, "b", "Change");
  await page.fill("[name=url]", "https://b.example/other");
  await settle(0, "agree");
  assert.equal(await page.inputValue("[name=url]"), "https://b.example/other");
  assert.equal(await page.locator("[name=name]").count(), 0, "it is still the form of the server");
  await page.press("[name=url]", "Enter");
  await page.waitForFunction(() => answers.length === 2);
  assert.equal((await proposed(page)).b.url, "https://b.example/other");
  await page.keyboard.press("Escape");
  await page.click("[part=add]");
  await settle(1, "reject");
  assert.equal(await page.textContent("[part=form] [role=alert]"), "");
  await page.keyboard.type("https://c.example/mcp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => answers.length === 3);
  await settle(2, "agree");
  await page.waitForSelector("[part=form]", { state: "detached" });
});

test("a server that is not valid is not added, and says why; its name comes from its URL", async (t) => {
  const page = await open(t, "servers", { servers: { example: { url: "https://x.example" } } });
  await page.click("[part=add]");
  const attempt = async (fields, problem) => {
    for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
    await page.press("[name=url]", "Enter");
    if (problem) await page.waitForFunction((source) => new RegExp(source).test(panel.shadowRoot.querySelector("[part=form] [role=alert]").textContent), problem.source);
  };
  await page.click("summary >> text=More");
  await attempt({ url: "file:///etc/passwd" }, /begins with https/);
  await attempt({ url: "https://user:word@a.example" }, /without a user name/);
  await attempt({ url: "https://mcp.tools.example/mcp", name: "not valid" }, /letters, digits, hyphens/);
  await attempt({ name: "example" }, /already something named example/);
  await attempt({ name: "", header: "no header" }, /A header has/);
  await attempt({ header: "X-Key", key: "ключ" }, /A key has letters/);
  assert.deepEqual(await page.evaluate(() => proposed), []);
  await attempt({ key: "sk-2" });
  await page.waitForSelector("[part=form]", { state: "detached" });
  assert.deepEqual((await proposed(page)).tools, { url: "https://mcp.tools.example/mcp", headers: { "X-Key": "sk-2" } });
  await page.evaluate(() => (panel.keepsKeys = true));
  await page.click("[part=add]");
  await page.waitForSelector(".hint >> text=kept in this browser");
});
