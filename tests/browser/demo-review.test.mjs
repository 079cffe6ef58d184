// The demo in review mode: suggested changes are drawn on the page, and the user decides.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, atRest, cursorBefore, ended, holdWasm, offline, openDemo, saved, text } from "./demo-page.mjs";

const ASK = "write an article about tea with three chapters and a picture";

/** Opens the demo in its default mode, with an accepted article. */
async function withArticle(t, options = {}) {
  const page = await openDemo(t, { mode: null, expected: offline, ...options });
  await ask(page, options.locale ? "写一篇关于茶的文章，分三章，配一张图" : ASK);
  await ended(page);
  await page.click(".copydesk-accept-all");
  return page;
}

/** Returns the text of the document, without the drawn proposals. */
const documentText = (page) =>
  page.$eval(".tiptap", (element) => {
    const copy = element.cloneNode(true);
    for (const widget of copy.querySelectorAll(".ProseMirror-widget")) widget.remove();
    return [...copy.children].map((child) => child.textContent).filter(Boolean).join("\n");
  });

test("an article is suggested, shown in the outline, and accepted as a whole", async (t) => {
  const page = await openDemo(t, { mode: null, expected: offline });
  assert.match(await page.textContent(".welcome p"), /suggests changes/);
  await ask(page, ASK);
  await ended(page);
  assert.equal(await documentText(page), "");
  // The outline follows the document after a moment.
  await page.waitForFunction(() => findAll(".outline-list .proposed .outline-name").length === 4);
  assert.deepEqual(await text(page, ".outline-list .proposed .outline-name"), ["Tea: A Leaf and Hot Water", "Where Tea Comes From", "One Plant, Six Kinds", "How to Brew a Good Cup"]);
  assert.equal(await page.locator(".copydesk-insertion h2").count(), 3);
  // Fails if something is above a button.
  for (const button of await page.locator(".tiptap .copydesk-controls button").all()) await button.click({ trial: true, timeout: 5000 });
  await page.click(".copydesk-accept-all");
  assert.match(await documentText(page), /^Tea: A Leaf and Hot Water\n/);
  assert.equal(await page.locator(".tiptap > h2").count(), 3);
  assert.ok(await page.isHidden(".copydesk-bar"));
  await page.locator(".toolbar button").first().click();
  assert.equal(await documentText(page), "");
});

test("small changes are marked inline; each tool call and each change can be decided", async (t) => {
  const page = await withArticle(t);
  const before = await documentText(page);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  const struck = await text(page, "del");
  assert.ok(struck.length > 2, `only ${struck.length} changes`);
  assert.equal(await documentText(page), before);
  assert.equal(await page.textContent(".run:last-child .row[data-tool=replace_text] .row-count"), `${struck.length} changes to review`);
  assert.equal(await page.textContent(".copydesk-count"), `${struck.length} changes`);

  await page.click(".copydesk-next");
  await page.click(".dock .copydesk-reject");
  // The next change depends on the cursor.
  assert.match(await page.textContent(".copydesk-count"), new RegExp(`^\\d of ${struck.length - 1} changes$`));
  await page.click(".run:last-child .row[data-tool=replace_text] .row-review button >> text=Accept");
  assert.equal(await page.locator("del").count(), 0);
  const after = await documentText(page);
  assert.equal(after.split("leaf tips").length - 1, struck.length - 1);
  assert.equal(after.split("leaves").length - 1, 1);
  assert.ok(await page.isHidden(".run:last-child .row-review"));
});

test("hovering a timeline row highlights its changes, and hovering a change highlights its row", async (t) => {
  const page = await withArticle(t);
  await ask(page, "Rewrite chapter 3 in plainer words");
  await ended(page, 2);
  await page.hover(".run:last-child .row[data-tool=update_section]");
  assert.ok((await page.$$(".highlighted-change")).length > 0);
  await page.hover(".copydesk-insertion");
  await page.waitForSelector(".run:last-child .row[data-tool=update_section] copydesk-tool-row[data-pointed]");
  assert.equal(await page.locator(".highlighted-change").count(), 0);
});

test("a run is undone as a whole, accepted or not, and text that the user changed later is named", async (t) => {
  const page = await withArticle(t);
  const before = await documentText(page);
  await ask(page, "Shorten chapter 1");
  await ended(page, 2);
  await page.click(".run:last-child .undo-run");
  assert.equal(await page.textContent(".run:last-child .run-undo"), "The run was undone.");
  assert.equal(await page.locator("[data-copydesk-hunk]").count(), 0);
  assert.equal(await documentText(page), before);

  await ask(page, "Shorten chapter 1");
  await ended(page, 3);
  await page.click(".copydesk-accept-all");
  assert.notEqual(await documentText(page), before);
  await cursorBefore(page, "Monks carried");
  await page.keyboard.type("So ");
  await page.click(".run:last-child .undo-run");
  assert.match(await page.textContent(".run:last-child .run-undo"), /^The run was undone, except text that was changed later: “So Monks carried/);
  assert.match(await documentText(page), /By the eighth century/);
  assert.match(await documentText(page), /So Monks carried/);
});

test("direct mode applies edits immediately, and is remembered", async (t) => {
  const page = await openDemo(t, { mode: null, expected: offline });
  await page.selectOption(".mode-select", "auto");
  assert.match(await page.textContent(".welcome p"), /edits it directly/);
  await ask(page, ASK);
  await ended(page);
  assert.equal(await page.locator(".tiptap > h2").count(), 3);
  assert.equal(await page.locator("[data-copydesk-hunk]").count(), 0);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.inputValue(".mode-select"), "auto");
});

test("a preview shows content before the edit is made", async (t) => {
  for (const mode of ["auto", "review"]) {
    const page = await openDemo(t, { mode, expected: offline, pace: 16 });
    await ask(page, ASK);
    // In one call: the next chunk of the answer must not arrive in between.
    await page.waitForFunction(() => {
      const seen = document.querySelector(".copydesk-preview")?.textContent.length > 20;
      if (seen) find(".send[data-mode=stop]").click();
      return seen;
    });
    await ended(page);
    assert.equal(await page.locator(".copydesk-preview").count(), 0);
    assert.equal(await documentText(page), "");
  }
});

test("the same in Chinese, and messages change with the language", async (t) => {
  const page = await withArticle(t, { locale: "zh-CN" });
  await ask(page, "把“茶”改成“茗”");
  await ended(page, 2);
  assert.match(await page.textContent(".copydesk-count"), /^\d+ 处修改$/);
  assert.match(await page.textContent(".run:last-child .row[data-tool=replace_text] .row-text"), /^已把“茶”替换为“茗”$/);
  assert.match(await page.getAttribute(".copydesk-controls button", "aria-label"), /^接受：“茶”改为“茗”$/);
  await page.click(".language");
  await page.waitForFunction(() => /^\d+ changes$/.test(find(".copydesk-count").textContent));
  assert.match(await page.getAttribute(".copydesk-controls button", "aria-label"), /^Accept: “茶” becomes “茗”$/);
});

test("at 390 px the review is within reach and nothing scrolls horizontally", async (t) => {
  const page = await withArticle(t, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await ask(page, "Rewrite chapter 3 in plainer words");
  await ended(page, 2);
  await page.tap(".copydesk-next");
  await atRest(page, ".copydesk-current .copydesk-accept");
  const { y, height, width, x } = await page.locator(".copydesk-current .copydesk-accept").boundingBox();
  assert.ok(width >= 40 && height >= 40 && x >= 0 && x + width <= 390);
  const [bar, sheet] = [await page.locator(".copydesk-bar").boundingBox(), await page.locator(".chat").boundingBox()];
  assert.ok(y >= bar.y + bar.height && y + height <= sheet.y, "neither the bar nor the sheet covers the buttons");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  assert.equal(await page.$eval(".scroller", (element) => element.scrollWidth - element.clientWidth), 0);
  const total = await page.locator(".copydesk-controls").count();
  await page.tap(".copydesk-current .copydesk-accept");
  assert.equal(await page.textContent(".copydesk-count"), `1 of ${total - 1} changes`);
});

for (const viewport of [{ width: 390, height: 844 }, { width: 820, height: 1180 }, { width: 1024, height: 768 }, { width: 720, height: 450 }]) {
  test(`at ${viewport.width} × ${viewport.height} nothing covers a change or its buttons, and the bar keeps its width`, async (t) => {
    const page = await withArticle(t, { viewport });
    await ask(page, 'Replace "leaves" with "leaf tips"');
    await ended(page, 2);
    await ask(page, "Delete chapter 2");
    await ended(page, 3);
    const widths = new Set();
    const total = await page.locator(".copydesk-controls").count();
    assert.ok(total > 4);
    for (let step = 0; step < total; step++) {
      await page.click(".copydesk-next");
      await atRest(page, ".copydesk-current .copydesk-controls");
      const seen = await page.evaluate(() => {
        const box = (element) => element.getBoundingClientRect().toJSON();
        const buttons = [...document.querySelectorAll(".copydesk-current .copydesk-controls button")].map((button) => {
          const { x, y, width, height } = box(button);
          return { width, height, onTop: document.elementFromPoint(x + width / 2, y + height / 2) === button };
        });
        return { buttons, bar: box(find(".copydesk-bar")), scroller: box(document.querySelector(".scroller")) };
      });
      widths.add(seen.bar.width);
      assert.equal(seen.buttons.length, 2);
      for (const button of seen.buttons) assert.ok(button.onTop && button.width >= 24 && button.height >= 24, `${step}: ${JSON.stringify(button)}`);
      assert.ok(seen.bar.bottom <= seen.scroller.top || seen.bar.top >= seen.scroller.bottom, "the bar is not over the document");
    }
    assert.equal(widths.size, 1);
  });
}

test("rows of pending, accepted and rejected changes differ, and show the changes in words", async (t) => {
  const page = await withArticle(t);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  const row = page.locator(".run:last-child .row[data-tool=replace_text]");
  const looks = () => row.evaluate((element) => [element.dataset.review, find(".row-verdict", element)?.textContent.trim() ?? ""]);
  assert.deepEqual(await looks(), ["pending", ""]);
  await row.locator(".row-head").click();
  const total = await row.locator(".change").count();
  assert.ok(total > 2);
  assert.deepEqual(await text(page, ".run:last-child .change[data-verdict=pending] :is(del, ins)"), Array(total).fill(["leaves", "leaf tips"]).flat());

  await page.click(".tiptap .copydesk-reject >> nth=0");
  assert.deepEqual(await looks(), ["pending", "1 rejected"]);
  assert.equal(await row.locator(".change").first().getAttribute("data-verdict"), "rejected");
  await row.locator(".row-review button >> text=Accept").focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await looks(), ["mixed", `${total - 1} accepted, 1 rejected`]);
  assert.ok(await page.evaluate(() => document.querySelector(".tiptap").contains(focusedElement())), "no decision is left: the focus is in the text");
  assert.equal(await row.locator(".change[data-verdict=accepted]").count(), total - 1);

  await ask(page, "Delete chapter 2");
  await ended(page, 3);
  await page.click(".copydesk-reject-all");
  const last = page.locator(".run:last-child .row[data-tool=update_section]");
  assert.equal(await last.getAttribute("data-review"), "rejected");
  assert.match(await last.locator(".row-text").evaluate((label) => getComputedStyle(label).textDecorationLine), /line-through/);
  assert.equal((await last.locator(".row-verdict").textContent()).trim(), "Rejected");
});

test("a row names the picture that was inserted", async (t) => {
  const page = await withArticle(t);
  await page.click(".row[data-tool=insert_image] .row-head");
  assert.match((await text(page, ".row[data-tool=insert_image] .change ins")).join(), /^Image: .*teapot/);
});

test("a decision is taken back in the row that shows it, or by Ctrl+Z", async (t) => {
  const page = await withArticle(t);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  const row = page.locator(".run:last-child .row[data-tool=replace_text]");
  const total = await page.locator(".tiptap del").count();
  const state = () => row.getAttribute("data-review");
  for (const [act, done] of [["Accept", "accepted"], ["Reject", "rejected"]]) {
    await row.locator(`.row-review button >> text=${act}`).click();
    assert.deepEqual([await state(), await page.locator(".tiptap del").count()], [done, 0]);
    await row.locator(".row-decided button").click();
    await row.locator(".row-review").waitFor();
    assert.deepEqual([await state(), await page.locator(".tiptap del").count()], ["pending", total]);
    assert.ok(await row.locator(".row-decided").isHidden());
  }
  await row.locator(".row-review button >> text=Accept").click();
  await page.locator(".tiptap").focus();
  await page.keyboard.press("Control+z");
  await row.locator(".row-review").waitFor();
  assert.equal(await state(), "pending");
  assert.ok(await row.locator(".row-decided").isHidden());
});

test("after a reload, decisions are taken back in their row: an article that was rejected, and one that was accepted", async (t) => {
  const page = await openDemo(t, { mode: null, expected: offline });
  await ask(page, ASK);
  await ended(page);
  const drawn = () => page.$$eval(".tiptap .copydesk-insertion", (all) => all.map((element) => element.textContent));
  const article = await drawn();
  const takeBack = page.locator(".row-decided button:visible");
  for (const all of ["reject", "accept"]) {
    await page.click(`.copydesk-${all}-all`);
    assert.deepEqual(await drawn(), []);
    // The decision is saved when the page is left.
    await page.reload();
    await takeBack.first().click();
    await page.waitForSelector(".tiptap .copydesk-insertion");
    assert.equal(await documentText(page), "");
    // With everything that was decided together.
    assert.deepEqual(await drawn(), article);
    assert.equal(await takeBack.count(), 0);
  }
});

test("a decision is taken back before the wasm is there, as soon as it is; if it cannot be loaded, the row stays as it is", async (t) => {
  const page = await openDemo(t, { mode: null, expected: [...offline, /ERR_FAILED/] });
  await ask(page, ASK);
  await ended(page);
  await page.click(".copydesk-accept-all");
  const takeBack = page.locator(".row-decided button:visible").first();
  const seen = async () => [(await page.locator(".row-verdict").first().textContent()).trim(), await documentText(page)];
  const before = await seen();
  const wasm = await holdWasm(page);
  await page.reload();
  await takeBack.waitFor();
  // Twice: nothing is done twice.
  await takeBack.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.deepEqual(await seen(), before);
  wasm.fail();
  await page.waitForSelector("[data-notice=engine]");
  assert.deepEqual(await seen(), before);
  wasm.release();
  await takeBack.focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector(".tiptap .copydesk-insertion");
  assert.equal(await documentText(page), "");
  await page.waitForFunction(() => focusedElement().matches(".row-accept"));
});

test("decisions of an earlier page are found beside what was typed since, and not in text that was changed", async (t) => {
  const page = await withArticle(t);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  const row = page.locator(".run:last-child .row[data-tool=replace_text]");
  const before = await documentText(page);
  const struck = await page.locator(".tiptap del").count();
  await row.locator(".row-review button >> text=Accept").click();
  await page.reload();
  const type = async (text) => {
    await page.waitForSelector("html[data-ready]");
    await page.click(".tiptap h1");
    await page.keyboard.press("Home");
    await page.keyboard.type(text);
  };
  await type("On ");
  await page.reload();
  await type("Still ");
  // One of the changes is overwritten.
  const tips = page.locator(".tiptap p", { hasText: "leaf tips" }).first();
  await tips.evaluate((block) => {
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const at = walker.currentNode.data.indexOf("leaf tips");
      if (at < 0) continue;
      block.closest(".tiptap").focus();
      return getSelection().setBaseAndExtent(walker.currentNode, at + 4, walker.currentNode, at + 5);
    }
  });
  await page.keyboard.type("-");
  await row.locator(".row-decided button").click();
  await page.waitForSelector(".tiptap del");
  assert.equal(await page.locator(".tiptap del").count(), struck - 1);
  assert.equal(await documentText(page), `Still On ${before.replace("leaves", "leaf-tips")}`);
  assert.equal((await row.locator(".row-verdict").textContent()).trim(), "1 accepted");
});

test("shortcuts of the review work from the composer, unless keys there edit its text", async (t) => {
  const page = await withArticle(t);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  assert.equal(await page.evaluate(() => focusedElement().id), "composer");
  const total = await page.locator("del").count();
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.equal(await page.textContent(".copydesk-count"), `1 of ${total} changes`);
  await page.keyboard.press("Control+Alt+Backspace");
  assert.equal(await page.locator("del").count(), total - 1);
  await page.keyboard.type("And");
  await page.keyboard.press("Control+Alt+Backspace");
  assert.equal(await page.locator("del").count(), total - 1);
});

test("the view of the changes is chosen in the bar, kept for the visit, and left by going to a change", async (t) => {
  const page = await withArticle(t);
  await ask(page, 'Replace "leaves" with "leaf tips"');
  await ended(page, 2);
  const changes = await page.locator(".tiptap del").count();
  const shown = () => page.$eval(".tiptap", (element) => [element.innerText.match(/\bleaves\b/g)?.length ?? 0, element.innerText.match(/leaf tips/g)?.length ?? 0]);
  await page.getByRole("combobox", { name: "View" }).selectOption({ label: "Original" });
  const [before] = await shown();
  assert.ok(before >= changes && (await shown())[1] === 0);
  await page.click(".language");
  await page.getByRole("combobox", { name: "视图" }).selectOption({ label: "最终稿" });
  assert.deepEqual(await shown(), [before - changes, changes]);
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.waitForSelector(".tiptap [data-copydesk-hunk]");
  assert.deepEqual([await shown(), await page.inputValue(".copydesk-view")], [[before - changes, changes], "final"]);

  await page.click(".copydesk-next");
  assert.equal(await page.inputValue(".copydesk-view"), "marked");
  assert.equal(await page.locator(".tiptap del").count(), changes);
});
