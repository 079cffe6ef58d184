// The demo with rules, skills and tool servers: each changes what the assistant does, and the timeline shows it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { everything } from "../mcp/servers.mjs";
import { listen, skillText } from "../skills/servers.mjs";
import { ask, ended, offline, openDemo, text } from "./demo-page.mjs";

/** What the page logs while the client of MCP tries the newer era first, and while a server is down or ends. */
const expected = [...offline, /40[045]|ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_INCOMPLETE_CHUNKED_ENCODING|CORS/];

/** A folder with a skill on another origin. */
async function skillServer(t) {
  return listen(t, (request, response) => {
    if (request.url === "/greeting/SKILL.md") return response.end(skillText("greeting", "Always greet first.\n"));
    response.writeHead(404).end();
  });
}

const openTab = async (page) => {
  await page.click("#tab-assistant");
  await page.waitForSelector("copydesk-servers form");
};

async function addRule(page, rule) {
  await page.fill("copydesk-rules form textarea", rule);
  await page.click("copydesk-rules form button");
}

async function addServer(page, name, url) {
  const [first, second] = [0, 1].map((at) => page.locator("copydesk-servers form input").nth(at));
  await first.fill(name);
  await second.fill(url);
  await page.click("copydesk-servers form button");
}

async function addSkill(page, source) {
  await page.fill("copydesk-skills form input", source);
  await page.click("copydesk-skills form button");
}

const ready = (page, panel) => page.waitForSelector(`${panel} .copydesk-setting[data-state=ready]`);

/** Opens the demo with a rule, a skill and a server. */
async function openWithAll(t) {
  const [skills, server] = [await skillServer(t), await everything(t)];
  const page = await openDemo(t, { expected });
  await openTab(page);
  await addRule(page, "Write British English.");
  await addSkill(page, `${skills.url}/greeting`);
  await addServer(page, "every", server.url);
  await Promise.all([ready(page, "copydesk-skills"), ready(page, "copydesk-servers")]);
  return { page, skills };
}

const notices = (page, nth = 1) => text(page, `.run:nth-of-type(${nth}) .notice`);

test("a run uses a skill, a tool of a server and a rule, and the timeline shows what each contributed", async (t) => {
  const { page, skills } = await openWithAll(t);
  assert.match((await text(page, "copydesk-skills .copydesk-setting-state")).join(), /greeting/);

  await ask(page, "With the greeting skill, call get sum of 2 and 3");
  await ended(page);
  assert.deepEqual(await notices(page), ["Follows 1 rule · Skill: greeting · Tools of every"]);
  assert.deepEqual(await text(page, ".row[data-tool=every__get-sum] .row-text"), ["Ran every: get sum"]);
  const said = (await text(page, ".assistant-message")).join("\n");
  assert.match(said, /I followed the skill greeting: Do greeting well\./);
  assert.match(said, /get-sum answered: The sum of 2 and 3 is 5\./);
  assert.match(said, /I kept to your rule: Write British English\./);
  await page.click(".row[data-tool=every__get-sum] .row-head");
  assert.match(await page.textContent(".row[data-tool=every__get-sum] .row-body"), /The sum of 2 and 3 is 5/);

  // A later visit has everything, and needs no request for the skill.
  const before = skills.requests.length;
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await openTab(page);
  await Promise.all([ready(page, "copydesk-skills"), ready(page, "copydesk-servers")]);
  assert.equal(skills.requests.length, before);
  assert.deepEqual(await page.$$eval("copydesk-rules li textarea", (all) => all.map(({ value }) => value)), ["Write British English."]);
});

test("a rule that is edited and a skill that is turned off during a run count from its next step on", async (t) => {
  const { page } = await openWithAll(t);

  await ask(page, "Call trigger long running operation and get sum of 1 and 2");
  await page.waitForSelector(".row[data-tool=every__trigger-long-running-operation]");
  await page.fill("copydesk-rules li textarea", "Write American English.");
  await page.locator("copydesk-rules li textarea").blur();
  await page.click("copydesk-skills li input[type=checkbox]");
  await page.waitForSelector(".run .notice:nth-of-type(2)");
  await ended(page);
  const [, changed] = await notices(page);
  assert.equal(changed, "Changed from here on: rules: 1 changed; skills removed: greeting; tools removed: activate_skill");
  assert.match((await text(page, ".assistant-message")).join("\n"), /I kept to your rule: Write American English\./);
});

test("a server that is down is named in words, and the run goes on without it", async (t) => {
  const server = await everything(t);
  await server.stop();
  const page = await openDemo(t, { expected, locale: "zh-CN" });
  await openTab(page);
  await addServer(page, "down", server.url);
  await page.waitForSelector("copydesk-servers .copydesk-problem:not(:empty)");
  await addRule(page, "使用书面语。");
  await ask(page, "写一篇关于茶的文章，三章");
  await ended(page);
  assert.equal((await page.$$(".tiptap > h2")).length, 3);
  const said = await notices(page);
  assert.ok(said.some((line) => line.includes("遵守 1 条规则")), said.join("\n"));
  assert.match(await page.textContent("copydesk-servers .copydesk-problem"), /\p{sc=Han}/u);
});

test("what cannot be added says why, and everything can be reached by the keyboard and removed", async (t) => {
  const page = await openDemo(t);
  await page.focus("#tab-outline");
  await page.keyboard.press("End");
  await page.waitForSelector("copydesk-servers form");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-assistant");
  for (const [name, url, problem] of [
    ["not valid", "https://a.example/mcp", /letters, digits and hyphens/],
    ["a", "file:///etc/passwd", /not a URL/],
    ["a", "javascript:alert(1)", /not a URL/],
  ]) {
    await addServer(page, name, url);
    assert.match(await page.textContent("copydesk-servers [role=alert]"), problem);
  }
  await addRule(page, "One.");
  await addRule(page, "Two.");
  await page.focus("copydesk-rules li:nth-child(2) [data-focus^=up-]");
  await page.keyboard.press("Enter");
  assert.deepEqual(await page.$$eval("copydesk-rules li textarea", (all) => all.map(({ value }) => value)), ["Two.", "One."]);
  await page.click("copydesk-rules li:first-child [data-focus^=remove-]");
  await page.click("copydesk-rules li:first-child [data-focus^=remove-]");
  assert.deepEqual(await text(page, "copydesk-rules li"), ["There are no rules yet."]);
  assert.equal(await page.evaluate(() => localStorage.getItem("copydesk.rules")), "[]");
});
