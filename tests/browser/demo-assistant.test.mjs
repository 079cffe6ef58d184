// Skills, servers and rules in the demo: one run uses them, and its timeline shows what each contributed. The model is the
// demo's script, which knows only its requests; the skill comes from a real git repository, the tools from a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everything, listen } from "../mcp/servers.mjs";
import { gitServer, repository } from "../skills/servers.mjs";
import { ask, ended, offline, openDemo, openSettings, text, written } from "./demo-page.mjs";

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
  await page.click("copydesk-skills .copydesk-button >> text=/^(Add a skill|添加技能)$/");
  await page.keyboard.type(source);
  await page.keyboard.press("Enter");
}

async function addServer(page, url, name) {
  await page.click("copydesk-servers .copydesk-button >> text=/^(Add a server|添加服务器)$/");
  await page.keyboard.type(url);
  await page.fill("copydesk-servers .copydesk-panel-field >> nth=1 >> input", name);
  await page.keyboard.press("Enter");
}

async function addRule(page, rule) {
  await page.click("copydesk-rules > .copydesk-button");
  await page.keyboard.type(rule);
}

const rowDone = (page, tool, count) =>
  page.waitForFunction(([tool, count]) => document.querySelectorAll(`.run:last-child .row[data-tool="${tool}"][data-state="done"]`).length >= count, [tool, count]);

/** Returns the paragraphs of each section that was written. */
const sections = (page) =>
  page.$$eval(".tiptap > *", (blocks) =>
    blocks.reduce((found, block) => {
      if (block.localName === "h2") found.push([]);
      else found.at(-1)?.push(block.textContent);
      return found;
    }, []),
  );

test("one run uses a skill, a tool of a server and a rule, and shows what each contributed", async (t) => {
  const { home } = repository(t, SKILL);
  const git = await gitServer(t, home);
  const server = await everything(t);
  const down = await listen(t, () => {});
  await down.stop();
  const page = await openDemo(t, { expected });

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
    assert.match(await card(page, "closed").locator(".copydesk-problem").textContent(), /^[^{}_]*$/);
    await page.keyboard.press("Escape");
  });

  await t.test("the run uses them, and a rule that is edited meanwhile counts from the next request on", async () => {
    await ask(page, "Use get-sum with 2 and 3. Write an article about tea with three sections");
    await rowDone(page, "update_section", 2);
    await page.fill("copydesk-rules textarea", "Write “infusion” instead of “tea”.");
    await ended(page);
    const rows = await text(page, ".row-text");
    assert.deepEqual(rows.slice(0, 4), ["Loaded the skill “house-style”", "Read references/form.md of the skill “house-style”", "Used everything: Get Sum Tool", "Read the document: empty"]);
    const notices = await text(page, ".run .notice");
    assert.equal(notices.length, 2, notices.join("\n"));
    assert.match(notices[0], /closed/);
    assert.equal(notices[1], "Settings changed: rules: 1 changed");
    for (const words of [...rows, ...notices]) assert.doesNotMatch(words, /[{}<>]|_/);

    assert.equal(await page.textContent(".run-setup summary"), "With 1 rule, 1 skill, 1 server");
    await page.click(".run-setup summary");
    assert.deepEqual((await text(page, ".run-setup li")).slice(0, 2), ["Rule 1: Write “brew” instead of “tea”.", "Skill: house-style"]);
    await page.click('.row[data-tool="everything__get-sum"] .row-head');
    assert.match(await page.textContent('.row[data-tool="everything__get-sum"] .row-words'), /a: 2\nb: 3\n.*sum of 2 and 3 is 5/);

    const [first, , third] = await sections(page);
    assert.ok(first.join().includes("brew") && !/\btea\b|infusion/.test(first.join()), first.join());
    assert.ok(third.join().includes("infusion") && !/\btea\b/.test(third.join()), third.join());
    for (const section of [first, third]) assert.equal(section.at(-1), ENDING);
    const [answer] = (await text(page, ".assistant-message")).slice(-1);
    assert.match(answer, /everything says: The sum of 2 and 3 is 5\./);
    assert.match(answer, /I followed the skill house-style and rule 1\./);
  });

  await t.test("a skill that is disabled meanwhile is gone from the next request on", async () => {
    await ask(page, "Write an article about coffee with three sections");
    await rowDone(page, "update_section", 1);
    await card(page, "tips").locator("input[type=checkbox]").uncheck();
    await ended(page, 2);
    const all = await sections(page);
    assert.equal(all[3].at(-1), ENDING);
    assert.notEqual(all.at(-1).at(-1), ENDING);
    const [notice] = (await text(page, ".run:last-child .notice")).slice(-1);
    assert.equal(notice, "Settings changed: skills removed: house-style; tools removed: loading skills, reading files");
    assert.ok(await card(page, "tips").locator("text=Off").isVisible());
  });

  await t.test("everything is there after a reload, and a new rule has its words in Chinese", async () => {
    await page.waitForTimeout(700);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await state(page, "tips", "disabled");
    await state(page, "everything", "ready");
    assert.equal(await page.inputValue("copydesk-rules textarea"), "Write “infusion” instead of “tea”.");
    assert.equal((await text(page, ".run-setup summary"))[0], "With 1 rule, 1 skill, 1 server");
    await page.click(".language");
    assert.match(await page.textContent("#panel-assistant"), /规则.*技能.*已停用.*服务器/s);
    assert.equal((await text(page, ".row-text"))[2], "已使用 everything：Get Sum Tool");
    await card(page, "closed").locator("input[type=checkbox]").uncheck();
    await state(page, "everything", "ready");
    await ask(page, "使用 get-sum，参数为 20 和 22。");
    await ended(page, 3);
    assert.match((await text(page, ".assistant-message")).at(-1), /42/);
  });
});

test("a call that may destroy something asks first, and an image in a result is shown", async (t) => {
  const server = await everything(t);
  const page = await openDemo(t, { expected });
  await page.click("#tab-assistant");
  await addServer(page, server.url, "everything");
  await state(page, "everything", "ready");
  await page.selectOption("copydesk-servers select", "always");
  await state(page, "everything", "ready");
  await ask(page, "Use get-tiny-image.");
  await page.waitForSelector('.row[data-state="approval"]');
  assert.equal(await page.textContent(".row-text"), "Use everything: Get Tiny Image Tool?");
  await page.click(".row-approval button >> nth=0");
  await ended(page);
  assert.ok(await page.$eval(".row-image", (image) => image.complete && image.naturalWidth > 0));
});

test("keys of servers are sent to their server only, and kept only with the other keys", async (t) => {
  const server = await listen(t, (request, response) => response.writeHead(401).end());
  const other = await listen(t, (request, response) => response.writeHead(401).end());
  const page = await openDemo(t, { expected: [/401|404/] });
  await page.click("#tab-assistant");
  await page.click("copydesk-servers .copydesk-button >> text=Add a server");
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
  await card(page, "local").locator(".copydesk-row-menu > button").click();
  await page.click(".copydesk-popup:popover-open >> text=Change");
  await page.fill("copydesk-servers input[type=url]", other.url);
  await page.keyboard.press("Enter");
  await page.waitForFunction((url) => document.querySelector("[data-card=local]")?.textContent.includes(url), other.url);
  await state(page, "local", "failed");
  assert.ok(other.requests.length > 0 && other.requests.every(({ headers }) => !headers.authorization));
  assert.doesNotMatch(await stored(), /very-secret/);
});

test("a page without skills, servers and rules loads nothing of them", async (t) => {
  const page = await openDemo(t);
  await ask(page, "What can you do?");
  await ended(page);
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1)));
  assert.deepEqual(loaded.filter((name) => /^(?:mcp|skills|mount|guided|isomorphic-git)-/.test(name)), []);
  assert.equal((await written(page)).length, 0);
});

test("what cannot be added says why, and everything can be reached by the keyboard, moved and removed", async (t) => {
  const page = await openDemo(t, { locale: "en-US" });
  await page.focus("#tab-outline");
  await page.keyboard.press("End");
  await page.waitForSelector("copydesk-servers .copydesk-button");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-assistant");
  for (const [url, name, problem] of [
    ["https://a.example/mcp", "not valid", /letters, digits, hyphens/],
    ["file:///etc/passwd", "a", /begins with https/],
    ["javascript:alert(1)", "a", /begins with https/],
  ]) {
    await addServer(page, url, name);
    await page.waitForSelector("copydesk-servers [role=alert]:not([hidden])");
    assert.match(await page.textContent("copydesk-servers [role=alert]"), problem);
    await page.keyboard.press("Escape");
  }
  await addSkill(page, "https://user:password@example.org/tips");
  await page.waitForSelector("copydesk-skills [role=alert]:not([hidden])");
  const said = await page.textContent("copydesk-skills [role=alert]");
  assert.match(said, /without a password/);
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.skills")), null);
  await page.keyboard.press("Escape");

  for (const rule of ["One.", "Two."]) await addRule(page, rule);
  const rules = () => page.$$eval("copydesk-rules textarea", (all) => all.map(({ value }) => value));
  await page.focus("copydesk-rules li:nth-child(2) .copydesk-row-menu > button");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.textContent === "Move up");
  await page.keyboard.press("Enter");
  assert.deepEqual(await rules(), ["Two.", "One."]);
  for (let left = 2; left > 0; left--) {
    await page.click("copydesk-rules li:first-child .copydesk-row-menu > button");
    await page.click(".copydesk-popup:popover-open >> text=Remove");
    await page.waitForFunction((count) => document.querySelectorAll("copydesk-rules li").length === count, left - 1);
  }
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.rules")), null);
});

test("the rules in the user's files are shown, and count", async (t) => {
  const page = await openDemo(t);
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files .copydesk-button");
  await page.evaluate(() => document.querySelector("copydesk-files").workspace.write("AGENTS.md", "Write “brew” instead of “tea”."));
  await page.click("#tab-assistant");
  await page.waitForSelector(".copydesk-rule-file >> text=brew");
  await ask(page, "Write an article about tea with one section");
  await ended(page);
  assert.match(await page.textContent(".run-setup li"), /^Rule 1: AGENTS\.md: Write “brew”/);
  assert.match((await sections(page))[0].join(), /brew/);
  await page.click(".copydesk-rule-file button");
  await page.waitForSelector(".file-bar >> text=AGENTS.md");
});
