// `<copydesk-rules>`: rules are written, numbered, moved and removed; those in files are shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openUi } from "./ui-page.mjs";

const rule = (id, text, enabled = true) => ({ id, text, enabled });

async function open(t, properties) {
  const { page } = await openUi(t, []);
  await page.evaluate((properties) => {
    Object.assign(window, { proposed: [], others: [], refuse: null });
    addEventListener("rules-change", ({ detail: { value, waitUntil } }) => {
      proposed.push(value);
      if (refuse) waitUntil(Promise.reject(refuse));
    });
    for (const type of ["rule-file-change", "open-file"]) addEventListener(type, (event) => others.push([type, event.detail]));
    return showPanel("rules", properties);
  }, properties);
  return page;
}
const proposed = (page) => page.evaluate(() => proposed.at(-1));
const texts = (page) => page.$$eval("copydesk-rules textarea", (all) => all.map(({ value }) => value));
const numbers = (page) => page.$$eval("copydesk-rules .rule-number", (all) => all.map(({ textContent }) => textContent));
const focusedLabel = (page) => page.evaluate(() => panel.shadowRoot.activeElement?.ariaLabel);
const menu = async (page, at, item) => {
  await page.click(`.rule >> nth=${at} >> .menu > button`);
  await page.click(`.popup:popover-open >> text=${item}`);
};

test("rules have the numbers that the assistant sees, and are written, moved and removed", async (t) => {
  const page = await open(t, { rules: [rule("a", "One.", false), rule("b", "Two.")] });
  assert.deepEqual(await numbers(page), ["", "1"]);
  assert.deepEqual(await page.$$eval("textarea", (all) => all.map(({ ariaLabel }) => ariaLabel)), ["Row 1, not used", "Rule 1"]);
  await page.click("[part=add]");
  await page.keyboard.type("Three");
  assert.equal(await page.evaluate(() => proposed.length), 1, "what is typed is told after a pause");
  await page.waitForFunction(() => proposed.at(-1)[2].text === "Three");
  await page.keyboard.type(".");
  await page.keyboard.press("Tab");
  assert.equal((await proposed(page))[2].text, "Three.", "or when the field is left");
  assert.deepEqual(await numbers(page), ["", "1", "2"]);
  await menu(page, 2, "Move up");
  assert.deepEqual(await texts(page), ["One.", "Three.", "Two."]);
  assert.equal(await focusedLabel(page), "Rule 1");
  await page.check(".rule >> nth=0 >> input");
  assert.deepEqual(await numbers(page), ["1", "2", "3"]);
  await menu(page, 0, "Remove");
  assert.deepEqual((await proposed(page)).map(({ text }) => text), ["Three.", "Two."]);
  assert.equal(await page.evaluate(() => panel.shadowRoot.activeElement.textContent), "Add a rule");
});

test("what the user is typing stays while the page sets the rules and the language changes; leaving the page tells it", async (t) => {
  const page = await open(t, { rules: [rule("a", "One.")] });
  await page.click("textarea");
  await page.keyboard.press("End");
  await page.keyboard.type(" And");
  await page.evaluate(() => {
    panel.rules = [{ id: "a", text: "One.", enabled: true }];
    panel.locale = "zh-CN";
    return panel.updateComplete;
  });
  await page.keyboard.type(" more");
  assert.deepEqual(await texts(page), ["One. And more"]);
  assert.equal(await focusedLabel(page), "规则 1");
  await page.evaluate(() => panel.remove());
  assert.equal((await proposed(page))[0].text, "One. And more");
});

test("rules that the page gives back late do not replace what was written since", async (t) => {
  const page = await open(t, { rules: [rule("a", "One.")] });
  const give = (at) => page.evaluate((at) => ((panel.rules = structuredClone(proposed[at])), panel.updateComplete), at);
  const write = async (text, expected) => {
    await page.keyboard.type(text);
    await page.waitForFunction((expected) => proposed.at(-1)?.[0].text === expected, expected);
  };
  await page.click("textarea");
  await page.keyboard.press("End");
  await write(" Two.", "One. Two.");
  await write(" Three.", "One. Two. Three.");
  await give(0);
  assert.deepEqual(await texts(page), ["One. Two. Three."]);
  await page.keyboard.type(" Four.");
  await give(1);
  assert.deepEqual(await texts(page), ["One. Two. Three. Four."]);
  await page.waitForFunction(() => proposed.at(-1)[0].text === "One. Two. Three. Four.");
  await give(0);
  assert.deepEqual(await texts(page), ["One. Two."], "the page has gone back");
});

test("rules of another place are shown, and a refusal is said", async (t) => {
  const page = await open(t, { rules: [rule("a", "One.")] });
  await page.evaluate(() => ((panel.rules = [{ id: "z", text: "Other." }]), panel.updateComplete));
  assert.deepEqual(await texts(page), ["Other."]);
  await page.evaluate(() => (refuse = new Error("There is no room.")));
  await page.click("[part=enabled]");
  await page.waitForSelector("[role=alert] >> text=There is no room.");
});

test("files with rules are numbered after the rules; those of a folder count with the user's consent", async (t) => {
  const files = [
    { path: "AGENTS.md", text: "Be kind.\n", consent: "given" },
    { path: ".rules/a.md", text: "Be loud.", consent: "asked" },
    { path: ".rules/b.md", text: "Be brief.", consent: "given" },
  ];
  const page = await open(t, { rules: [rule("a", "One.")], files });
  assert.deepEqual(await numbers(page), ["1", "2", "", "3"]);
  await page.waitForSelector(".hint >> text=Use those whose author you trust");
  await page.check('[aria-label="Use .rules/a.md"]');
  await page.click(".rule-file button >> text=AGENTS.md");
  assert.deepEqual(await page.evaluate(() => others), [["rule-file-change", { file: files[1], isUsed: true }], ["open-file", { path: "AGENTS.md" }]]);
  await page.evaluate(() => ((panel.files = [{ path: "AGENTS.md", text: "Be kind." }]), panel.updateComplete));
  assert.equal(await page.locator(".rule-file input").count(), 0);
  await page.waitForSelector(".hint >> text=They apply as well");
});
