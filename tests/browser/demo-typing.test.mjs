// What follows the document while the user types: word count, outline and toolbar.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo, text } from "./demo-page.mjs";

/** A random sequence that a seed repeats. */
const randomFrom = (seed) => () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32);

test("after random changes the word count and the outline are those of the whole document", async (t) => {
  const page = await openDemo(t);
  const seed = Number(process.env.COPYDESK_SEED ?? Date.now() % 1e6);
  t.diagnostic(`COPYDESK_SEED=${seed}`);
  const random = randomFrom(seed);
  const numbers = Array.from({ length: 400 }, () => random());
  await page.evaluate((numbers) => {
    const { editor } = document.querySelector(".tiptap");
    const next = () => numbers.pop() ?? 0.5;
    const pick = (list) => list[Math.floor(next() * list.length)];
    const words = ["tea", "it's 2 o'clock", "茶叶", " and ", "well-kept", "水 a水b", "…", "🍵"];
    editor.commands.setContent(
      "<h1>Tea</h1><p>One two.</p><h2>First</h2><ul><li><p>a b</p></li><li><p>c</p></li></ul><h2>Second</h2><table><tr><td><p>x</p></td><td><p>y z</p></td></tr></table><blockquote><p>quoted 文字</p></blockquote><p>end</p>",
    );
    const place = () => Math.floor(next() * (editor.state.doc.content.size + 1));
    const changes = [
      () => editor.commands.insertContentAt(editor.state.doc.resolve(place()).pos, pick(words)),
      () => editor.commands.setTextSelection({ from: place(), to: place() }) && editor.commands.deleteSelection(),
      () => editor.chain().setTextSelection(place()).splitBlock().run(),
      () => editor.chain().setTextSelection(place()).toggleHeading({ level: 2 }).run(),
      () => editor.chain().setTextSelection(place()).toggleBulletList().run(),
      () => editor.chain().setTextSelection(place()).setHardBreak().run(),
      () => editor.commands.undo(),
      () => editor.commands.insertContentAt(0, "<h2>New one</h2><p>some words</p>"),
    ];
    for (let count = 0; count < 60; count++) {
      try {
        pick(changes)();
      } catch {
        // A position where such a change is not possible.
      }
    }
  }, numbers);
  // The oracle reads the document anew, once all of it.
  const expected = await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    const all = editor.getText({ blockSeparator: "\n" });
    const han = all.match(/\p{Script=Han}/gu)?.length ?? 0;
    const others = (all.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).filter((word) => !/\p{Script=Han}/u.test(word)).length;
    const headings = editor.state.doc.children.filter(({ type, attrs }) => type.name === "heading" && attrs.level === 2);
    return { words: han + others, isEmpty: editor.isEmpty, sections: headings.map((node) => node.textContent.trim() || "…") };
  });
  await page.waitForFunction(
    ({ words, isEmpty, sections }) => {
      const shown = find(".outline-length").textContent;
      const names = [...findAll(".outline-entry .outline-name")].map((name) => name.textContent);
      return (isEmpty ? shown === "" : Number(shown.replace(/\D/g, "")) === words) && JSON.stringify(names) === JSON.stringify(sections);
    },
    expected,
  );
});

test("a key in a long document reads no other block than its own", async (t) => {
  const page = await openDemo(t);
  await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    const part = (at) => `<h2>Section ${at}</h2><p>${"word ".repeat(20)}</p><p>${"more ".repeat(20)}</p>`;
    editor.commands.setContent(Array.from({ length: 150 }, (_, at) => part(at)).join(""));
    editor.commands.setTextSelection(20);
  });
  await page.waitForFunction(() => findAll(".outline-entry").length === 150);
  await page.evaluate(() => {
    // Reading text asks a textblock for it; counting sections asks for the title of each heading.
    const { editor } = document.querySelector(".tiptap");
    const proto = Object.getPrototypeOf(editor.state.doc);
    window.reads = new Map();
    const { textBetween } = proto;
    proto.textBetween = function (...range) {
      if (this.isTextblock) reads.set(this, (reads.get(this) ?? 0) + 1);
      return textBetween.apply(this, range);
    };
    window.drawn = 0;
    new MutationObserver((records) => (drawn += records.length)).observe(find(".outline-list"), { childList: true, subtree: true });
  });
  await page.click(".tiptap > p >> nth=0");
  await page.evaluate(() => reads.clear());
  // What reads the new document once, such as the look for suggestions, may still come between two keys.
  for (let words = 0; words < 6; words++) {
    const before = await page.textContent(".outline-length");
    await page.keyboard.type(" x ");
    await page.waitForFunction((before) => find(".outline-length").textContent !== before, before);
  }
  const { again, drawn } = await page.evaluate(() => ({ again: [...reads.values()].filter((times) => times > 2).length, drawn }));
  assert.ok(again <= 8, `${again} of 450 blocks were read again and again`);
  assert.equal(drawn, 0, "the outline was not drawn again");
});

test("marks and blocks are set by the toolbar and shown as pressed, also without a pointer", async (t) => {
  const page = await openDemo(t);
  const tool = (name) => page.locator(`.toolbar .tool[aria-label="${name}"]`);
  const html = () => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
  const reset = () =>
    page.evaluate(() => {
      const { editor } = document.querySelector(".tiptap");
      editor.chain().setContent("<p>Green tea</p>").focus().setTextSelection({ from: 1, to: 6 }).run();
    });
  const cases = [
    ["Underline", "<p><u>Green</u> tea</p>"],
    ["Strikethrough", "<p><s>Green</s> tea</p>"],
    ["Code", "<p><code>Green</code> tea</p>"],
    ["Quote", "<blockquote><p>Green tea</p></blockquote>"],
    ["Code block", "<pre><code>Green tea</code></pre>"],
  ];
  for (const [name, expected] of cases) {
    await reset();
    assert.equal(await tool(name).getAttribute("aria-pressed"), "false", name);
    await tool(name).click();
    assert.ok((await html()).startsWith(expected), `${name}: ${await html()}`);
    assert.equal(await tool(name).getAttribute("aria-pressed"), "true", name);
    await tool(name).click();
    assert.ok((await html()).startsWith("<p>Green tea</p>"), `${name} again: ${await html()}`);
  }
  await reset();
  await page.evaluate(() => document.querySelector(".tiptap").editor.commands.setTextSelection(10));
  await tool("Divider").click();
  assert.match(await html(), /^<p>Green tea<\/p><hr>/);
  const boxes = await page.$$eval(".toolbar button", (all) =>
    all.filter((one) => one.checkVisibility()).map((one) => [one.getAttribute("aria-label"), one.getBoundingClientRect()]).filter(([, box]) => box.width < 24 || box.height < 24),
  );
  assert.deepEqual(boxes, []);
  // One tab stop, arrows within.
  assert.equal(await page.$$eval(".toolbar :is(button:not([role=menuitem]), select)", (all) => all.filter(({ tabIndex }) => tabIndex === 0).length), 1);
});

test("Ctrl+K links the selection, changes a link, and gives the focus back", async (t) => {
  const page = await openDemo(t);
  await page.evaluate(() => document.querySelector(".tiptap").editor.chain().setContent("<p>Green tea</p>").focus().setTextSelection({ from: 1, to: 6 }).run());
  const link = () => page.evaluate(() => document.querySelector(".tiptap a")?.getAttribute("href") ?? null);
  const focused = () => page.evaluate(() => document.querySelector(".tiptap").editor.isFocused);
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("not a url");
  await page.keyboard.press("Enter");
  assert.ok(await page.isVisible(".link-form .field-problem"));
  assert.equal(await link(), null);
  await page.fill(".link-form input", "example.com/tea");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  assert.equal(await link(), "https://example.com/tea");
  assert.deepEqual(await text(page, ".tiptap a"), ["Green"]);
  await page.keyboard.press("ControlOrMeta+k");
  assert.equal(await page.inputValue(".link-form input"), "https://example.com/tea");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  assert.equal(await focused(), true);
  await page.keyboard.press("ControlOrMeta+k");
  await page.click(".link-form .button.plain");
  assert.equal(await link(), null);
});
