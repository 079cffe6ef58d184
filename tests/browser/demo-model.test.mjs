// The demo model: every recorded run is played to its end in the state that it fits, and everything else needs a model.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { agentActions } from "../../pkg/actions/ready.js";
import { long } from "./budget.mjs";
import { ask, ended, offline, openDemo, saved, shape, text, written } from "./demo-page.mjs";
import { root } from "./harness.mjs";

const runsIn = (language) => JSON.parse(readFileSync(join(root, `www/src/demo-model/runs/${language}.json`), "utf8"));
const novel = (language) => {
  const folder = join(root, `www/src/content/novels/${language}/chapters`);
  return Object.fromEntries(readdirSync(folder).map((name) => [`chapters/${name}`, readFileSync(join(folder, name), "utf8")]));
};
/** The instructions of the menus, by the id of their item. */
const instructions = Object.fromEntries(agentActions.flatMap((action) => action.choices ?? [action]).map(({ id, instruction }) => [id, instruction]));

const setContent = (page, content) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), content);
const answer = async (page) => (await text(page, ".run:last-child .assistant-message")).at(-1);

const wikipedia = (pages) => (page) =>
  page.route("https://*.wikipedia.org/**", (route) => route.fulfill({ headers: { "access-control-allow-origin": "*" }, json: pages.length ? { query: { pages } } : {} }));
const HISTORY = { index: 1, title: "History of tea", fullurl: "https://en.wikipedia.org/wiki/History_of_tea", extract: "Tea has a long history." };

/** Makes the page look hidden, so that the demo model answers without pauses. */
const hidden = (page) => page.addInitScript(() => Object.defineProperty(Document.prototype, "hidden", { get: () => true }));

/** Returns the document that a run writes. */
function documentOf(runs, id) {
  const calls = runs.find((run) => run.id === id).turns.flatMap(({ calls = [] }) => calls);
  const sections = calls.filter(({ name }) => name === "update_section").map((call) => call.arguments);
  return sections.map(({ title, content }, at) => `<h${at ? 2 : 1}>${title}</h${at ? 2 : 1}>${content}`).join("");
}

/** Makes the files exactly these. */
const setFiles = (page, files) =>
  page.evaluate(async (files) => {
    const { workspace } = document.querySelector("copydesk-files");
    for (const { path } of await workspace.list()) if (!(path in files)) await workspace.remove(path);
    for (const [path, text] of Object.entries(files)) await workspace.write(path, text);
  }, files);

/** Brings the page into the state that a run fits. */
async function prepare(page, language, runs, { fits }) {
  const written = Object.values(fits.sections ?? {})[0] ?? (fits.contains || fits.selection ? `${language}-tea` : null);
  await setContent(page, written ? documentOf(runs, written) : fits.document ? "" : "<p>Own words.</p>");
  const files = fits.fileCount ? Object.entries(novel(language)) : [];
  await setFiles(page, Object.fromEntries(files.filter(([path]) => fits.files?.[path] !== null)));
}

/** Selects a paragraph by its text. */
const select = (page, selection) =>
  page.evaluate((selection) => {
    const { editor } = document.querySelector(".tiptap");
    editor.state.doc.descendants((node, position) => {
      if (node.type.name === "paragraph" && node.textContent === selection) editor.commands.setTextSelection({ from: position + 1, to: position + 1 + node.content.size });
    });
  }, selection);

for (const [language, locale] of [["en", "en-US"], ["zh", "zh-CN"]]) {
  test(`every recorded run is played to its end in the state that it fits: ${language}`, language === "zh" ? long : {}, async (t) => {
    // Comments are in rooms: demo-share.test.mjs plays their runs.
    const runs = runsIn(language).filter(({ fits }) => fits.comment === undefined);
    const page = await openDemo(t, { locale, expected: offline, prepare: (fresh) => Promise.all([hidden(fresh), wikipedia([HISTORY])(fresh)]) });
    await page.click("#tab-files");
    await page.waitForSelector("copydesk-files .button");
    for (const run of runs) {
      await prepare(page, language, runs, run);
      if (run.action) {
        await select(page, run.fits.selection);
        await page.evaluate((instruction) => document.querySelector(".tiptap").editor.commands.askAgent({ instruction }), instructions[run.action][locale === "en-US" ? "en" : locale]);
        await page.waitForSelector(".run");
      } else await ask(page, run.prompts.at(-1));
      await ended(page);
      const calls = run.turns.flatMap(({ calls = [] }) => calls);
      const rows = await page.$$eval(".row", (all) => all.map(({ dataset }) => [dataset.tool, dataset.state]));
      assert.deepEqual(rows, calls.map(({ name }) => [name, "done"]), `${run.id}: ${await answer(page)}`);
      assert.equal(await page.locator(".needs-model").count(), 0, run.id);
      if (run.action) {
        await page.evaluate(() => document.querySelector(".tiptap").editor.commands.acceptAll());
        assert.ok((await written(page)).includes(calls[0].arguments.new), run.id);
      }
      await page.click(".chat-head > .tool");
      await page.waitForSelector(".welcome");
    }
  });
}

test("nothing is guessed: what was not recorded needs a model, says so with a button, and changes nothing", async (t) => {
  for (const [language, locale, requests, sentence, name] of [
    [
      "en",
      "en-US",
      ["Shorten section 22", "Delete chapter 1", "Shorten the second chapter", "Translate it into French", "Replace \"tea\" with \"chai\"", "Write an article about tea", "shorten section 2 please"],
      "This needs a model: the demo model only plays recorded runs. “What can you do?” lists them.",
      "Open settings",
    ],
    ["zh", "zh-CN", ["删除第2段", "修改这句话", "翻译成英文", "检查我的小说，修正时间线", "写一篇关于茶的文章"], "这需要模型：演示模型只播放录制的运行。问“你能做什么？”可以看到有哪些。", "打开设置"],
  ]) {
    const page = await openDemo(t, { locale, prepare: hidden });
    await setContent(page, documentOf(runsIn(language), `${language}-tea`));
    const before = await written(page);
    for (const [at, request] of requests.entries()) {
      await ask(page, request);
      await ended(page, at + 1);
      assert.equal(await answer(page), sentence, request);
      assert.equal(await page.textContent(".run:last-child .needs-model button"), name);
    }
    assert.equal(await page.locator(".row").count(), 0);
    assert.equal(await written(page), before);
    await page.click(".run:last-child .needs-model button");
    await page.waitForSelector("dialog.settings[open]");
  }
});

test("spaces, punctuation and case do not matter, and a text that was changed is not the recorded one", async (t) => {
  const page = await openDemo(t, { prepare: hidden });
  await setContent(page, documentOf(runsIn("en"), "en-tea"));
  await ask(page, "  summarize the DOCUMENT! ");
  await ended(page);
  assert.match(await answer(page), /^Tea: A Leaf and Hot Water has an introduction and three sections\./);
  await page.evaluate(() => {
    const { commands, state } = document.querySelector(".tiptap").editor;
    commands.insertContentAt(state.doc.content.size - 1, " Mine.");
  });
  await ask(page, "Summarize the document");
  await ended(page, 2);
  assert.match(await answer(page), /^This needs a model/);
  await ask(page, "Shorten section 2");
  await ended(page, 3);
  assert.match(await answer(page), /^I shortened section 2/, "its text is unchanged");
  await ask(page, "Shorten section 2");
  await ended(page, 4);
  assert.match(await answer(page), /^This needs a model/);
});

test("every suggestion has a run, in the state in which it is shown", async (t) => {
  for (const [language, locale] of [["en", "en-US"], ["zh", "zh-CN"]]) {
    const page = await openDemo(t, { locale, expected: offline, prepare: hidden });
    const runs = runsIn(language);
    const suggested = async (expected) => {
      const shown = expected.map((id) => runs.find((run) => run.id === `${language}-${id}`).prompts[0]);
      await page.waitForFunction((shown) => findAll(".suggestion").map((each) => each.textContent.trim()).join("\n") === shown, shown.join("\n"));
    };
    await suggested(["tea", "bikes", "help"]);
    await setContent(page, "<h1>Own</h1><p>Words.</p><h2>One</h2><p>More words.</p>");
    await suggested(["help"]);
    await setContent(page, documentOf(runs, `${language}-tea`));
    await suggested(["shorten-2", "plain-3", "leaves", "image-1", "water-3"]);
    await setContent(page, documentOf(runs, `${language}-bikes`));
    await suggested(["bikes-shorten-2", "bikes-image-1", "bikes-summary", "help"]);
    await page.click("#tab-files");
    await page.click(".sample-offer button");
    await page.waitForSelector(".file-bar:not([hidden])");
    await suggested(["fix-timeline", "setups", "rename", "chapter-11", "help"]);
    await page.click(".suggestion >> nth=1");
    await ended(page);
    assert.equal(await page.locator(".needs-model").count(), 0);
    assert.equal(await page.locator('.row[data-state="done"]').count(), 1);
  }
});

test("a menu offers what has a run, and sets apart what needs a model", async (t) => {
  const page = await openDemo(t, { prepare: hidden });
  const names = () => text(page, ".copydesk-menu [role=menuitem]");
  const choose = (selection) => page.evaluate(() => document.querySelector(".tiptap").editor.view.focus()).then(() => select(page, selection));
  const runs = runsIn("en");
  await setContent(page, `${documentOf(runs, "en-tea")}<p>My own words.</p><p></p>`);
  await choose("Climate and soil add the rest. The same cultivar tastes of chestnut on one slope and of orchids on the next.");
  await page.waitForSelector(".copydesk-menu");
  assert.deepEqual(await names(), ["Improve", "Shorten", "Translate", "Change tone", "Needs a model", "Ask…"]);
  await page.click(".copydesk-menu >> text=Translate");
  assert.deepEqual((await names()).slice(1), ["Chinese", "French", "German"]);
  await choose("My own words.");
  await page.waitForFunction(() => document.querySelectorAll(".copydesk-menu [role=menuitem]").length === 2);
  await page.click(".copydesk-menu >> text=Needs a model");
  await page.click(".copydesk-menu >> text=Shorten");
  await ended(page);
  assert.match(await answer(page), /^This needs a model/);
  assert.ok((await written(page)).includes("My own words."));
  await page.evaluate(() => document.querySelector(".tiptap").editor.chain().focus("end").run());
  await page.keyboard.type("/");
  // Blocks follow the actions.
  assert.deepEqual((await text(page, ".copydesk-slash [role=option]")).slice(0, 4), ["Continue writing (needs a model)", "Write an outline (needs a model)", "Summarize the document (needs a model)", "Title"]);
});

test("a search that finds nothing or fails is said, and its results are shown as links", async (t) => {
  for (const [prepare, said] of [
    [wikipedia([HISTORY]), /The first result is History of tea:Tea has a long history\.$/],
    [wikipedia([]), /^The search found nothing/],
    [(page) => page.route("https://*.wikipedia.org/**", (route) => route.abort()), /^The search failed/],
  ]) {
    const page = await openDemo(t, { expected: [/ERR_FAILED|wikipedia/], prepare: (fresh) => Promise.all([hidden(fresh), prepare(fresh)]) });
    await ask(page, "Search the web for the history of tea");
    await ended(page);
    assert.match(await answer(page), said);
    assert.deepEqual(await page.$$eval(".assistant-message a", (links) => links.map(({ href }) => href)), said.source.includes("first") ? [HISTORY.fullurl] : []);
  }
});

const ASK = "Write an article about tea with three sections and an image";
const kinds = async (page) => (await shape(page)).map((block) => block.slice(0, 2)).join(" ");

test("a request that comes meanwhile is answered after the first, for the document that is there then", async (t) => {
  const page = await openDemo(t, { expected: offline, pace: 16 });
  await ask(page, "Write an article about bicycles with four sections");
  await page.waitForSelector(".row[data-tool=update_section][data-state=done]");
  for (const request of ["Translate it", "Shorten section 2", "What can you do?"]) await ask(page, request);
  await ended(page);
  assert.equal(await kinds(page), "h1 h2 h2 h2 h2");
  const said = (await text(page, ".assistant-message")).join("\n");
  assert.match(said, /has an introduction and four sections[^]*This needs a model[^]*I shortened section 2[^]*I play recorded runs/);
  assert.equal(await page.locator(".run").count(), 1);
});

test("a stopped run is not taken up again, one that a reload has interrupted is", async (t) => {
  const page = await openDemo(t, { expected: offline, pace: 16 });
  await ask(page, ASK);
  await page.waitForFunction(() => findAll(".row[data-tool=update_section][data-state=done]").length === 2);
  await page.keyboard.press("Escape");
  await ended(page);
  assert.equal(await kinds(page), "h1 h2");
  await ask(page, "What can you do?");
  await ended(page, 2);
  assert.equal(await kinds(page), "h1 h2");
  assert.equal(await page.locator(".run:last-child .row").count(), 0);

  await setContent(page, "");
  await ask(page, ASK);
  await page.waitForFunction(() => findAll(".run:last-child .row[data-tool=update_section][data-state=done]").length === 2);
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.click(".interrupted button");
  await ended(page, 3);
  assert.equal(await kinds(page), "h1 im h2 h2 h2");
  assert.match(await answer(page), /^Done\./);
});

test("a run fits the document with its pending changes, and ends where a change is denied", async (t) => {
  const page = await openDemo(t, { mode: "review", expected: offline, prepare: hidden });
  await ask(page, ASK);
  await ended(page);
  await ask(page, "Shorten section 2");
  await ended(page, 2);
  assert.match(await answer(page), /^I shortened section 2/);
  await page.selectOption(".mode-select", "ask");
  await ask(page, "Delete section 2");
  await ended(page, 3);
  assert.match(await answer(page), /^This needs a model/, "its pending text is another one");
  await ask(page, "Shorten section 1");
  await page.click(".row[data-state=approval] .row-approval button:text-is('Deny')");
  await ended(page, 4);
  assert.equal(await answer(page), "You did not allow this change, so I stopped. Earlier edits are kept.");
});
