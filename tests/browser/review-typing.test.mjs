// The caret in proposed text: what is typed there changes that text, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { html, open, run, TEA } from "./review-page.mjs";

const NEW = "<h3>Green</h3><p>It is steamed.</p><ul><li><p>Sencha</p></li></ul>";
const ARTICLE = { operation: "replace", sectionIndex: 0, content: `<p>About tea.</p>${NEW}` };
const withNew = (content) => TEA.replace("<p>About tea.</p>", `<p>About tea.</p>${content}`);
const INLINE = { operation: "replace_text", old: "an old drink", new: "an old, dear drink" };

/** Puts the caret into proposed text, `offset` characters behind the start of the text node with `text`. */
async function caretIn(page, text, offset, length = 0) {
  await page.locator(".copydesk-typable", { hasText: text }).first().click();
  await page.evaluate(
    ([text, offset, length]) => {
      const walker = document.createTreeWalker(document.querySelector("#page"), NodeFilter.SHOW_TEXT, (node) =>
        node.data.includes(text) && node.parentElement.closest(".copydesk-typable") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
      );
      const node = walker.nextNode();
      const at = node.data.indexOf(text) + offset;
      getSelection().setBaseAndExtent(node, at, node, at + length);
    },
    [text, offset, length],
  );
}
const pending = (page) => page.evaluate(() => boundDocument.hunks().length);
const notice = (page) => page.textContent(".copydesk-notice");

test("the first key accepts the hunk and goes on at its place; the next ones are keys of the editor", async (t) => {
  const page = await open(t, TEA + "<p>line</p>".repeat(60), [{ ...ARTICLE, content: `<p>About tea.</p>${NEW}` }]);
  await page.evaluate(() => editor.commands.setTextSelection(1));
  await caretIn(page, "steamed", 7);
  assert.equal(await page.evaluate(() => editor.view.hasFocus()), false);
  const top = () => page.evaluate(() => scrollY);
  const before = await top();
  await page.keyboard.type(" well");
  assert.equal(await html(page), withNew(NEW.replace("steamed", "steamed well")) + "<p>line</p>".repeat(60));
  assert.equal(await top(), before);
  assert.deepEqual([await page.evaluate(() => editor.view.hasFocus()), await pending(page)], [true, 0]);
  assert.match(await notice(page), /accepted/);
});

test("the notice of a change that a key has accepted goes with the acceptance, and others with what they say", async (t) => {
  const page = await open(t, TEA, [INLINE, { operation: "delete", sectionIndex: 2 }]);
  const gone = () => page.waitForFunction(() => document.querySelector(".copydesk-notice").textContent === "");
  await caretIn(page, "dear", 2);
  await page.keyboard.type("X");
  assert.match(await notice(page), /accepted/);
  await page.keyboard.type("Y");
  assert.match(await notice(page), /accepted/, "it is still so");
  for (let left = 2; left && (await pending(page)) < 2; left--) await page.keyboard.press("Control+z");
  await gone();
  await run(page, "setReviewView", "final");
  await run(page, "acceptHunk");
  assert.match(await notice(page), /Show the changes/);
  await run(page, "setReviewView", "marked");
  await gone();
});

// Each with what the text is afterwards, and where the caret was.
for (const [name, at, act, changed] of [
  ["a key in an inline proposal", ["dear", 2, 0], (page) => page.keyboard.type("X"), ["an old drink", "an old, deXar drink"]],
  ["a key over selected text", ["dear", 0, 4], (page) => page.keyboard.type("X"), ["an old drink", "an old, X drink"]],
  ["Backspace", ["dear", 4, 0], (page) => page.keyboard.press("Backspace"), ["an old drink", "an old, dea drink"]],
  ["Delete", ["dear", 0, 0], (page) => page.keyboard.press("Delete"), ["an old drink", "an old, ear drink"]],
  ["Backspace at the start", [",", 0, 0], (page) => page.keyboard.press("Backspace"), null],
  ["Enter", ["steamed", 2, 0], (page) => page.keyboard.press("Enter"), [NEW, NEW.replace("steamed", "st</p><p>eamed")]],
  ["bold", ["steamed", 0, 7], (page) => page.keyboard.press("Control+b"), [NEW, NEW.replace("steamed", "<strong>steamed</strong>")]],
  ["a key in an item of a list", ["Sencha", 6, 0], (page) => page.keyboard.type("!"), [NEW, NEW.replace("Sencha", "Sencha!")]],
]) {
  test(`${name} in proposed text is done in the document, in one undo step`, async (t) => {
    const page = await open(t, TEA, [ARTICLE, INLINE]);
    const hunks = await page.evaluate(() => JSON.stringify(boundDocument.hunks().map(({ from, to, content }) => [from, to, content])));
    await caretIn(page, ...at);
    await act(page);
    const [part, becomes] = changed ?? [];
    if (changed) assert.equal(await html(page), part === NEW ? withNew(becomes) : TEA.replace(part, becomes));
    assert.equal(await pending(page), JSON.parse(hunks).length - 1);
    await run(page, "undo");
    assert.equal(await html(page), TEA);
    assert.equal(await page.evaluate(() => JSON.stringify(boundDocument.hunks().map(({ from, to, content }) => [from, to, content]))), hunks);
  });
}

test("an input method composes in proposed text, and its text is taken over at the end", async (t) => {
  const page = await open(t, TEA, [ARTICLE]);
  await caretIn(page, "steamed", 0);
  const session = await page.context().newCDPSession(page);
  for (const text of ["n", "ni", "nih"]) await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
  assert.equal(await html(page), TEA);
  await session.send("Input.insertText", { text: "你好" });
  assert.equal(await html(page), withNew(NEW.replace("steamed", "你好steamed")));
  assert.equal(await page.evaluate(() => editor.view.hasFocus()), true);
});

test("proposed text is copied, and pasted text goes into it", async (t) => {
  const page = await open(t, TEA, [ARTICLE], { permissions: ["clipboard-read", "clipboard-write"] });
  await caretIn(page, "steamed", 0, 7);
  await page.keyboard.press("Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "steamed");
  assert.equal(await pending(page), 1);
  await caretIn(page, "Sencha", 0);
  await page.keyboard.press("Control+v");
  assert.match(await html(page), /<li><p>steamedSencha<\/p><\/li>/);
});

test("a copied selection is as it is shown: with what is proposed, without what is deleted", async (t) => {
  const remove = { operation: "replace_lines", edits: [{ start_line: 5, end_line: 5, content: "" }] };
  const page = await open(t, TEA, [remove, ARTICLE, INLINE], { permissions: ["clipboard-read", "clipboard-write"] });
  const read = () =>
    page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const [plain, html] = await Promise.all(["text/plain", "text/html"].map(async (type) => (await item.getType(type)).text()));
      // The marks of ProseMirror and of the browser.
      return [plain, html.replace(/<meta[^>]*>|<!--.*?-->| data-pm-slice="[^"]*"/g, "")];
    });
  const select = (from, to) =>
    page.evaluate(([from, to]) => {
      const positionOf = (text) => {
        let at;
        editor.state.doc.descendants((node, position) => void (node.text?.includes(text) && (at = position + node.text.indexOf(text))));
        return at;
      };
      editor.chain().focus().setTextSelection({ from: positionOf(from), to: positionOf(to) }).run();
    }, [from, to]);
  await page.focus("#page [contenteditable]");
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  const [plain, markup] = await read();
  await run(page, "acceptAll");
  assert.deepEqual([markup, plain], [await html(page), await page.evaluate(() => editor.getText())]);
  await run(page, "undo");
  assert.equal(await pending(page), 3);
  await select("old drink", "of the south");
  await page.keyboard.press("Control+c");
  assert.equal((await read())[0], "old, dear drink ");
  // Proposed content beside the selection is not in it.
  await select("an old", " drink of");
  await page.keyboard.press("Control+c");
  assert.equal((await read())[0], "an old");
  assert.deepEqual([await html(page), await pending(page)], [TEA, 3]);

  await select("Tea is", "of the south");
  await page.keyboard.press("Control+x");
  assert.equal((await read())[0], "Tea is an old, dear drink ");
  assert.match(await notice(page), /suggested change/);
  await run(page, "undo");
  assert.deepEqual([await html(page), await pending(page)], [TEA, 3]);
});

test("arrow keys and Escape lead out of a proposal, and undo works inside of it", async (t) => {
  const page = await open(t, TEA, [ARTICLE]);
  const cursor = () => page.evaluate(() => editor.view.hasFocus() && editor.state.selection.$head.parent.textContent);
  await caretIn(page, "Sencha", 6);
  await page.keyboard.press("ArrowRight");
  assert.equal(await cursor(), "History");
  await caretIn(page, "Green", 0);
  await page.keyboard.press("ArrowUp");
  assert.equal(await cursor(), "About tea.");
  await caretIn(page, "steamed", 3);
  await page.keyboard.press("Escape");
  assert.equal(await cursor(), "About tea.");
  assert.deepEqual([await html(page), await pending(page)], [TEA, 1]);
  await run(page, "rejectHunk", "h1");
  await run(page, "undo");
  await caretIn(page, "steamed", 3);
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await pending(page), 0);
});

test("keys do nothing in a deletion, a picture, a conflict and a read-only editor, and say why", async (t) => {
  const picture = { operation: "insert_image", sectionIndex: 1, imageUrl: "https://example.org/leaf.gif", imageDescription: "A leaf" };
  const remove = { operation: "replace_lines", edits: [{ start_line: 2, end_line: 2, content: "" }] };
  const gif = { contentType: "image/gif", body: Buffer.from("R0lGODlhAQABAAAAACwAAAAAAQABAAA=", "base64") };
  const prepare = (page) => page.route("https://example.org/leaf.gif", (route) => route.fulfill(gif));
  const page = await open(t, TEA, [picture, remove], { prepare });
  await page.evaluate(() => editor.commands.setTextSelection(1));
  const types = async (target) => {
    await page.locator(target).first().click();
    await page.keyboard.type("HELLO");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    return notice(page);
  };
  assert.match(await types(".copydesk-proposal img"), /no text to edit/);
  assert.match(await types(".copydesk-box .copydesk-label"), /deletion/);
  assert.equal(await html(page), TEA);
  await page.evaluate(() => {
    boundDocument.apply({ operation: "replace_text", old: "Many.", new: "Six." });
    let at;
    editor.state.doc.descendants((node, position) => void (node.text === "Many." && (at = position)));
    editor.commands.insertContentAt({ from: at, to: at + 4 }, "Few");
  });
  const before = await html(page);
  await page.waitForSelector(".copydesk-conflict .copydesk-insertion");
  assert.match(await types(".copydesk-conflict .copydesk-insertion"), /conflict/);
  assert.equal(await html(page), before);
  await page.evaluate(() => {
    boundDocument.reject("all");
    boundDocument.apply({ operation: "append", title: "New", content: "<p>Fresh.</p>" });
    editor.setEditable(false);
  });
  await page.waitForSelector(".copydesk-insertion p");
  await page.locator(".copydesk-insertion p").click();
  await page.keyboard.type("HELLO");
  assert.deepEqual([await html(page), await pending(page)], [before, 1]);
});

test("a click in struck-through text puts the caret there at once, and what is typed makes a conflict", async (t) => {
  const cuts = [
    { operation: "replace_text", old: "is an old drink", new: "is a drink" },
    { operation: "replace_lines", edits: [{ start_line: 6, end_line: 6, content: "" }] },
  ];
  const page = await open(t, TEA, cuts);
  for (const [text, becomes] of [["an old", /a.*W.*drink/], ["Many.", /M.*W.*\./]]) {
    await page.evaluate(() => editor.chain().focus().setTextSelection(1).run());
    const box = await page.locator(".copydesk-deletion", { hasText: text }).first().boundingBox();
    await page.mouse.click(box.x + Math.min(box.width / 2, 20), box.y + box.height / 2);
    await page.keyboard.type("W");
    assert.match(await html(page), /^<h1>Tea<\/h1>/);
    assert.match(await html(page), becomes);
  }
  assert.equal(await page.evaluate(() => boundDocument.hunks().filter(({ conflict }) => conflict).length), 2);
});

test("a key in proposed text of a split accepts both of its halves, and is typed at its place", async (t) => {
  const page = await open(t, "<p>One two three four.</p><p>End.</p>", [
    { operation: "replace_lines", edits: [{ start_line: 1, end_line: 1, content: "One two\nThree four." }] },
  ]);
  const split = "<p>One two</p><p>Three four.</p><p>End.</p>";
  assert.equal(await pending(page), 2);
  assert.deepEqual(await page.evaluate(() => boundDocument.hunks().map(({ linked }) => linked)), [["h2"], ["h1"]]);
  await caretIn(page, "Three", 5);
  await page.keyboard.type("X");
  assert.deepEqual([await html(page), await pending(page)], [split.replace("Three", "ThreeX"), 0]);
  await run(page, "undo");
  assert.equal(await pending(page), 2);
  await run(page, "rejectHunk", "h1");
  assert.deepEqual([await html(page), await pending(page)], ["<p>One two three four.</p><p>End.</p>", 0]);
  await run(page, "undo");
  await run(page, "acceptHunk", "h2");
  assert.deepEqual([await html(page), await pending(page)], [split, 0]);
});
