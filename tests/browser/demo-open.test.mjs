// Opening Markdown, HTML and text files as the document: nothing of the document before is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDemo, saved, text, written } from "./demo-page.mjs";

const getHTML = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
const hunks = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().map(({ originalText, newText }) => [originalText, newText]));
const notice = (page, name) => page.locator(`[data-notice="${name}"]`);
const bytesOf = (content) => [...(typeof content === "string" ? new TextEncoder().encode(content) : content)];

/** Drops files on an element, as the file manager of the system does. Returns true if the browser would not leave the page. */
const drop = (page, files, target = ".tiptap") =>
  page.evaluate(
    ([files, target]) => {
      const transfer = new DataTransfer();
      for (const [name, bytes, type = ""] of files) transfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
      const element = document.querySelector(target);
      const box = element.getBoundingClientRect();
      const event = (type) => new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true, clientX: box.left + 20, clientY: box.top + 10 });
      element.dispatchEvent(event("dragover"));
      return !element.dispatchEvent(event("drop"));
    },
    [files.map(([name, content, type]) => [name, bytesOf(content), type]), target],
  );
const set = (page, html) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), html);
const shows = (page, start) => page.waitForFunction((start) => document.querySelector(".tiptap").editor.getHTML().startsWith(start), start);

const FORMATS = [
  ["notes.md", "# Tea\n\nA **leaf**.\n\n- green\n- black\n", "<h1>Tea</h1><p>A <strong>leaf</strong>.</p><ul><li><p>green</p></li><li><p>black</p></li></ul>"],
  ["page.html", "<!doctype html><title>no</title><style>p{}</style><script>window.ran = 1</script><h2>Cups</h2><p onclick='window.ran = 1'>One <em>two</em></p>", "<h2>Cups</h2><p>One <em>two</em></p>"],
  ["plain.txt", "\u{feff}First line\r\n\r\n# no heading\n", "<p>First line</p><p># no heading</p>"],
  ["utf16.txt", [0xff, 0xfe, 0x36, 0x83, 0x0a, 0x00], "<p>茶</p>"],
  ["latin.txt", [0x63, 0x61, 0x66, 0xe9], "<p>café</p>"],
  ["gbk.html", [...bytesOf('<meta charset="gbk"><p>'), 0xb2, 0xe8, ...bytesOf("</p>")], "<p>茶</p>"],
];

test("Markdown, HTML and text become the document, and undo leads back", async (t) => {
  const page = await openDemo(t);
  for (const [name, content, expected] of FORMATS) {
    await set(page, "<p>Mine.</p>");
    await drop(page, [[name, content]]);
    await shows(page, expected);
    assert.equal(await page.evaluate(() => window.ran), undefined);
    await page.evaluate(() => document.querySelector(".tiptap").editor.commands.undo());
    assert.equal(await getHTML(page), "<p>Mine.</p>", name);
    assert.equal(await notice(page, "previous").count(), 0, "it is the document that is shown");
    await page.evaluate(() => document.querySelector(".tiptap").editor.commands.redo());
    await notice(page, "previous").waitFor();
    await notice(page, "previous").locator("button").first().click();
    await shows(page, "<p>Mine.</p>");
  }
});

test("the document before comes back with its pending changes, also after a reload", async (t) => {
  const page = await openDemo(t, { mode: "review" });
  await set(page, "<h1>Mine</h1><p>The old words.</p>");
  await page.evaluate(() =>
    document.querySelector(".tiptap").editor.storage.copydesk.document.apply({ operation: "replace_lines", edits: [{ start_line: 2, end_line: 2, content: "The new words.", format: "text" }] }),
  );
  const before = [await getHTML(page), await hunks(page)];
  assert.equal(before[1].length, 1);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(".actions .tool[aria-label='Open a document']")]);
  await chooser.setFiles({ name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Other\n") });
  await shows(page, "<h1>Other</h1>");
  assert.deepEqual(await hunks(page), []);
  assert.match(await notice(page, "previous").textContent(), /“notes\.md” is open\. The document from before is kept\./);
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await written(page), "Other");
  await notice(page, "previous").locator("button").first().click();
  await shows(page, "<h1>Mine</h1>");
  assert.deepEqual([await getHTML(page), await hunks(page)], before);
  assert.equal(await notice(page, "previous").count(), 0);
});

test("a second file replaces an untouched one at once, and changes to it only after a question", async (t) => {
  const page = await openDemo(t);
  await set(page, "<p>Mine.</p>");
  await drop(page, [["a.md", "First"]]);
  await shows(page, "<p>First</p>");
  await drop(page, [["b.md", "Second"]]);
  await shows(page, "<p>Second</p>");
  await page.evaluate(() => document.querySelector(".tiptap").editor.commands.insertContentAt(1, "My "));
  await drop(page, [["c.md", "Third"]]);
  await notice(page, "open-document").waitFor();
  assert.equal(await getHTML(page), "<p>My Second</p>");
  await notice(page, "open-document").locator("button").last().click();
  assert.equal(await getHTML(page), "<p>My Second</p>");
  await drop(page, [["c.md", "Third"]]);
  await notice(page, "open-document").locator("button").first().click();
  await shows(page, "<p>Third</p>");
  await notice(page, "previous").locator("button").first().click();
  await shows(page, "<p>Mine.</p>");
});

test("what cannot be opened is said and changes nothing, wherever it is dropped", async (t) => {
  const page = await openDemo(t);
  await set(page, "<p>Mine.</p>");
  const cases = [
    [[["book.pdf", "%PDF", "application/pdf"]], /“book\.pdf” is not an image, and not a text that can be opened/],
    [[["folder", ""]], /“folder” is not an image/],
    [[["a.md", "a"], ["b.md", "b"]], /one document at a time/],
    [[["zeros.txt", [0x61, 0, 0x62]]], /“zeros\.txt” is not a text/],
  ];
  for (const target of [".tiptap", ".chat", ".brand"])
    for (const [files, expected] of cases) {
      assert.equal(await drop(page, files, target), true, `${files[0][0]} on ${target}`);
      await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('[data-notice="open-document"]')?.textContent), expected.source);
      assert.equal(await getHTML(page), "<p>Mine.</p>");
      await notice(page, "open-document").locator("button").click();
    }
  await drop(page, [["notes.md", "Dropped beside the page."]], ".chat");
  await shows(page, "<p>Dropped beside the page.</p>");
});

test("without the network a file is not opened with a sentence, and pasted Markdown stays as text", async (t) => {
  const page = await openDemo(t, { expected: [/^console: Failed to load resource/, /^console: .*(dynamically imported module|PartNotLoaded)/, /^outside/] });
  await set(page, "<p>Mine.</p>");
  await page.route("**/*", (route) => route.abort());
  await drop(page, [["notes.md", "# Other"]]);
  await notice(page, "open-document").waitFor();
  assert.match((await text(page, '[data-notice="open-document"] p'))[0], /^“notes\.md” could not be opened\. This part of the page could not be loaded\. Check the network, and try again\.$/);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "# A heading\n\nand text");
    document.querySelector(".tiptap").editor.commands.selectAll();
    document.querySelector(".tiptap").dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  });
  await shows(page, "<p># A heading</p>");
});
