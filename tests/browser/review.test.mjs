// Review: proposals are drawn into the page, and enter the document only when the user accepts them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";
import { announced, coming, html, open, REWRITE, REWRITTEN, run, struck, TEA, texts } from "./review-page.mjs";

const openEditor = opener("editor");
const PICTURES = [/\.png/];

test("while changes are pending, the document and every node in it are unchanged", async (t) => {
  const page = await open(t);
  assert.deepEqual(await struck(page), ["an", "south"]);
  assert.deepEqual(await coming(page), ["a very", "north", "It came by sea."]);
  assert.ok(await page.evaluate(() => editor.state.doc === first));
  assert.equal(await html(page), TEA);
  assert.equal(await page.evaluate(() => editor.can().undo()), false);
  assert.match(await page.evaluate(() => boundDocument.toHTML()), /very old|an old/);
});

test("one change is accepted, another rejected, and each decision is one undo step", async (t) => {
  const page = await open(t);
  const [first, second] = await page.evaluate(() => boundDocument.hunks().map(({ id }) => id));
  assert.ok(await run(page, "acceptHunk", first));
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
  assert.ok(await run(page, "rejectHunk", second));
  assert.deepEqual(await struck(page), []);
  assert.deepEqual(await coming(page), ["It came by sea."]);
  assert.ok(await run(page, "acceptAll"));
  assert.equal(await html(page), REWRITTEN.replace("north", "south"));
  assert.equal(await run(page, "acceptAll"), false, "there is nothing left");
  await run(page, "undo");
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
  await run(page, "undo");
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
  assert.deepEqual(await coming(page), ["north", "It came by sea."]);
  await run(page, "undo");
  assert.equal(await html(page), TEA);
});

test("all are accepted in one undo step, and all are rejected without a trace", async (t) => {
  const page = await open(t);
  const look = () => page.$eval(".tiptap", (element) => element.innerHTML);
  assert.ok(await run(page, "acceptAll"));
  assert.equal(await html(page), REWRITTEN);
  assert.equal(await page.locator("[data-copydesk-hunk]").count(), 0);
  await run(page, "undo");
  assert.equal(await html(page), TEA);

  const other = await open(t, TEA, []);
  const clean = await other.$eval(".tiptap", (element) => element.innerHTML);
  await other.evaluate((update) => void boundDocument.apply(update), REWRITE);
  await other.waitForSelector("[data-copydesk-hunk]");
  assert.ok(await run(other, "rejectAll"));
  assert.equal(await other.$eval(".tiptap", (element) => element.innerHTML), clean);
  assert.equal(await other.evaluate(() => boundDocument.hunks().length), 0);
  assert.ok(await look());
});

test("the changes of one tool call, and of one turn, are decided together; a turn is undone", async (t) => {
  const page = await open(t, TEA, []);
  const calls = [
    ["update_section", { operation: "replace", sectionIndex: 1, content: "<p>Tea is a drink of the south.</p>" }],
    ["update_section", { operation: "replace", sectionIndex: 2, content: "<p>Six.</p>" }],
    ["update_section", { operation: "append", title: "End", content: "<p>e</p>" }],
  ];
  const { turns, tools } = await page.evaluate(async (calls) => {
    // It reads, makes two calls in one turn and one in the next, and ends.
    const answers = [[["get_document", {}]], calls.slice(0, 2), calls.slice(2), []];
    let serial = 0;
    const fetch = async () => {
      const tool_calls = answers.shift().map(([name, args], index) => ({ index, id: `c${serial++}`, function: { name, arguments: JSON.stringify(args) } }));
      const chunk = { choices: [{ delta: tool_calls.length ? { tool_calls } : { content: "Done." }, finish_reason: tool_calls.length ? "tool_calls" : "stop" }] };
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    };
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };
    const agent = new Agent({ document: editor, llmConfig, fetch });
    const turns = [];
    agent.subscribe((event) => event.type === "turn_start" && turns.push(event.turnId));
    await agent.prompt("Go");
    // The reading turn has no changes.
    turns.shift();
    return { turns, tools: boundDocument.hunks().map(({ toolIds }) => toolIds.join()) };
  }, calls);
  assert.deepEqual(tools, ["c1", "c2", "c3"]);
  assert.equal(await html(page), TEA);
  assert.ok(await run(page, "acceptAll", { toolId: "c2" }));
  assert.equal(await html(page), TEA.replace("Many.", "Six."));
  assert.equal(await run(page, "acceptAll", { toolId: "c2" }), false);
  assert.ok(await run(page, "rejectAll", { turnId: turns[1] }));
  assert.deepEqual(await struck(page), ["an old"]);
  assert.ok(await run(page, "acceptAll", { turnId: turns[0] }));
  const both = TEA.replace("Many.", "Six.").replace("an old", "a");
  assert.equal(await html(page), both);
  assert.ok(await run(page, "undoTurn", turns[0]));
  assert.equal(await html(page), TEA);
});

test("the buttons at a change decide it, by pointer and by keyboard, and move to the next", async (t) => {
  const page = await open(t);
  await page.hover("del >> text=an");
  await page.click(".copydesk-hover .copydesk-accept");
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
  await page.hover("ins >> text=north");
  await page.click(".copydesk-hover .copydesk-reject");
  assert.deepEqual(await struck(page), []);

  const other = await open(t);
  await other.focus(".tiptap");
  await other.keyboard.press("Tab");
  const label = () => other.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.equal(await label(), "Accept: “an” becomes “a very”");
  await other.keyboard.press("Enter");
  assert.equal(await html(other), TEA.replace("an old", "a very old"));
  assert.equal(await label(), "Accept: “south” becomes “north”");
  await other.keyboard.press("Tab");
  assert.equal(await label(), "Reject: “south” becomes “north”");
  await other.keyboard.press("Space");
  assert.equal(await label(), "Reject: insertion of “It came by sea.”");
  await other.keyboard.press("Enter");
  assert.ok(await other.evaluate(() => document.activeElement === editor.view.dom), "and at the end back to the text");
  assert.equal(await html(other), TEA.replace("an old", "a very old"));
});

test("shortcuts step through the changes and decide the current one; they can be changed or disabled", async (t) => {
  const page = await open(t);
  await page.focus(".tiptap");
  const current = () => texts(page, ".copydesk-current .copydesk-insertion, .copydesk-insertion.copydesk-current");
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.deepEqual(await current(), ["a very"]);
  await page.keyboard.press("Control+Alt+ArrowDown");
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.deepEqual(await current(), ["It came by sea."]);
  await page.keyboard.press("Control+Alt+ArrowDown");
  assert.deepEqual(await current(), ["a very"], "round at the end");
  await page.keyboard.press("Control+Alt+ArrowUp");
  await page.keyboard.press("Control+Alt+Enter");
  assert.equal(await html(page), TEA.replace("south.</p>", "south.</p><p>It came by sea.</p>"));
  assert.deepEqual(await current(), ["north"]);
  await page.keyboard.press("Control+Alt+Backspace");
  assert.deepEqual(await coming(page), ["a very"]);

  const other = await open(t, TEA, [REWRITE], { copydesk: { shortcuts: { nextHunk: "Alt-n", acceptHunk: null } } });
  await other.focus(".tiptap");
  await other.keyboard.press("Alt+n");
  assert.match(await announced(other), /^Change 1 of 3/);
  await other.keyboard.press("Control+Alt+Enter");
  assert.equal(await html(other), TEA);
});

test("pending changes move along with typing elsewhere", async (t) => {
  const page = await open(t);
  const places = () => page.evaluate(() => boundDocument.hunks().map(({ from }) => from));
  const before = await places();
  const widget = await page.$(".copydesk-proposal");
  await page.click("#page p >> text=About tea.");
  await page.keyboard.press("End");
  await page.keyboard.type(" 12");
  assert.deepEqual(await places(), before.map((from) => from + 3));
  assert.deepEqual(await struck(page), ["an", "south"]);
  assert.deepEqual(await coming(page), ["a very", "north", "It came by sea."]);
  assert.ok(await widget.evaluate((element) => element.isConnected), "the widgets are not drawn anew");
  await page.keyboard.press("Enter");
  await page.keyboard.type("More.");
  await page.click("#page p >> text=Many.");
  await page.keyboard.press("Home");
  await page.keyboard.type("So ");
  await run(page, "acceptAll");
  assert.equal(await html(page), REWRITTEN.replace("About tea.</p>", "About tea. 12</p><p>More.</p>").replace("Many", "So Many"));
});

test("where the user changes the same words, both versions are offered and the document has the user's", async (t) => {
  for (const [button, expected] of [["reject", "the"], ["accept", "a very"], ["both", "the a very"]]) {
    const page = await open(t, TEA, [{ ...REWRITE, content: "<p>Tea is a very old drink of the south.</p>" }]);
    await page.dblclick("del >> text=an");
    await page.keyboard.insertText("the");
    await page.waitForSelector(".copydesk-conflict .copydesk-controls");
    assert.equal(await page.locator("del").count(), 0, "the text of the user is not struck");
    assert.deepEqual(await texts(page, ".copydesk-mine"), ["the"]);
    assert.deepEqual(await coming(page), ["a very"]);
    assert.match(await page.$eval("p:has(> .copydesk-mine)", (block) => getComputedStyle(block).borderInlineStart), /^3px solid/, "a rule in the margin");
    const labels = await page.$$eval(".copydesk-controls button", (all) => all.map((one) => [one.textContent, one.getAttribute("aria-label")]));
    assert.deepEqual(labels, [
      ["Keep mine", "Keep mine: “the”"],
      ["Take the proposal", "Take the proposal: “a very”"],
      ["Keep both", "Keep both: “the” and “a very”"],
    ]);
    await page.click(`.copydesk-controls .copydesk-${button}`);
    assert.equal(await html(page), TEA.replace("an old", `${expected} old`));
    assert.equal(await page.locator("[data-copydesk-hunk]").count(), 0);
  }
});

test("accepting all leaves a conflict open, the bar says so, and it is decided by keyboard", async (t) => {
  for (const [locale, said, label] of [["en", "1 conflict is open", "Keep both: “the” and “a very”"], ["zh-CN", "1 处冲突待定", "两者都保留：“the”和“a very”"]]) {
    const page = await open(t, TEA, [REWRITE], { copydesk: { locale } });
    await page.evaluate(() => reviewBar(editor, document.body));
    assert.ok(await page.isHidden(".copydesk-open"));
    await page.dblclick("del >> text=an");
    await page.keyboard.insertText("the");
    await page.waitForSelector(".copydesk-conflict .copydesk-controls");
    assert.equal(await page.textContent(".copydesk-open"), said);
    assert.ok(await run(page, "acceptAll"));
    const accepted = REWRITTEN.replace("a very", "the");
    assert.equal(await html(page), accepted);
    assert.equal(await page.textContent(".copydesk-open"), said);
    assert.equal(await page.getAttribute(".copydesk-accept-all", "aria-disabled"), "true");
    assert.equal(await run(page, "acceptAll"), false, "there is nothing else");
    await page.focus(".tiptap");
    for (let left = 3; left > 0; left--) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), label);
    await page.keyboard.press("Enter");
    assert.equal(await html(page), accepted.replace("the old", "the a very old"));
    assert.ok(await page.isHidden(".copydesk-open"));
  }
  const page = await open(t);
  await page.evaluate(() => editor.view.dispatch(editor.state.tr.insertText("the", boundDocument.hunks()[0].from, boundDocument.hunks()[0].to)));
  assert.equal(await run(page, "resolveHunk", "h9", "both"), false);
  assert.ok(await run(page, "resolveHunk", "h1", "theirs"));
  assert.equal(await html(page), TEA.replace("an old", "a very old"));
});

test("selection, cursor and scroll position do not change", async (t) => {
  const page = await open(t, TEA + "<p>line</p>".repeat(60), [], { viewport: { width: 800, height: 300 } });
  const seen = await page.evaluate(async (update) => {
    editor.commands.setTextSelection({ from: editor.state.doc.content.size - 5, to: editor.state.doc.content.size - 3 });
    editor.commands.focus(undefined, { scrollIntoView: false });
    await new Promise(requestAnimationFrame);
    const line = document.querySelectorAll("#page p")[20];
    line.scrollIntoView();
    const selection = () => [editor.state.selection.from - editor.state.doc.content.size, getSelection().toString()];
    const [chosen, top] = [selection(), line.getBoundingClientRect().top];
    boundDocument.apply(update);
    await new Promise(requestAnimationFrame);
    const [proposed, moved] = [selection(), line.getBoundingClientRect().top - top];
    editor.commands.rejectAll();
    return { chosen, proposed, moved, rejected: selection(), focused: editor.isFocused };
  }, REWRITE);
  assert.deepEqual(seen.proposed, seen.chosen);
  assert.deepEqual(seen.rejected, seen.chosen);
  assert.ok(Math.abs(seen.moved) < 1, `the line moved by ${seen.moved} px`);
  assert.deepEqual([seen.focused, seen.chosen[1].length], [true, 2]);
});

test("the cursor moves past a proposal, and keys change only the user's text", async (t) => {
  const page = await open(t, "<h2>A</h2><p>one two</p>", [{ operation: "replace", sectionIndex: 1, content: "<p>one and two</p>" }]);
  assert.deepEqual(await coming(page), ["and "]);
  await page.click("#page p >> text=one");
  await page.keyboard.press("Home");
  // Browsers report a cursor moved by a key to the editor a little later.
  const start = 4;
  const arrived = (position) => page.waitForFunction((position) => editor.state.selection.head === position, position, { timeout: 5000 });
  await arrived(start);
  const move = async (key, expected) => {
    await page.keyboard.press(key);
    await arrived(start + expected);
  };
  for (const offset of [1, 2, 3, 4, 5, 6, 7]) await move("ArrowRight", offset);
  for (const offset of [6, 5, 4]) await move("ArrowLeft", offset);
  await page.keyboard.press("Backspace");
  assert.match(await html(page), /<p>onetwo<\/p>/);
  await page.keyboard.type("X");
  assert.match(await html(page), /<p>oneXtwo<\/p>/);
  await page.keyboard.press("Delete");
  assert.match(await html(page), /<p>oneXwo<\/p>/);
});

test("typing in and at the end of struck text adds no strike mark to the document", async (t) => {
  const page = await open(t);
  await page.click("del >> text=south");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("abc");
  assert.doesNotMatch(await html(page), /<s>|<del|<ins/);
});

test("an input method composes beside and within a change", async (t) => {
  const page = await open(t);
  const session = await page.context().newCDPSession(page);
  const compose = async (text) => {
    for (let length = 1; length <= text.length; length++) {
      await session.send("Input.imeSetComposition", { text: text.slice(0, length), selectionStart: length, selectionEnd: length });
    }
    await session.send("Input.insertText", { text });
  };
  const put = (word, offset) =>
    page.evaluate(
      ([word, offset]) => {
        let at;
        editor.state.doc.descendants((node, position) => void (node.isText && node.text.includes(word) && (at = position + node.text.indexOf(word))));
        editor.commands.setTextSelection(at + offset);
        // TipTap's own focus command waits for a frame, and an input method does not.
        editor.view.focus();
      },
      [word, offset],
    );
  await put("an old", 0);
  await compose("nihao");
  assert.match(await html(page), /<p>Tea is nihaoan old drink of the south\.<\/p>/);
  await put("south", 2);
  await compose("你好");
  assert.match(await html(page), /<p>Tea is nihaoan old drink of the so你好uth\.<\/p>/);
  await page.waitForSelector(".copydesk-mine");
});

test("items, rows, cells, code, images and tasks are drawn as such, in valid positions", async (t) => {
  const picture = "https://example.org/a.png";
  const before = [
    "<h2>List</h2><ul><li><p>one</p></li><li><p>two</p></li></ul>",
    "<h2>Table</h2><table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table>",
    "<h2>Code</h2><pre><code>let x = 1;\nlet y = 2;</code></pre>",
    "<h2>Picture</h2><p>p</p>",
    '<h2>Tasks</h2><ul data-type="taskList"><li data-type="taskItem"><p>do</p></li></ul>',
    "<h2>Gone</h2><p>g</p>",
  ].join("");
  const page = await open(t, before, [
    { operation: "replace", sectionIndex: 1, content: "<ul><li><p>one</p></li><li><p>two</p></li><li><p>three</p></li><li><p>four</p></li></ul>" },
    { operation: "replace", sectionIndex: 2, content: "<table><tbody><tr><td><p>a</p></td><td><p>b or c</p></td></tr><tr><td><p>d</p></td><td><p>e</p></td></tr></tbody></table>" },
    { operation: "replace", sectionIndex: 3, content: "<pre><code>let x = 1;\nlet z = 3;</code></pre>" },
    { operation: "insert_image", sectionIndex: 4, imageUrl: picture, imageDescription: "A dot" },
    { operation: "replace", sectionIndex: 5, content: '<ul data-type="taskList"><li data-type="taskItem"><p>do</p></li><li data-type="taskItem"><p>more</p></li></ul>' },
    { operation: "delete", sectionIndex: 6 },
  ], { expected: PICTURES });
  const seen = await page.$$eval(".copydesk-insertion", (all) => all.map((one) => [one.closest("[contenteditable=false]").parentElement.localName, one.localName, one.textContent.replace(/[✓✕]/g, "")]));
  assert.deepEqual(seen.slice(0, 3), [["ul", "li", "three"], ["ul", "li", "four"], ["p", "ins", " or c"]]);
  assert.deepEqual(seen[3], ["tbody", "tr", "de"]);
  assert.ok(seen.slice(4, 6).every(([parent]) => parent === "code"));
  assert.deepEqual(await page.$$eval("div.copydesk-proposal img", (all) => all.map((one) => one.alt)), ["A dot"]);
  assert.ok(await page.$eval('ul[data-type="taskList"] > li.copydesk-insertion input', (box) => box.disabled));
  assert.deepEqual(await texts(page, ".copydesk-deletion.copydesk-block"), ["Gone", "g"]);
  assert.deepEqual(await texts(page, ".copydesk-box"), ["Delete this✓✕"]);
  assert.equal(await html(page), await page.evaluate((html) => (edit(html), editor.getHTML()), before));
});

test("every change has its buttons once, with names that state the action and its target", async (t) => {
  const page = await open(t);
  const labels = await page.$$eval("#page .copydesk-controls", (all) => all.map((group) => [group.role, ...[...group.querySelectorAll("button")].map((one) => one.getAttribute("aria-label"))]));
  assert.deepEqual(labels, [
    ["group", "Accept: “an” becomes “a very”", "Reject: “an” becomes “a very”"],
    ["group", "Accept: “south” becomes “north”", "Reject: “south” becomes “north”"],
    ["group", "Accept: insertion of “It came by sea.”", "Reject: insertion of “It came by sea.”"],
  ]);
  assert.equal(await page.getAttribute(".copydesk-live", "aria-live"), "polite");
  await run(page, "nextHunk");
  assert.equal(await announced(page), "Change 1 of 3: “an” becomes “a very”");
  await run(page, "acceptHunk");
  assert.equal(await announced(page), "Change 1 of 2: “south” becomes “north”");
  await run(page, "rejectAll");
  assert.equal(await announced(page), "No changes left to review");
});

test("the same in Chinese", async (t) => {
  const page = await open(t, TEA, [REWRITE], { copydesk: { locale: "zh-CN" } });
  await run(page, "nextHunk");
  assert.equal(await announced(page), "第 1 处修改，共 3 处：“an”改为“a very”");
  assert.equal(await page.getAttribute(".copydesk-controls button", "aria-label"), "接受：“an”改为“a very”");
  await page.evaluate(() => reviewBar(editor, document.body));
  assert.equal(await page.textContent(".copydesk-count"), "第 1 处，共 3 处修改");
  assert.deepEqual(await texts(page, ".copydesk-every button"), ["全部接受", "全部拒绝"]);
});

test("the bar counts, navigates, decides the current change or all, and is hidden without changes", async (t) => {
  const page = await open(t, "<p>x</p>".repeat(80) + TEA, [REWRITE]);
  await page.evaluate(() => (window.remove = reviewBar(editor, document.body.appendChild(Object.assign(document.createElement("div"), { style: "position: fixed; bottom: 0" })))));
  const count = () => page.textContent(".copydesk-count");
  assert.equal(await count(), "3 changes");
  assert.equal(await page.evaluate(() => scrollY), 0, "nobody is taken anywhere without asking");
  await page.click(".copydesk-bar .copydesk-next");
  assert.equal(await count(), "1 of 3 changes");
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".copydesk-current").getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  });
  await page.click(".copydesk-bar .copydesk-previous");
  assert.equal(await count(), "3 of 3 changes");
  await page.click(".copydesk-bar .copydesk-accept");
  assert.equal(await count(), "2 of 2 changes");
  await page.click(".copydesk-bar .copydesk-reject");
  assert.equal(await count(), "1 of 1 change");
  await page.click(".copydesk-bar .copydesk-accept-all");
  assert.ok(await page.isHidden(".copydesk-bar"));
  assert.equal(await html(page), "<p>x</p>".repeat(80) + REWRITTEN.replace("north", "south"));
  await run(page, "undo");
  await page.evaluate(() => remove());
  assert.equal(await page.locator(".copydesk-bar").count(), 0);
});

test("a link in a proposal opens nothing, and a click on a proposal makes it current", async (t) => {
  const page = await open(t, TEA, [{ ...REWRITE, content: '<p>Tea is an old drink of the south.</p><p>See <a href="https://example.org/">there</a>.</p>' }]);
  await page.click(".copydesk-insertion a");
  assert.equal(new URL(page.url()).hostname, "127.0.0.1");
  assert.match(await announced(page), /^Change 1 of 1/);
});

test("switching modes: pending changes stay, and edits follow the new mode", async (t) => {
  const page = await open(t);
  await run(page, "setReviewMode", "auto");
  assert.deepEqual(await coming(page), ["a very", "north", "It came by sea."]);
  await run(page, "rejectAll");
  await page.evaluate(() => void boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Six.</p>" }));
  assert.equal(await html(page), TEA.replace("Many.", "Six."));
  await run(page, "setReviewMode", "review");
  await page.evaluate(() => void boundDocument.apply({ operation: "delete", sectionIndex: 2 }));
  await page.waitForSelector(".copydesk-deletion");
  assert.equal(await html(page), TEA.replace("Many.", "Six."));
  assert.equal(await page.evaluate(() => boundDocument.mode), "review");
});

test("commands with invalid arguments return false and throw nothing", async (t) => {
  const page = await openEditor(t);
  const wrong = await page.evaluate(() => {
    edit("<h2>A</h2><p>a</p>");
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "append", title: "B", content: "<p>b</p>" });
    const cyclic = {};
    cyclic.toolId = cyclic;
    const trap = () => {
      throw new Error("a trap");
    };
    let deep = {};
    for (let level = 0; level < 18_000; level++) deep = { toolId: deep };
    const values = [cyclic, 1n, () => {}, Symbol("x"), new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap }), NaN, deep, "\ud800", 7, { toolId: 1n }];
    const commands = ["applyDocUpdate", "acceptHunk", "rejectHunk", "acceptAll", "rejectAll", "undoTurn", "setReviewMode"];
    const wrong = [];
    for (const command of commands) {
      values.forEach((value, at) => {
        try {
          if (editor.commands[command](value) !== false) wrong.push(`${command} takes value ${at}`);
        } catch (thrown) {
          wrong.push(`${command} throws at value ${at}: ${thrown}`);
        }
      });
    }
    if (boundDocument.hunks().length !== 1) wrong.push(`${boundDocument.hunks().length} hunks`);
    return wrong;
  });
  assert.deepEqual(wrong, []);
});

test("commands decide what an edit has proposed in the same task, before it is drawn", async (t) => {
  const page = await open(t, TEA, []);
  const seen = await page.evaluate((update) => {
    const results = {};
    const propose = () => boundDocument.apply(update);
    results.none = [editor.can().acceptAll(), editor.commands.acceptAll(), editor.can().nextHunk()];
    propose();
    results.can = [editor.can().acceptAll(), editor.can().nextHunk(), editor.can().acceptHunk(boundDocument.hunks()[0].id)];
    results.all = [editor.commands.acceptAll(), boundDocument.hunks().length];
    editor.commands.undo();
    editor.commands.rejectAll();
    propose();
    const decided = [];
    editor.on("reviewDecision", ({ hunks }) => decided.push(hunks.length));
    results.one = [editor.commands.rejectHunk(boundDocument.hunks()[0].id), boundDocument.hunks().length, [...decided]];
    results.rest = [editor.commands.rejectAll(), boundDocument.hunks().length];
    propose();
    results.next = [editor.commands.nextHunk(), editor.commands.acceptHunk(), boundDocument.hunks().length];
    return results;
  }, REWRITE);
  assert.deepEqual(seen, {
    none: [false, false, false],
    can: [true, true, true],
    all: [true, 0],
    one: [true, 2, [1]],
    rest: [true, 0],
    next: [true, true, 2],
  });
});
