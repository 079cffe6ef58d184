// Actions on the selection: the run may change the selection only, its edits wait in place, menus for keyboard and
// pointer.
import assert from "node:assert/strict";
import { test } from "node:test";
import { frames } from "./demo-page.mjs";
import { answer, begin, call, chunk, model, pageWith, status } from "./model.mjs";

const HTML = "<h1>Tea</h1><p>See the quick brown fox jump.</p><p>Old.</p><pre><code>let a;</code></pre><p></p>";
/** The position of "quick". */
const QUICK = { from: 14, to: 19 };
const WORDS = { from: 14, to: 25 };

const replace = (id, old, text) => ({ calls: [call(id, "replace_text", { old, new: text })] });

/** Opens an editor with the menus, and an agent that gets these answers. */
async function open(t, answers, { html = HTML, options = {}, menus = {}, agent = {}, ...rest } = {}) {
  const server = await model(t, answers);
  const page = await pageWith(t, server.baseUrl, html, rest);
  await page.evaluate(
    ({ html, options, menus, agent }) => {
      edit(html, { extensions: [AgentActions.configure(menus)], ...options });
      agentWith(agent);
      window.asks = [];
      editor.on("askAgent", ({ status, error, edits }) => asks.push([status, error?.code ?? edits]));
      // Resolves at the end of the run.
      window.asked = async (ask) => {
        const started = editor.commands.askAgent(ask);
        await editor.storage.copydesk.ask.result?.catch(() => {});
        await new Promise((resolve) => setTimeout(resolve));
        return { started, status: editor.storage.copydesk.ask.status, code: editor.storage.copydesk.ask.error?.code ?? null };
      };
    },
    { html, options, menus, agent },
  );
  return { page, server };
}

const hunks = (page) => page.evaluate(() => boundDocument.hunks().map(({ originalText, newText }) => [originalText, newText]));
const html = (page) => page.evaluate(() => editor.getHTML());
const select = (page, { from, to }) =>
  page.evaluate((range) => {
    // At once: the command waits for a frame.
    editor.view.focus();
    editor.commands.setTextSelection(range);
  }, { from, to });
const atEnd = async (page) => select(page, await page.evaluate(() => ({ from: editor.state.doc.content.size - 1, to: editor.state.doc.content.size - 1 })));
const labels = (page, role) => page.$$eval(`.copydesk-actions:not([hidden]) [role=${role}]`, (all) => all.map((one) => one.textContent));
const focused = (page) => page.evaluate(() => document.activeElement.textContent);
const isOpen = (page) => page.locator(".copydesk-actions:not([hidden])").count();
const ends = (page) => page.waitForFunction(() => asks.length && !["running"].includes(asks.at(-1)[0]));

/** An answer that never ends. */
const hanging = (response) => {
  begin(response).write(chunk({ content: "…" }));
};

test("the run changes the selection only, and its edits wait in place", async (t) => {
  const answers = [replace("a", "Old", "Ancient"), replace("b", "See", "Watch"), replace("c", "quick brown", "slow"), { say: "Done." }];
  const { page, server } = await open(t, answers);
  await select(page, WORDS);
  const result = await page.evaluate(() => asked({ instruction: "Use another word" }));
  assert.deepEqual(result, { started: true, status: "done", code: null });
  assert.equal(await html(page), HTML);
  assert.deepEqual(await hunks(page), [["quick brown", "slow"]]);
  const codes = await page.evaluate(() => saw("tool_result").map(({ content }) => content.error?.code ?? "ok"));
  assert.deepEqual(codes, ["out_of_scope", "out_of_scope", "ok"]);
  const asked = server.requests[0].body.messages.filter(({ role }) => role === "user").map(({ content }) => content).join("\n");
  assert.match(asked, /Use another word[^]*\[Scope\] Only this text of line 2 may be changed: "quick brown"\. Edits elsewhere are refused\./);
  // The mode is what it was.
  assert.equal(await page.evaluate(() => boundDocument.mode), "auto");
  assert.deepEqual(await page.evaluate(() => asks), [["running", 0], ["running", 1], ["done", 1]]);
  await page.evaluate(() => editor.commands.acceptAll());
  assert.equal(await html(page), HTML.replace("quick brown", "slow"));
  await page.evaluate(() => editor.commands.undo());
  assert.equal(await html(page), HTML);
});

test("hunks are rejected like any others, and a range may be given", async (t) => {
  const { page } = await open(t, [replace("a", "Old", "Ancient"), { say: "Done." }]);
  const range = await page.evaluate(() => {
    let found;
    editor.state.doc.descendants((node, at) => void (node.text === "Old." && (found = { from: at, to: at + 4 })));
    return found;
  });
  await page.evaluate((range) => asked({ instruction: "Improve", range }), range);
  assert.deepEqual(await hunks(page), [["Old", "Ancient"]]);
  await page.evaluate(() => editor.commands.rejectAll());
  assert.equal(await html(page), HTML);
});

test("with review: false the edits are applied at once", async (t) => {
  const { page } = await open(t, [replace("a", "quick", "slow"), { say: "Done." }]);
  await page.evaluate((range) => asked({ instruction: "Improve", range, review: false }), QUICK);
  assert.deepEqual(await hunks(page), []);
  assert.equal(await html(page), HTML.replace("quick", "slow"));
});

test("the range follows what the user types during the run", async (t) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const later = async (response) => {
    await held;
    begin(response).end(answer(replace("a", "very quick", "slow")));
  };
  const { page } = await open(t, [later, replace("b", "quick", "slow"), { say: "Done." }]);
  await page.evaluate((range) => void (window.run = asked({ instruction: "Improve", range })), QUICK);
  await page.waitForSelector(".copydesk-scope");
  await page.evaluate(() => {
    editor.commands.insertContentAt(14, "very ");
    editor.commands.insertContentAt(1, "On ");
  });
  assert.equal(await page.textContent(".copydesk-scope"), "quick");
  release();
  await page.evaluate(() => window.run);
  const codes = await page.evaluate(() => saw("tool_result").map(({ content }) => content.error?.code ?? "ok"));
  assert.deepEqual(codes, ["out_of_scope", "ok"]);
  assert.deepEqual(await hunks(page), [["quick", "slow"]]);
  assert.equal(await page.locator(".copydesk-scope").count(), 0);
});

test("Escape stops the run, and so does the button", async (t) => {
  const { page } = await open(t, [hanging, hanging]);
  await select(page, QUICK);
  await page.evaluate(() => editor.commands.askAgent({ instruction: "Improve", label: "Improve" }));
  await page.waitForSelector(".copydesk-working");
  assert.equal(await page.textContent(".copydesk-said"), "Improve: the assistant is working");
  await page.keyboard.press("Escape");
  await ends(page);
  assert.deepEqual(await page.evaluate(() => [editor.storage.copydesk.ask.status, agent.isRunning, editor.isFocused]), ["stopped", false, true]);
  assert.equal(await isOpen(page), 0);
  await page.evaluate(() => editor.commands.askAgent({ instruction: "Improve", label: "Improve" }));
  await page.click(".copydesk-stop");
  await page.waitForFunction(() => editor.storage.copydesk.ask.status === "stopped");
  assert.equal(await page.evaluate(() => editor.commands.stopAgent()), false);
});

test("what cannot start is refused with a code, and a page can show why", async (t) => {
  const { page } = await open(t, [hanging]);
  const refused = await page.evaluate(async (range) => {
    const codes = {};
    const attempt = (name, ask) => {
      const can = editor.can().askAgent(ask);
      const did = editor.commands.askAgent(ask);
      codes[name] = [can, did, ...asks.at(-1)];
    };
    const ask = { instruction: "Improve", range };
    attempt("empty instruction", { instruction: " ", range });
    attempt("range past the end", { instruction: "x", range: { from: 1, to: 9000 } });
    attempt("range backwards", { instruction: "x", range: { from: 3, to: 1 } });
    attempt("nothing", undefined);
    editor.commands.setTextSelection(3);
    attempt("empty selection", { ...askOf(agentActions[0]) });
    boundDocument.setGuards({ locked: [0] });
    attempt("locked", ask);
    boundDocument.setGuards({ scope: { from: 0, to: 3 } });
    attempt("outside of the app's scope", ask);
    boundDocument.setGuards(null);
    editor.setEditable(false);
    attempt("read-only", ask);
    editor.setEditable(true);
    editor.commands.askAgent(ask);
    attempt("during a run", ask);
    codes.running = editor.storage.copydesk.ask.status;
    agent.dispose();
    await agent.waitForIdle();
    await new Promise((resolve) => setTimeout(resolve));
    attempt("without an agent", ask);
    const { commands, storage } = editor;
    editor.destroy();
    codes.destroyed = [commands.askAgent(ask), storage.copydesk.ask.error.code];
    return codes;
  }, QUICK);
  assert.deepEqual(refused, {
    "empty instruction": [false, false, "refused", "invalid_parameter"],
    "range past the end": [false, false, "refused", "invalid_parameter"],
    "range backwards": [false, false, "refused", "invalid_parameter"],
    nothing: [false, false, "refused", "invalid_parameter"],
    "empty selection": [false, false, "refused", "nothing_selected"],
    locked: [false, false, "refused", "locked"],
    "outside of the app's scope": [false, false, "refused", "out_of_scope"],
    "read-only": [false, false, "refused", "read_only"],
    "during a run": [false, false, "refused", "busy"],
    running: "running",
    "without an agent": [false, false, "refused", "no_agent"],
    destroyed: [false, "editor_destroyed"],
  });
});

test("a failure of the run has its code; destroying the editor ends the run", async (t) => {
  const { page } = await open(t, [status(401), hanging], { expected: [/401/] });
  const failed = await page.evaluate((range) => asked({ instruction: "Improve", range }), QUICK);
  assert.deepEqual(failed, { started: true, status: "failed", code: "unauthorized" });
  assert.ok((await page.textContent(".copydesk-error .copydesk-said")).length > 10);
  await page.click(".copydesk-close");
  assert.equal(await isOpen(page), 0);
  const ended = await page.evaluate(async (range) => {
    const { storage } = editor;
    editor.commands.askAgent({ instruction: "Improve", range });
    const { result } = storage.copydesk.ask;
    editor.destroy();
    return (await result).status;
  }, QUICK);
  assert.equal(ended, "aborted");
});

test("at an empty selection the run writes there, and changes nothing else", async (t) => {
  const read = { calls: [call("r", "read_lines", {})] };
  const write = (id, line, content) => ({ calls: [call(id, "edit_current_editor_document", { start_line: line, end_line: line, content })] });
  const { page } = await open(t, [read, write("a", 3, "New."), write("b", 2, "See the quick brown fox jump. And run.<p>Far.</p>"), { say: "Done." }]);
  await select(page, { from: 35, to: 35 });
  const edited = await page.evaluate(() => asked(askOf(agentActions.find(({ id }) => id === "continue"))));
  assert.equal(edited.status, "done");
  await page.evaluate(() => editor.commands.acceptAll());
  assert.equal(await html(page), HTML.replace("jump.</p>", "jump. And run.</p><p>Far.</p>"));
});

test("the menu at a selection works with the keyboard", async (t) => {
  const { page, server } = await open(t, [replace("a", "quick", "schnell"), { say: "Done." }]);
  await select(page, QUICK);
  await page.waitForSelector(".copydesk-menu");
  assert.deepEqual(await labels(page, "menuitem"), ["Improve", "Shorten", "Expand", "Fix spelling and grammar", "Translate", "Change tone", "Summarize", "Ask…"]);
  await page.keyboard.press("ControlOrMeta+j");
  assert.equal(await focused(page), "Improve");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(page), "Ask…");
  await page.keyboard.press("Home");
  for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
  assert.equal(await focused(page), "Translate");
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), "Back");
  await page.keyboard.press("Escape");
  assert.equal(await focused(page), "Improve");
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(page), 0);
  assert.ok(await page.evaluate(() => editor.isFocused && !editor.state.selection.empty));
  await page.keyboard.press("ControlOrMeta+j");
  await page.click("text=Translate");
  await page.click("text=German");
  await ends(page);
  assert.deepEqual(await hunks(page), [["quick", "schnell"]]);
  assert.match(JSON.stringify(server.requests[0].body.messages), /Translate the selected text into German\./);
  assert.ok(await page.evaluate(() => editor.isFocused));
});

test("the answer in the menu is text, without the signs of Markdown", async (t) => {
  const said = "## Rhymes\n\n**No** change, *really*: `a * b * c` and snake_case_name stay, 2 * 3 * 4 too.\n\n- see [the list](https://example.org/a_b)\n\n3. or not\n4. so\n```\n**code**\n```";
  const { page } = await open(t, [{ say: said }]);
  await select(page, QUICK);
  await page.click("text=Ask…");
  await page.keyboard.type("Make it rhyme");
  await page.keyboard.press("Enter");
  await ends(page);
  const lines = (await page.textContent(".copydesk-answer .copydesk-said")).split("\n").filter(Boolean);
  assert.deepEqual(lines, ["Rhymes", "No change, really: a * b * c and snake_case_name stay, 2 * 3 * 4 too.", "• see the list", "3. or not", "4. so", "**code**"]);
});

test("a request of the user's own is written in the menu, and the selection stays visible", async (t) => {
  const { page, server } = await open(t, [{ say: "It is fine as it is." }]);
  await select(page, QUICK);
  await page.click("text=Ask…");
  assert.equal(await page.textContent(".copydesk-scope"), "quick");
  await page.keyboard.type("Make it rhyme");
  await page.keyboard.press("Enter");
  await ends(page);
  assert.match(JSON.stringify(server.requests[0].body.messages), /Make it rhyme/);
  // Without an edit the answer is shown.
  assert.equal(await page.textContent(".copydesk-answer .copydesk-said"), "It is fine as it is.");
  assert.equal(await page.locator(".copydesk-scope").count(), 0);
  await page.keyboard.press("ArrowRight");
  // The editor hears of the caret in a later task.
  await page.waitForFunction(() => !document.querySelector(".copydesk-actions:not([hidden])"));
});

test("the menu does not open in code, without an agent, in a read-only editor, nor where nothing may be changed", async (t) => {
  const { page } = await open(t, []);
  const code = await page.evaluate(() => editor.state.doc.content.size - 8);
  await select(page, { from: code, to: code + 3 });
  await frames(page);
  assert.equal(await isOpen(page), 0);
  assert.equal(await page.evaluate(() => editor.storage.copydeskActions.bubble.open()), false);
  await select(page, QUICK);
  await page.waitForSelector(".copydesk-menu");
  await page.evaluate(() => boundDocument.setGuards({ locked: [0] }));
  await select(page, WORDS);
  assert.equal(await isOpen(page), 0);
  await page.evaluate(() => boundDocument.setGuards(null));
  await select(page, QUICK);
  assert.equal(await isOpen(page), 1);
  await page.evaluate(() => agent.dispose());
  await select(page, WORDS);
  assert.equal(await isOpen(page), 0);
});

test("a slash in an empty paragraph opens a menu that is filtered, chosen from and closed", async (t) => {
  const read = { calls: [call("r", "read_lines", {})] };
  const write = { calls: [call("a", "edit_current_editor_document", { start_line: 5, end_line: 5, content: "More." })] };
  const { page, server } = await open(t, [read, write, { say: "Done." }]);
  await atEnd(page);
  await page.keyboard.type("/");
  assert.deepEqual(await labels(page, "option"), ["Continue writing", "Write an outline", "Summarize the document"]);
  const aria = () => page.$eval(".tiptap", (dom) => document.getElementById(dom.getAttribute("aria-activedescendant"))?.textContent);
  assert.equal(await aria(), "Continue writing");
  await page.keyboard.press("ArrowDown");
  assert.equal(await aria(), "Write an outline");
  await page.keyboard.type("sum");
  assert.deepEqual(await labels(page, "option"), ["Summarize the document", "Ask: sum"]);
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(page), 0);
  assert.equal(await page.evaluate(() => editor.getText().endsWith("/sum")), true);
  assert.equal(await page.$eval(".tiptap", (dom) => dom.hasAttribute("aria-activedescendant")), false);
  for (let step = 0; step < 4; step++) await page.keyboard.press("Backspace");
  await page.keyboard.type("/con");
  await page.keyboard.press("Enter");
  await ends(page);
  assert.equal(await html(page), HTML, "the slash is gone");
  await page.evaluate(() => editor.commands.acceptAll());
  assert.equal(await html(page), HTML.replace("<p></p>", "<p>More.</p>"));
  assert.match(JSON.stringify(server.requests[0].body.messages), /Continue writing at the cursor/);
});

test("a slash opens nothing in code, in other text, or while an input method composes", async (t) => {
  const { page } = await open(t, []);
  await select(page, { from: 35, to: 35 });
  await page.keyboard.type("/");
  assert.equal(await isOpen(page), 0);
  await page.evaluate(() => {
    edit("<pre><code></code></pre><p></p>", { extensions: [AgentActions] });
    agentWith();
    editor.view.focus();
    editor.commands.setTextSelection(1);
  });
  await page.keyboard.type("/");
  assert.equal(await isOpen(page), 0);
  await atEnd(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "/", selectionStart: 1, selectionEnd: 1 });
  assert.equal(await isOpen(page), 0);
  await session.send("Input.insertText", { text: "/" });
  await page.waitForFunction(() => editor.state.doc.lastChild.textContent === "/");
  await frames(page);
  assert.equal(await isOpen(page), 0);
  assert.equal(await page.evaluate(() => editor.state.doc.lastChild.textContent), "/");
});

test("a text behind the slash is a request", async (t) => {
  const { page, server } = await open(t, [{ say: "Done." }]);
  await atEnd(page);
  await page.keyboard.type("/a table of teas");
  assert.deepEqual(await labels(page, "option"), ["Ask: a table of teas"]);
  await page.keyboard.press("Enter");
  await ends(page);
  assert.match(JSON.stringify(server.requests[0].body.messages), /"a table of teas/);
});

test("menus and instructions are Chinese in a Chinese page, and an app may add and leave out actions", async (t) => {
  const { page, server } = await open(t, [{ say: "好。" }], { html: "<p>一片叶子。</p><p></p>", menus: { locale: "zh" }, options: { copydesk: { locale: "zh-CN" } }, agent: { locale: "zh-CN" } });
  await select(page, { from: 1, to: 5 });
  await page.waitForSelector(".copydesk-menu");
  assert.deepEqual(await labels(page, "menuitem"), ["润色", "缩短", "扩写", "修正错别字和语法", "翻译", "改变语气", "总结", "提要求…"]);
  await page.click("text=润色");
  await ends(page);
  assert.match(JSON.stringify(server.requests[0].body.messages), /润色选中的文字[^]*\[范围\] 只能修改第 1 行中的这段文字：“一片叶子”。对其他位置的修改会被拒绝。/);
  await atEnd(page);
  await page.keyboard.type("/");
  assert.deepEqual(await labels(page, "option"), ["续写", "写大纲", "总结全文"]);
  await page.keyboard.type("dg");
  assert.deepEqual(await labels(page, "option"), ["写大纲", "提要求：dg"]);
  await page.keyboard.press("Escape");
  const own = await page.evaluate(() => {
    const pirate = changeTone("pirate", { en: "Pirate", "zh-CN": "海盗" });
    edit("<p>Tea and more.</p>", { extensions: [AgentActions.configure({ actions: [pirate, agentActions[0]], slash: false })] });
    agentWith();
    const ids = agentActions.flatMap(({ id, choices = [] }) => [id, ...choices.map((choice) => choice.id)]);
    const texts = agentActions.flatMap((action) => [action, ...(action.choices ?? [])]).flatMap(({ label, instruction, choices }) => [label.en, label["zh-CN"], ...(choices ? [] : [instruction.en, instruction["zh-CN"]])]);
    return { unique: new Set(ids).size === ids.length, filled: texts.every((text) => text.length > 0), asked: askOf(pirate, "zh") };
  });
  assert.deepEqual(own, { unique: true, filled: true, asked: { instruction: "用海盗的语气改写选中的文字。保留原意、语言、格式和链接。", label: "海盗", needsSelection: true } });
  await select(page, { from: 1, to: 5 });
  await page.waitForSelector(".copydesk-menu");
  assert.deepEqual(await labels(page, "menuitem"), ["Pirate", "Improve", "Ask…"]);
});

test("an app may offer other actions for each selection", async (t) => {
  const { page } = await open(t, []);
  await page.evaluate(() => {
    const named = (name) => ({ id: name, label: { en: name, "zh-CN": name }, instruction: { en: name, "zh-CN": name } });
    const actions = ({ state: { doc, selection } }) =>
      selection.empty ? [{ ...named("Write"), target: "cursor" }] : [{ ...named(`About ${doc.textBetween(selection.from, selection.to)}`), target: "selection" }];
    edit(editor.getHTML(), { extensions: [AgentActions.configure({ actions })] });
    agentWith();
  });
  for (const [range, name] of [[QUICK, "About quick"], [WORDS, "About quick brown"]]) {
    await select(page, range);
    await page.waitForFunction((name) => document.querySelector(".copydesk-actions:not([hidden]) [role=menuitem]")?.textContent === name, name);
  }
  await atEnd(page);
  await page.keyboard.type("/");
  await page.waitForSelector(".copydesk-slash [role=option]");
  assert.deepEqual(await page.$$eval(".copydesk-slash [role=option]", (all) => all.map((one) => one.textContent)), ["Write"]);
});

test("on a narrow screen the menu is inside of the window", async (t) => {
  const { page } = await open(t, [], { viewport: { width: 390, height: 700 } });
  await select(page, WORDS);
  await page.waitForSelector(".copydesk-menu");
  const box = await page.locator(".copydesk-actions:not([hidden])").boundingBox();
  assert.ok(box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});

test("the menu after a slash inserts blocks that the schema has, in one undo step, and without an agent", async (t) => {
  const page = await pageWith(t, "http://127.0.0.1:1/v1", "<p></p>");
  const cases = await page.evaluate(() => {
    edit("<p>Tea.</p><p></p>", { extensions: [AgentActions.configure({ blocks: slashBlocks })] });
    return slashBlocks.filter(({ needs }) => needs.every((type) => editor.schema.nodes[type])).map(({ id, label }) => [id, label.en]);
  });
  assert.ok(cases.length >= 7, String(cases));
  const open = async (typed = "") => {
    await page.evaluate(() => {
      editor.commands.setContent("<p>Tea.</p><p></p>");
      editor.view.focus();
      editor.commands.setTextSelection(7);
    });
    await page.keyboard.type(`/${typed}`);
  };
  await open();
  assert.deepEqual(await labels(page, "option"), cases.map(([, name]) => name), "no agent: blocks only");
  const before = await page.evaluate(() => editor.getHTML());
  await page.keyboard.press("Escape");
  for (const [id, name] of cases) {
    await open(name.toLowerCase());
    assert.equal((await labels(page, "option"))[0], name);
    await page.keyboard.press("Enter");
    const type = id.replace(/-\d$/, "");
    const found = await page.evaluate((type) => {
      let found = false;
      editor.state.doc.descendants((node) => void (found ||= node.type.name === type));
      return [found, editor.state.doc.textContent, editor.state.doc.firstChild.textContent];
    }, type);
    assert.deepEqual(found, [true, "Tea.", "Tea."], id);
    assert.equal(await isOpen(page), 0);
    await page.evaluate(() => editor.commands.undo());
    assert.match(await page.evaluate(() => editor.getHTML()), /<p>Tea\.<\/p><p>\/?[a-z ]*<\/p>/, `${id} is undone`);
  }
  assert.equal(before, "<p>Tea.</p><p>/</p>");
});

test("the menu at a selection is one row at any width, and covers neither the selection nor the line above", async (t) => {
  const words = "<p>" + "Some words of a long paragraph. ".repeat(30) + "</p>";
  const { page } = await open(t, [hanging], { html: words });
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await select(page, { from: 200, to: 220 });
    await page.evaluate(() => dispatchEvent(new PointerEvent("pointerup")));
    await page.waitForSelector(".copydesk-menu");
    const { menu, items, line } = await page.evaluate(() => {
      const box = (element) => element.getBoundingClientRect().toJSON();
      const { from, to } = editor.state.selection;
      return {
        menu: box(document.querySelector(".copydesk-actions:not([hidden])")),
        items: [...document.querySelectorAll(".copydesk-menu .copydesk-action")].map(box),
        line: { top: editor.view.coordsAtPos(from).top, bottom: editor.view.coordsAtPos(to).bottom },
      };
    });
    assert.equal(new Set(items.map(({ top }) => Math.round(top))).size, 1, `one row at ${width}`);
    assert.ok(items.every(({ height, width }) => height >= 24 && width >= 24));
    assert.ok(menu.left >= 0 && menu.right <= width, `inside of ${width}`);
    assert.ok(menu.top >= line.bottom, `below the selection at ${width}`);
  }
});

test("the menu at a selection does not cover the buttons of changes beside it", async (t) => {
  const words = "Some words of a long paragraph. ".repeat(3);
  const { page } = await open(t, [hanging], { html: `<p>Before. ${words}</p><p>An old start. ${words}</p><p>${words}</p>` });
  await page.evaluate(() => {
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace_text", old: "An old start", new: "A new start" });
  });
  for (const width of [1440, 700, 390]) {
    for (const height of [800, 330]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => (scrollTo(0, 0), editor.view.focus()));
      for (const from of [2, 40, 80, 120]) {
        await select(page, { from, to: from + 5 });
        await page.evaluate(() => dispatchEvent(new PointerEvent("pointerup")));
        await page.waitForSelector(".copydesk-menu");
        const covered = await page.evaluate(() => {
          const menu = document.querySelector(".copydesk-actions:not([hidden])").getBoundingClientRect();
          const isCovered = ({ left, right, top, bottom }) => left < menu.right && right > menu.left && top < menu.bottom && bottom > menu.top;
          return [...document.querySelectorAll(".copydesk-controls button")].map((button) => button.getBoundingClientRect()).filter(isCovered).length;
        });
        assert.equal(covered, 0, `${width} × ${height} at ${from}`);
      }
    }
  }
});

test("the menu at selected text of a proposal accepts it, and the run works on that text", async (t) => {
  const { page, server } = await open(t, [replace("a", "Steamed", "Heated"), { say: "Done." }]);
  await page.evaluate(() => {
    boundDocument.mode = "review";
    boundDocument.apply({ operation: "replace_text", old: "Old.", new: "Old.\n\nSteamed leaves." });
  });
  await page.locator(".copydesk-typable", { hasText: "Steamed" }).click();
  await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector(".copydesk-typable"), NodeFilter.SHOW_TEXT);
    const node = walker.nextNode();
    const at = node.data.indexOf("Steamed");
    getSelection().setBaseAndExtent(node, at, node, at + 7);
  });
  await page.click(".copydesk-action:has-text('Improve')");
  await ends(page);
  assert.match(JSON.stringify(server.requests[0].body.messages), /Steamed/);
  assert.match(await html(page), /Old\..*Steamed leaves\./);
  assert.deepEqual((await hunks(page)).map(([before, after]) => [before, after]), [["Steamed", "Heated"]]);
});
