// The editor of the demo: images, tables, Markdown that is pasted, and export.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import JSZip from "jszip";
import { openDemo, saved, written } from "./demo-page.mjs";

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const html = (page) => page.evaluate(() => document.querySelector(".tiptap").editor.getHTML());
const setContent = (page, content) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), content);
const OWN = /^http:\/\/127\.0\.0\.1:\d+\/images\/own\/[\w-]+\.png$/;

/** Pastes or drops data into the document. */
const give = (page, type, data) =>
  page.evaluate(
    ([type, { files = [], ...texts }]) => {
      const transfer = new DataTransfer();
      for (const { name, mime, bytes } of files) transfer.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name, { type: mime }));
      for (const [mime, text] of Object.entries(texts)) transfer.setData(mime, text);
      const target = document.querySelector(".tiptap");
      const box = target.getBoundingClientRect();
      const place = { bubbles: true, cancelable: true, clientX: box.left + 20, clientY: box.top + 10 };
      const event = type === "paste" ? new ClipboardEvent("paste", { clipboardData: transfer, ...place }) : new DragEvent("drop", { dataTransfer: transfer, ...place });
      target.dispatchEvent(event);
    },
    [type, data],
  );
const file = (name = "cat.png", mime = "image/png", bytes = PNG.toString("base64")) => ({ name, mime, bytes });

async function exported(page, name) {
  await page.click(".actions .tool[aria-label=Export]");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.menu-item:has-text("${name}")`)]);
  return [download.suggestedFilename(), await readFile(await download.path(), "utf8")];
}

test("images are inserted by button, by pasting and by dropping, and are there after a reload", async (t) => {
  const page = await openDemo(t, {});
  const shown = (count) => page.waitForFunction((count) => {
    const all = [...document.querySelectorAll(".tiptap > img")];
    return all.length === count && all.every((image) => image.complete && image.naturalWidth > 0);
  }, count);
  await page.click(".tiptap");
  await page.keyboard.type("Words.");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(".toolbar .tool[aria-label='Insert image']")]);
  await chooser.setFiles({ name: "dog.png", mimeType: "image/png", buffer: PNG });
  await shown(1);
  assert.equal(await page.getAttribute(".tiptap > img", "alt"), "dog");
  assert.match(await page.getAttribute(".tiptap > img", "src"), OWN);
  await give(page, "paste", { files: [file()] });
  await shown(2);
  await give(page, "drop", { files: [file("hat.png")] });
  await shown(3);
  assert.equal(await written(page), "Words.");
  await saved(page);
  await page.reload();
  await shown(3);

  // What cannot be inserted is said, and changes nothing.
  await give(page, "drop", { files: [file("notes.pdf", "application/pdf")] });
  await page.waitForSelector('[data-notice="open-document"]');
  assert.match(await page.textContent('[data-notice="open-document"] p'), /not an image/);
  await page.click('[data-notice="open-document"] button');
  assert.equal(await page.locator('[data-notice="open-document"]').count(), 0);
  await shown(3);
});

test("own images that nothing kept refers to are deleted at the next visit, and no others", async (t) => {
  const page = await openDemo(t, {});
  const kept = () => page.evaluate(async () => (await (await caches.open("copydesk.images")).keys()).length);
  const images = (count) => page.waitForFunction((count) => document.querySelectorAll(".tiptap > img").length === count, count);
  const reload = async () => {
    await saved(page);
    await page.reload();
    await page.waitForSelector("html[data-ready]");
  };
  await give(page, "drop", { files: [file("a.png")] });
  await images(1);
  await give(page, "drop", { files: [file("b.png")] });
  await images(2);
  await reload();
  await images(2);
  assert.equal(await kept(), 2);
  await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    const { nodeSize } = editor.state.doc.firstChild;
    editor.commands.deleteRange({ from: 0, to: nodeSize });
  });
  await images(1);
  assert.equal(await kept(), 2, "it can still be undone");
  await reload();
  await images(1);
  await page.waitForFunction(async () => (await (await caches.open("copydesk.images")).keys()).length === 1);
  const [left] = await page.evaluate(async () => (await (await caches.open("copydesk.images")).keys()).map(({ url }) => url));
  assert.equal(left, await page.getAttribute(".tiptap > img", "src"));

  // What a newer page has saved cannot be read, so everything stays.
  await page.evaluate(() => new Promise((done) => {
    const opening = indexedDB.open("copydesk");
    opening.onsuccess = () => {
      const change = opening.result.transaction("documents", "readwrite");
      change.objectStore("documents").put({ format: 99, value: {} }, "document");
      change.oncomplete = () => (opening.result.close(), done());
    };
  }));
  await page.reload();
  await page.waitForSelector('[data-notice="storage"]');
  await page.waitForSelector("html[data-ready]");
  await saved(page);
  assert.equal(await kept(), 1);
});

test("rows and columns of a table are added and deleted", async (t) => {
  const page = await openDemo(t, {});
  const size = () => page.$$eval(".tiptap tr", (rows) => `${rows.length}x${rows[0]?.children.length ?? 0}`);
  const choose = async (name) => {
    await page.click(".toolbar .tool[aria-label='Rows and columns']");
    await page.click(`.menu:popover-open .menu-item:has-text("${name}")`);
  };
  assert.equal(await page.isVisible(".toolbar .tool[aria-label='Rows and columns']"), false);
  await page.click(".toolbar .tool[aria-label=Table]");
  assert.equal(await size(), "3x3");
  for (const [name, expected] of [["Insert row below", "4x3"], ["Insert column after", "4x4"], ["Delete row", "3x4"], ["Delete column", "3x3"]]) {
    await choose(name);
    assert.equal(await size(), expected, name);
  }
  await choose("Delete table");
  assert.equal(await size(), "0x0");
});

test("Markdown is pasted as blocks, and as text where the user wants text", async (t) => {
  const page = await openDemo(t, {});
  const markdown = "# Tea\n\nA **leaf**, see [here](https://example.com).\n\n- green\n- black\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nx();\n```\n";
  await page.click(".tiptap");
  await give(page, "paste", { "text/plain": markdown });
  await page.waitForSelector(".tiptap > h1");
  const kinds = await page.$$eval(".tiptap > *", (all) => all.map(({ localName }) => localName));
  assert.deepEqual(kinds.filter((kind) => kind !== "p"), ["h1", "ul", "div", "pre"]);
  assert.match(await html(page), /A <strong>leaf<\/strong>, see <a [^>]*href="https:\/\/example\.com"/);
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await written(page), "", "one undo");

  await give(page, "paste", { "text/plain": "Just 2 * 3 words, no - blocks." });
  assert.equal(await html(page), "<p>Just 2 * 3 words, no - blocks.</p>");
  await give(page, "paste", { "text/plain": "# no", "text/html": "<p>formatted <b>words</b></p>" });
  assert.match(await html(page), /formatted <strong>words<\/strong>/);
  await setContent(page, "<pre><code></code></pre>");
  await page.click(".tiptap pre");
  await give(page, "paste", { "text/plain": "# a comment" });
  assert.match(await html(page), /<pre><code># a comment<\/code><\/pre>/);
});

/** A paragraph of a list as Word writes it to the clipboard: the marker is text, conditional comments are around it. */
const wordItem = (text, { level = 1, list = 0, marker = "·", font = "Symbol" } = {}) =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 0.5}in;text-indent:-.25in;mso-list:l${list} level${level} lfo${list + 1}'><![if !supportLists]><span style='font-family:${font};mso-fareast-font-family:${font}'><span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>\n`;
const fromWord = (body) =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- @list l0 {mso-list-id:1;} --></style></head><body lang=EN-US><!--StartFragment-->${body}<!--EndFragment--></body></html>`;

test("lists from Word are pasted as lists, with levels, numbers and formatting", async (t) => {
  const page = await openDemo(t, {});
  const numbered = { list: 1, font: "Calibri" };
  const body = [
    "<p class=MsoNormal>Before</p>",
    wordItem("First <b>bold</b>"),
    wordItem("Inside", { level: 2, marker: "o", font: '"Courier New"' }),
    wordItem("Deeper", { level: 3, marker: "§", font: "Wingdings" }),
    wordItem("Second"),
    wordItem("Three", { ...numbered, marker: "3." }),
    wordItem("Four", { ...numbered, marker: "4." }),
    "<p class=MsoNormal>Between</p>",
    wordItem("甲", { list: 2, marker: "（一）" }),
    "<p class=MsoNormal style='mso-list:none'>After</p>",
  ].join("");
  await page.click(".tiptap");
  await give(page, "paste", { "text/html": fromWord(body), "text/plain": "as text" });
  assert.equal(
    (await html(page)).replace(/ class="[^"]*"/g, ""),
    "<p>Before</p>" +
      "<ul><li><p>First <strong>bold</strong></p><ul><li><p>Inside</p><ul><li><p>Deeper</p></li></ul></li></ul></li><li><p>Second</p></li></ul>" +
      '<ol start="3"><li><p>Three</p></li><li><p>Four</p></li></ol>' +
      "<p>Between</p><ol><li><p>甲</p></li></ol><p>After</p>",
  );
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await written(page), "", "one undo");

  // Random levels: every item is there once and in order, and as deep as the levels before it allow.
  const seed = Number(process.env.COPYDESK_SEED ?? Date.now() % 1e6);
  t.diagnostic(`COPYDESK_SEED=${seed}`);
  let state = seed;
  const below = (n) => Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
  for (let round = 0; round < 10; round++) {
    const levels = Array.from({ length: 1 + below(12) }, () => 1 + below(4));
    await setContent(page, "<p></p>");
    await give(page, "paste", { "text/html": fromWord(levels.map((level, at) => wordItem(`item ${at}`, { level })).join("")) });
    const found = await page.$$eval(".tiptap li > p", (all) =>
      all.map((paragraph) => {
        let depth = 0;
        for (let at = paragraph.parentElement; at; at = at.parentElement.closest("li")) depth++;
        return [paragraph.textContent, depth];
      }),
    );
    const open = [];
    const expected = levels.map((level, at) => {
      while (open.length > 1 && open.at(-1) > level) open.pop();
      if (!open.length || open.at(-1) < level) open.push(level);
      return [`item ${at}`, open.length];
    });
    assert.deepEqual(found, expected, String(levels));
  }
});

test("the document is exported as Markdown and as HTML, with its own images", async (t) => {
  const page = await openDemo(t, {});
  await setContent(page, '<h1>Tea: a/b</h1><p>A <strong>leaf</strong>.</p><ul data-type="taskList"><li data-type="taskItem" data-checked="true"><p>pour</p></li></ul><table><tr><th><p>a</p></th></tr><tr><td><p>1</p></td></tr></table>');
  await give(page, "drop", { files: [file()] });
  await page.waitForSelector(".tiptap > img");
  const [name, markdown] = await exported(page, "Export as Markdown");
  assert.equal(name, "Tea a b.md");
  for (const part of ["# Tea: a/b\n", "A **leaf**.", "- [x] pour", /\| a +\|/, "](data:image/png;base64,iVBOR"]) assert.ok(typeof part === "string" ? markdown.includes(part) : part.test(markdown), `${part} in ${markdown.slice(0, 400)}`);
  const [file2, page2] = await exported(page, "Export as HTML");
  assert.equal(file2, "Tea a b.html");
  assert.match(page2, /^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8" \/>[^]*<title>Tea: a\/b<\/title>/);
  assert.match(page2, /src="data:image\/png;base64,/);
  assert.match(page2, /<p>A <strong>leaf<\/strong>\.<\/p>/);
});

test("an export asks what becomes of changes that wait, and exports what was chosen", async (t) => {
  const page = await openDemo(t, { mode: null });
  await setContent(page, "<h1>Tea</h1><p>An old leaf.</p>");
  // The document can be read when the wasm is loaded.
  await page.waitForFunction(() => {
    try {
      return document.querySelector(".tiptap").editor.storage.copydesk.document.lines().length === 2;
    } catch {
      return false;
    }
  });
  await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    editor.storage.copydesk.document.apply({ operation: "replace_text", old: "old", new: "green" });
  });
  await page.waitForSelector("del.copydesk-deletion");
  const choose = async (choice) => {
    await page.click(".actions .tool[aria-label=Export]");
    await page.click('.menu-item:has-text("Export as Markdown")');
    await page.click(`dialog.pending-changes label:has-text("${choice}")`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog.pending-changes button[type=submit]")]);
    return readFile(await download.path(), "utf8");
  };
  assert.equal(await choose("The text with the changes"), "# Tea\n\nAn green leaf.\n");
  assert.equal(await choose("The text without the changes"), "# Tea\n\nAn old leaf.\n");
  assert.equal(await choose("Both, with the changes marked"), "# Tea\n\nAn <del>old</del><ins>green</ins> leaf.\n");
  await page.click(".actions .tool[aria-label=Export]");
  await page.click('.menu-item:has-text("Export as HTML")');
  await page.click("dialog.pending-changes .button.plain");
  await page.waitForSelector("dialog.pending-changes", { state: "detached" });
});

test("the document is exported as DOCX and EPUB and printed, and a whole book with its title", async (t) => {
  const page = await openDemo(t, { prepare: (fresh) => fresh.addInitScript(() => (window.print = () => (top.printed = document.title))) });
  await setContent(page, "<h1>Tea</h1><p>A leaf.</p>");
  const load = async (name) => {
    await page.click(".actions .tool[aria-label=Export]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(`.menu-item:has-text("${name}")`)]);
    return [download.suggestedFilename(), await JSZip.loadAsync(await readFile(await download.path()))];
  };
  const [docxName, docx] = await load("DOCX");
  assert.equal(docxName, "Tea.docx");
  assert.match(await docx.file("word/document.xml").async("text"), /A leaf\./);
  const [epubName, epub] = await load("EPUB");
  assert.equal(epubName, "Tea.epub");
  assert.equal(await epub.file("mimetype").async("text"), "application/epub+zip");
  await page.click(".actions .tool[aria-label=Export]");
  assert.equal(await page.isVisible('.menu-item:has-text("whole book")'), false, "there is no book yet");
  await page.click('.menu-item:has-text("PDF")');
  await page.waitForFunction(() => window.printed === "Tea");

  await page.click("#tab-files");
  await page.click(".sample-offer button");
  await page.waitForSelector(".file-bar:not([hidden])");
  await page.click(".actions .tool[aria-label=Export]");
  await page.click('.menu-item:has-text("whole book")');
  await page.waitForSelector("dialog.book >> text=The book has 10 chapters.");
  await page.fill("#book-title", "Gull Rock");
  const [book] = await Promise.all([page.waitForEvent("download"), page.click("dialog.book button[type=submit]")]);
  assert.equal(book.suggestedFilename(), "Gull Rock.epub");
  const unpacked = await JSZip.loadAsync(await readFile(await book.path()));
  const texts = await Promise.all(unpacked.file(/\.xhtml$/).map((file) => file.async("text")));
  for (const heading of ["The Handover", "The Green Bottle"]) assert.ok(texts.some((text) => text.includes(heading)), heading);
  assert.match((await Promise.all(unpacked.file(/\.opf$/).map((file) => file.async("text"))))[0], /<dc:title>Gull Rock<\/dc:title>/);
});
