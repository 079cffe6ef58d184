// Changes that change no word are shown as what they change; and changes beside each other do not run into each other.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../oracle/random.mjs";
import { playCases } from "./budget.mjs";
import { html, open, texts } from "./review-page.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const replace = (line, content) => ({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content }] });
const set = (line, attributes) => ({ operation: "set_attributes", edits: [{ start_line: line, attributes }] });
const hunks = (page) => page.evaluate(() => boundDocument.hunks().map(({ conflict, originalText, newText }) => ({ conflict, originalText, newText })));
/** The text of the page as it is seen, without the buttons. */
const seen = (page) =>
  page.evaluate(() => {
    const copy = document.querySelector("#page .ProseMirror").cloneNode(true);
    for (const part of copy.querySelectorAll(".copydesk-controls, label")) part.remove();
    return copy.textContent;
  });

const paste = (page) =>
  page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "Y");
    editor.view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });

/** Document, edit, what is said, and the element in which the text is shown. */
const CHANGES = [
  ["<h2>History</h2><p>a</p>", set(1, { level: 3 }), "Heading 2 → heading 3", "h2"],
  ["<h2>History</h2><p>a</p>", replace(1, "<p>History</p>"), "Heading 2 → paragraph", "h2"],
  ["<p>a</p><p>History</p>", replace(2, "<h3>History</h3>"), "Paragraph → heading 3", "p"],
  ["<pre><code class=\"language-js\">let x;</code></pre>", set(1, { language: "ts" }), "Language: js → ts", "code"],
  ["<aside data-tone=\"warn\"><p>Mind the step</p></aside><p>a</p>", set(1, { tone: "calm" }), "Tone: warn → calm", "aside"],
  ['<ul data-type="taskList"><li data-type="taskItem" data-checked="false"><p>Boil</p></li><li data-type="taskItem" data-checked="false"><p>Pour</p></li></ul>', set(2, { checked: true }), "Done: no → yes", "li"],
  ["<p>An old drink</p>", replace(1, "<p>An <strong>old</strong> drink</p>"), "Bold", "strong"],
  ["<p>An <em>old</em> drink</p>", replace(1, "<p>An old drink</p>"), "No italic", "em"],
  ['<p>An <a href="https://a.example">old</a> drink</p>', replace(1, '<p>An <a href="https://b.example">old</a> drink</p>'), "Link: address: https://a.example → https://b.example", "a"],
];

test("a change of attributes, types or marks shows the text once, and says what changes", async (t) => {
  for (const [before, update, said, tag] of CHANGES) {
    const page = await open(t, before, [update]);
    const plain = await page.evaluate(() => editor.state.doc.textContent);
    assert.equal((await hunks(page)).length, 1, said);
    assert.deepEqual(await texts(page, ".copydesk-label"), [said]);
    assert.deepEqual(await texts(page, ".copydesk-insertion, .copydesk-deletion, del, ins"), [], said);
    assert.equal((await seen(page)).replace(said, ""), plain);
    assert.equal(await page.locator(`#page ${tag}`).first().isVisible(), true, said);
    assert.match(await page.getAttribute("#page .copydesk-accept", "aria-label"), new RegExp(said.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
    await page.click("#page .copydesk-accept");
    assert.deepEqual(await hunks(page), []);
    assert.notEqual(await html(page), before);
    await page.close();
  }
});

test("it says so in the language of the page, and an app's own attributes and nodes by their names", async (t) => {
  for (const [locale, update, said] of [
    ["zh-CN", set(1, { level: 3 }), "2 级标题 → 3 级标题"],
    ["zh-CN", replace(1, "<h2><strong>History</strong></h2>"), "加粗"],
    ["zh-CN", set(2, { tone: "calm" }), "tone：warn → calm"],
  ]) {
    const page = await open(t, '<h2>History</h2><aside data-tone="warn"><p>Mind</p></aside>', [update], { copydesk: { locale } });
    assert.deepEqual((await texts(page, ".copydesk-label")).map((label) => label.toLowerCase()), [said]);
    await page.close();
  }
});

test("other changes are drawn as before: a word beside the form, another picture, a list of paragraphs", async (t) => {
  for (const [before, update] of [
    ["<h2>History</h2><p>a</p>", replace(1, "<h3>Histories</h3>")],
    ['<img src="https://a.example/1.png"><p>a</p>', replace(1, '<img src="https://a.example/2.png">')],
    ["<p>one</p><p>two</p>", { operation: "replace_lines", edits: [{ start_line: 1, end_line: 2, content: "<ul><li><p>one</p></li><li><p>two</p></li></ul>" }] }],
  ]) {
    const page = await open(t, before, [update], { expected: [/a\.example/, /ERR_NAME_NOT_RESOLVED/] });
    assert.ok((await page.locator("#page .copydesk-insertion").count()) > 0, before);
    assert.equal(await page.locator("#page .copydesk-formatting").count(), 0, before);
    await page.close();
  }
});

test("what is typed, pasted or deleted in such a text goes with the change: no conflict", async (t) => {
  for (const [before, update, at, act, text, tag] of [
    ["<h2>History</h2><p>a</p>", set(1, { level: 3 }), 3, (page) => page.keyboard.type("X"), "HiXstory", "h3"],
    ["<h2>History</h2><p>a</p>", set(1, { level: 3 }), 8, (page) => page.keyboard.press("Backspace"), "Histor", "h3"],
    ["<p>An old drink</p>", replace(1, "<p>An <strong>old</strong> drink</p>"), 5, (page) => page.keyboard.type("X"), "oXld", "strong"],
    ["<h2>History</h2><p>a</p>", set(1, { level: 3 }), 3, paste, "HiYstory", "h3"],
  ]) {
    const page = await open(t, before, [update]);
    await page.evaluate((at) => {
      editor.commands.setTextSelection(at);
      editor.view.focus();
    }, at);
    await act(page);
    await page.waitForFunction(([tag, text]) => document.querySelector(`#page .ProseMirror > ${tag}, #page p > ${tag}`)?.textContent === text, [tag, text]);
    assert.deepEqual(await hunks(page), []);
    await page.close();
  }
});

/** Drops text at the middle of an element of the page. */
const drop = (page, selector) =>
  page.evaluate((selector) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "Y");
    const target = document.querySelector(selector);
    const range = document.createRange();
    range.selectNodeContents(target);
    const { left, top, bottom } = range.getBoundingClientRect();
    const init = { dataTransfer, bubbles: true, cancelable: true, clientX: left + 1, clientY: (top + bottom) / 2 };
    target.dispatchEvent(new DragEvent("drop", init));
  }, selector);

async function compose(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Input.imeSetComposition", { text: "cha", selectionStart: 3, selectionEnd: 3 });
  await client.send("Input.insertText", { text: "茶" });
}

/** Input without a key, for a range of the text: what a spelling checker does, and characters with AltGr on Windows. */
const input = (page, inputType, text, from, to) =>
  page.evaluate(
    ([inputType, text, from, to]) => {
      const { node } = editor.view.domAtPos(2);
      const dataTransfer = new DataTransfer();
      dataTransfer.setData("text/plain", text);
      const targetRanges = [new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to })];
      const data = inputType === "insertText" ? text : null;
      editor.view.dom.dispatchEvent(new InputEvent("beforeinput", { inputType, data, dataTransfer, targetRanges, bubbles: true, cancelable: true }));
    },
    [inputType, text, from, to],
  );

test("input of every other kind goes with the change as well", async (t) => {
  const cases = {
    "Ctrl+Backspace": [6, (page) => page.keyboard.press("Control+Backspace"), "ry"],
    "Ctrl+Backspace of a selection": [{ from: 3, to: 6 }, (page) => page.keyboard.press("Control+Backspace"), "Hiry"],
    "Ctrl+Delete": [3, (page) => page.keyboard.press("Control+Delete"), "Hi"],
    "a character with AltGr": [3, (page) => input(page, "insertText", "@", 2, 2), "Hi@story"],
    dictation: [3, (page) => page.keyboard.insertText("X"), "HiXstory"],
    "an input method without a key": [3, compose, "Hi茶story"],
    "a correction": [8, (page) => input(page, "insertReplacementText", "Story", 0, 7), "Story"],
    "text that is dropped": [8, (page) => drop(page, "#page .ProseMirror :is(h2, h3)"), "YHistory"],
  };
  for (const [name, [at, act, text]] of Object.entries(cases)) {
    const page = await open(t, "<h2>History</h2><p>a</p>", [set(1, { level: 3 })]);
    await page.evaluate((at) => {
      editor.commands.setTextSelection(at);
      editor.view.focus();
    }, at);
    await act(page);
    await page.waitForFunction((text) => editor.state.doc.firstChild.textContent === text, text);
    assert.deepEqual(await hunks(page), [], name);
    assert.equal(await html(page), `<h3>${text}</h3><p>a</p>`, name);
    await page.close();
  }
});

test("a cut without a selection, an empty paste, and Delete of a selected picture accept nothing", async (t) => {
  for (const act of [
    (page) => page.keyboard.press("Control+x"),
    (page) => page.evaluate(() => editor.view.dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData: new DataTransfer(), bubbles: true, cancelable: true }))),
  ]) {
    const page = await open(t, "<h2>History</h2><p>a</p>", [set(1, { level: 3 })]);
    await page.evaluate(() => {
      editor.commands.setTextSelection(3);
      editor.view.focus();
    });
    await act(page);
    assert.deepEqual(await hunks(page), [{ conflict: false, originalText: "History", newText: "History" }]);
    assert.equal(await html(page), "<h2>History</h2><p>a</p>");
    await page.close();
  }
  const page = await open(t, '<aside data-tone="warn"><p>Mind the step</p><img src="https://a.example/1.png"></aside><p>a</p>', [set(1, { tone: "calm" })], { expected: [/a\.example/, /ERR_NAME_NOT_RESOLVED/] });
  assert.deepEqual(await texts(page, ".copydesk-label"), ["Tone: warn → calm"]);
  await page.evaluate(() => {
    let at;
    editor.state.doc.descendants((node, position) => void (node.type.name === "image" && (at = position)));
    editor.commands.setNodeSelection(at);
    editor.view.focus();
  });
  await page.keyboard.press("Delete");
  assert.equal(await page.evaluate(() => editor.state.doc.textContent), "Mind the stepa");
  assert.doesNotMatch(await html(page), /<img/);
});

test("labels name a leaf, and leave what was typed like one as it is", async (t) => {
  const page = await open(t, "<p>See [image: x] and [text] there</p><p>a</p>", [replace(1, "")]);
  assert.match(await page.getAttribute("#page .copydesk-accept", "aria-label"), /See \[image: x\] and \[text\] there/);
});

test("beside such a text, typing decides nothing", async (t) => {
  const page = await open(t, "<p>An old drink</p>", [replace(1, "<p>An <strong>old</strong> drink</p>")]);
  await page.evaluate(() => {
    editor.commands.setTextSelection(13);
    editor.view.focus();
  });
  await page.keyboard.type("s");
  await page.waitForFunction(() => editor.state.doc.textContent === "An old drinks");
  assert.deepEqual((await hunks(page)).map(({ conflict }) => conflict), [false]);
});

test("changes of neighbouring blocks are drawn one after another, each in a box of its own", async (t) => {
  const page = await open(t, "<h2>a</h2>", []);
  await playCases(t, { variable: "COPYDESK_NEIGHBOURS", most: 60, batch: 10, seed: SEED }, async (first, count) => {
    for (let at = first; at < first + count; at++) {
      const random = randomFrom(SEED + at);
      const blocks = random.times(3, 7, () => random.pick(["<p>Some words</p>", "<h2>A title</h2>", '<aside data-tone="warn"><p>Mind the step</p></aside>', "<pre><code>let x;</code></pre>", "<blockquote><p>Said</p></blockquote>"]));
      const choices = blocks.map(() => random.pick(["keep", "delete", "replace", "form", "rewrite"]));
      const problem = await page.evaluate(
        async ({ blocks, choices }) => {
          edit(blocks.join(""), { copydesk: { mode: "review" } });
          // From the last to the first, so that the lines of those still to come hold.
          for (let line = blocks.length; line > 0; line--) {
            const choice = choices[line - 1];
            const one = (content) => boundDocument.apply({ operation: "replace_lines", edits: [{ start_line: line, end_line: line, content }] });
            try {
              if (choice === "delete") one("");
              else if (choice === "replace") one("<p>Quite another sentence</p><p>And more</p>");
              else if (choice === "rewrite") one("<h4>Other</h4>");
              else if (choice === "form" && blocks[line - 1].startsWith("<h2")) boundDocument.apply({ operation: "set_attributes", edits: [{ start_line: line, attributes: { level: 3 } }] });
            } catch (error) {
              if (!(error instanceof CopydeskError)) throw error;
            }
          }
          await undefined;
          const all = boundDocument.hunks();
          const of = (id) => [...document.querySelectorAll(`#page [data-copydesk-hunk="${id}"]`)];
          const isBefore = (a, b) => (a.compareDocumentPosition(b) & 4) !== 0 || a === b;
          for (const [index, { id, conflict }] of all.entries()) {
            if (conflict) return `a conflict: ${id}`;
            if (of(id).flatMap((one) => [...one.querySelectorAll(".copydesk-accept")]).length !== 1) return `the buttons of ${id}`;
            for (const later of all.slice(index + 1))
              for (const own of of(id)) for (const other of of(later.id)) if (!isBefore(own, other)) return `${later.id} is drawn before a part of ${id}`;
          }
          const frames = [...document.querySelectorAll("#page .copydesk-frame")].map((frame) => ({ id: frame.closest("[data-copydesk-hunk]").dataset.copydeskHunk, box: frame.getBoundingClientRect() }));
          for (const { id, box } of frames)
            for (const element of document.querySelectorAll("#page [data-copydesk-hunk]")) {
              if (element.dataset.copydeskHunk === id) continue;
              const { top, bottom, height } = element.getBoundingClientRect();
              const overlap = Math.min(bottom, box.bottom) - Math.max(top, box.top);
              // Frames reach a few pixels beyond what they are around.
              if (height > 0 && overlap > 6) return `${element.dataset.copydeskHunk} is in the box of ${id}: ${overlap}`;
            }
          return null;
        },
        { blocks, choices },
      );
      assert.equal(problem, null, JSON.stringify({ seed: SEED + at, blocks, choices }));
    }
  });
});

test("nodes and attributes of the app have the names that its schema gives them", async (t) => {
  const page = await open(t, "<p>x</p>", []);
  const seen = await page.evaluate(async () => {
    const seen = [];
    const label = { en: "Price table", "zh-CN": "价格表" };
    for (const [own, locale] of [[undefined, "en"], [label, "en"], [label, "zh-CN"], ["Prices", "zh-CN"], [{ fr: "Prix" }, "en"]]) {
      const PriceTable = Node.create({
        name: "priceTable",
        group: "block",
        atom: true,
        addAttributes: () => ({ currency: { default: "EUR" } }),
        parseHTML: () => [{ tag: "price-table", getAttrs: (dom) => ({ currency: dom.getAttribute("currency") }) }],
        renderHTML: () => ["price-table"],
        extendNodeSchema: ({ name }) => (own && name === "priceTable" ? { label: own } : {}),
      });
      edit("<p>x</p><p>y</p>", { extensions: [PriceTable], copydesk: { mode: "review", locale } });
      boundDocument.apply({ operation: "replace_lines", edits: [{ start_line: 2, end_line: 2, content: '<price-table currency="USD"></price-table>' }] });
      await undefined;
      seen.push([document.querySelector(".copydesk-placeholder-name").textContent, document.querySelector(".copydesk-accept").getAttribute("aria-label")]);
    }
    return seen;
  });
  assert.deepEqual(seen.map(([name]) => name), ["Price table", "Price table", "价格表", "Prices", "Price table"]);
  for (const [name, label] of seen) assert.ok(label.toLowerCase().includes(name.toLowerCase()) && !/\[|priceTable/.test(label), label);
});
