// The elements of copydesk/ui in a bare page: a conversation as a user has it, with a scripted model.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sharedStyles } from "../../xtask/js/styles.mjs";
import { root } from "./harness.mjs";
import { begin, call, chunk, status } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const html = (page) => page.evaluate(() => editor.getHTML());
/** The element with the focus, also in shadow trees. */
const focused = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.className || at.localName;
  });
const said = (page) => page.locator("copydesk-conversation [role=status].visually-hidden").textContent();

const replace = { calls: [call("c-1", "replace_text", { old: "old drink", new: "very old drink" })] };

test("a message is answered: the row shows the change in words, and the change can be accepted, taken back and undone", async (t) => {
  const { page, server } = await openUi(t, [replace, { say: "I made it **older**.", usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }]);
  await page.waitForSelector(".welcome");
  await ask(page, "Make the tea older");
  await ended(page);
  assert.equal(server.requests.length, 2);
  assert.match(await page.textContent(".user-message"), /You:\s*Make the tea older/);
  assert.equal(await page.innerHTML(".assistant-message p").then((text) => text.replace(/<!--.*?-->/g, "")), "I made it <strong>older</strong>.");
  assert.equal(await said(page), "I made it older.");
  assert.equal(await page.textContent(".row-text"), "Replaced “old drink” with “very old drink”");
  assert.match(await page.textContent(".run-end"), /^1 edit · \d+\.\d s · \$0\.0/);
  await page.click(".row-head");
  assert.equal(await page.textContent(".row-changes ins"), "very");
  assert.equal(await page.getAttribute(".row", "data-review"), "pending");
  assert.equal(await page.textContent("copydesk-review-bar .copydesk-count"), "1 change");
  await page.click(".row-accept");
  assert.match(await html(page), /very old drink/);
  await page.waitForSelector('.row[data-review="accepted"]');
  assert.ok(await page.evaluate(() => editor.view.hasFocus()), "Ctrl+Z takes it back");
  await page.click(".row-decided button");
  await page.waitForSelector('.row[data-review="pending"]');
  assert.equal(await focused(page), "inline-link row-accept");
  await page.click(".undo-run");
  assert.equal(await page.textContent(".run-undo").then((text) => text.trim()), "The run was undone.");
  assert.doesNotMatch(await html(page), /very/);
  assert.equal(await focused(page), "log", "the button is gone, and the focus is beside it");
});

test("a call waits for approval, by keyboard alone", async (t) => {
  const answers = [{ calls: [call("c-1", "update_section", { operation: "delete", sectionIndex: 2 })] }, { say: "Gone." }];
  const { page } = await openUi(t, answers);
  await page.selectOption(".mode-select", "ask");
  await page.focus("#composer");
  await page.keyboard.type("Delete the kinds");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".row-approval");
  assert.equal(await page.textContent(".row-text"), "Delete section 2 “Kinds”?");
  assert.equal(await said(page), "Approval needed: Delete section 2 “Kinds”?");
  assert.match(await html(page), /Kinds/);
  const allow = page.locator('[part=allow]');
  assert.equal(await allow.getAttribute("aria-label"), "Allow: Delete section 2 “Kinds”?");
  await page.focus("copydesk-tool-row .row-head");
  await page.keyboard.press("Tab");
  assert.match(await focused(page), /button small/);
  await page.keyboard.press("Enter");
  await ended(page);
  assert.equal(await focused(page), "row-head");
  assert.doesNotMatch(await html(page), /Kinds/);
  await page.locator("copydesk-conversation [role=status].visually-hidden", { hasText: "Gone." }).waitFor({ state: "attached" });
});

test("what is written while the assistant works is sent after the step, and Escape stops", async (t) => {
  const { page, server } = await openUi(t, [
    (response) => void begin(response).write(chunk({ content: "I am **reading**" })),
  ], { expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/] });
  await ask(page, "Improve this");
  await page.waitForSelector(".assistant-message strong");
  await ask(page, "And shorten it");
  assert.equal(await page.textContent(".queue-text"), "And shorten it");
  await ask(page, "And not this");
  await ask(page, "Nor this");
  await page.click(".queue .remove >> nth=1");
  await page.waitForFunction(() => element.shadowRoot.querySelector("copydesk-composer").shadowRoot.activeElement?.ariaLabel === "Remove: Nor this");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => element.shadowRoot.querySelector("copydesk-composer").shadowRoot.activeElement?.ariaLabel === "Remove: And shorten it");
  assert.equal(await page.locator(".queue-item").count(), 1);
  assert.equal(await page.textContent(".progress-text"), "Answering…");
  await page.press("#composer", "Escape");
  await ended(page);
  assert.equal(await page.textContent(".run-end"), "Stopped. Completed edits are kept.");
  assert.equal(await page.inputValue("#composer"), "And shorten it", "it is in the field again");
  assert.equal(server.requests.length, 1);
});

test("a failure is a sentence with one button, and trying again goes on", async (t) => {
  const { page } = await openUi(t, [status(401), { say: "Here." }], { expected: [/401/] });
  await ask(page, "Write");
  await page.waitForSelector(".failure button");
  assert.equal(await page.getAttribute(".failure", "data-code"), "unauthorized");
  assert.equal((await page.textContent(".failure button")).trim(), "Try again");
  await page.evaluate(() => ((element.hasSettings = true), addEventListener("open-settings", () => (window.opened = true))));
  await page.waitForFunction(() => document.querySelector("copydesk-assistant").shadowRoot.querySelector("copydesk-conversation").shadowRoot.querySelector(".failure button").textContent.trim() === "Open settings");
  await page.click(".failure button");
  assert.equal(await page.evaluate(() => window.opened), true);
  await page.evaluate(() => (element.hasSettings = false));
  await page.click(".failure button >> text=Try again");
  await ended(page);
  assert.equal(await page.locator(".failure").count(), 0);
  assert.match(await page.textContent(".assistant-message"), /Here\./);
});

test("a message can be edited: it and what followed leave the conversation", async (t) => {
  const { page, server } = await openUi(t, [{ say: "One." }, { say: "Two." }, { say: "Other." }]);
  await ask(page, "First");
  await ended(page);
  await ask(page, "Second");
  await ended(page, 2);
  await page.hover(".run >> nth=0");
  await page.click(".edit >> nth=0");
  assert.equal(await focused(page), "textarea");
  await page.keyboard.type(" again");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => element.controller.getSnapshot().runs.length === 1);
  // The run before may be there still, and has ended.
  await page.locator(".run", { hasText: "Other." }).waitFor();
  await ended(page);
  assert.match(await page.textContent(".run"), /First again[^]*Other\./);
  const users = server.requests.at(-1).body.messages.filter(({ role }) => role === "user");
  assert.equal(users.length, 1);
  assert.match(JSON.stringify(users), /First again/);
});

test("what an edited message proposed is withdrawn, which undo takes back, and what others proposed waits still", async (t) => {
  const other = { calls: [call("c-2", "replace_text", { old: "Kinds", new: "Sorts" })] };
  const { page } = await openUi(t, [replace, { say: "One." }, other, { say: "Two." }, { say: "Other." }]);
  const proposed = () => page.evaluate(() => editor.storage.copydesk.document.hunks().map(({ newText }) => newText));
  await ask(page, "First");
  await ended(page);
  await ask(page, "Second");
  await ended(page, 2);
  assert.deepEqual(await proposed(), ["very ", "Sorts"]);
  const before = await html(page);
  await page.hover(".run >> nth=1");
  await page.click(".edit >> nth=1");
  await page.keyboard.type(" again");
  await page.keyboard.press("Enter");
  await page.locator(".run", { hasText: "Other." }).waitFor();
  await ended(page, 2);
  assert.deepEqual(await proposed(), ["very "]);
  assert.equal(await html(page), before);
  await page.evaluate(() => editor.commands.undo());
  assert.deepEqual(await proposed(), ["very ", "Sorts"]);
});

test("conversations are kept in IndexedDB, listed, opened and deleted", async (t) => {
  const { page } = await openUi(t, [replace, { say: "Done." }, { say: "Yes." }], { search: "&kept" });
  await ask(page, "Make the tea older");
  await ended(page);
  await page.click(".row-accept");
  await page.waitForSelector('.row[data-review="accepted"]');
  await page.click(".new-conversation");
  await page.waitForSelector(".welcome");
  await ask(page, "Can you write?");
  await ended(page);
  await page.evaluate(() => element.controller.flush());
  await page.reload();
  await page.waitForFunction(() => window.ready);
  await page.waitForSelector(".run");
  assert.match(await page.textContent(".run"), /Can you write\?[^]*Yes\./);
  await page.click(".conversation-title");
  const titles = await page.$$eval(".conversations .menu-text > span:first-child", (all) => all.map((one) => one.textContent));
  assert.deepEqual(titles, ["Can you write?", "Make the tea older"]);
  await page.click(".conversations .menu-item >> nth=1");
  await page.waitForSelector(".row");
  assert.equal(await page.getAttribute(".row", "data-review"), "accepted");
  await page.click(".conversation-title");
  await page.click(".conversations .tool >> nth=1");
  await page.waitForSelector(".welcome");
  await page.click(".conversation-title");
  assert.equal(await page.locator(".conversations li").count(), 1);
});

test("of a long conversation only what is in view is drawn, and rows that were opened stay open", async (t) => {
  const { page } = await openUi(t, [{ say: "Last." }], { search: "&bare" });
  await page.evaluate(() => {
    const events = (run) => [
      { type: "agent_start", seq: 0 },
      { type: "turn_start", turnId: `t-${run}`, seq: 1 },
      ...[0, 1, 2].flatMap((at) => [
        { type: "tool_use", toolId: `c-${run}-${at}`, toolName: "replace_text", toolInput: { old: "a", new: "b" }, seq: 2 },
        { type: "tool_result", toolId: `c-${run}-${at}`, toolName: "replace_text", content: "Replaced.", isError: false, seq: 3 },
      ]),
      { type: "content", content: `Answer ${run}. `.repeat(1 + (run % 30)), seq: 4 },
      { type: "complete", usage: {}, seq: 5 },
    ];
    const runs = Array.from({ length: 150 }, (_, run) => ({ prompt: `Message ${run}`, events: events(run), ended: true, titles: {} }));
    const conversation = { id: "long", title: "Long", changed: 1, messages: [], runs, decisions: [] };
    start({ storage: { load: async () => [conversation], save: async () => {}, remove: async () => {} } });
    window.log = () => element.shadowRoot.querySelector("copydesk-conversation").shadowRoot.querySelector(".log");
    window.drawn = () => [...log().querySelectorAll(".run .message-text")].map((one) => one.textContent).filter((text) => text.startsWith("Message"));
    window.frame = () => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  });
  await page.waitForFunction(() => drawn().includes("Message 149"));
  await page.click(".run >> nth=-1 >> .row-head >> nth=0");
  const most = await page.evaluate(async () => {
    let most = 0;
    while (drawn()[0] !== "Message 0" || log().scrollTop > 0) {
      log().scrollTop -= 400;
      await frame();
      most = Math.max(most, drawn().length);
    }
    return most;
  });
  assert.ok(most < 60, `${most} of 150 were drawn`);
  // The heights of what is not drawn stay: the end is where it was.
  const height = await page.evaluate(() => log().scrollHeight);
  await page.evaluate(() => (log().scrollTop = log().scrollHeight));
  await page.waitForFunction(() => drawn().includes("Message 148") && !drawn().includes("Message 0"));
  assert.ok(Math.abs((await page.evaluate(() => log().scrollHeight)) - height) <= 2);
  assert.equal(await page.getAttribute(".run >> nth=-1 >> .row-head >> nth=0", "aria-expanded"), "true");
  await ask(page, "And now?");
  await ended(page, 151);
  await page.waitForFunction(() => drawn().at(-2) === "Message 149" || log().textContent.includes("And now?"));
  assert.ok(await page.evaluate(() => log().scrollHeight - log().scrollTop - log().clientHeight < 4), "the newest message is in view");
});

test("an element without its properties says in the console what it needs, and is empty", async (t) => {
  const { page } = await openUi(t, [], { search: "&bare" });
  const warned = [];
  page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
  const all = page.waitForEvent("console", () => warned.length === 18);
  await page.evaluate(() => document.body.append(...["assistant", "conversation", "composer", "tool-row", "approval", "review-bar", "selection-menu", "outline", "comments", "settings", "skills", "servers", "rules", "checks", "search", "files", "versions", "diff"].map((name) => document.createElement(`copydesk-${name}`))));
  await all;
  assert.match(warned[0], /^<copydesk-assistant> needs the properties `editor`.* and `agent`/);
  assert.equal(await page.locator("copydesk-assistant .chat-head").count(), 0);
});

test("several assistants on one page have their own editors, conversations and languages", async (t) => {
  const { page } = await openUi(t, [{ say: "One." }, { say: "二。" }], { search: "&bare" });
  await page.evaluate(() => {
    document.querySelector(".app").remove();
    for (const [index, lang] of ["en", "zh-CN"].entries()) {
      const [place, assistant] = [document.createElement("div"), document.createElement("copydesk-assistant")];
      assistant.lang = lang;
      assistant.id = `a${index}`;
      document.body.append(place, assistant);
      Object.assign(assistant, { editor: edit(undefined, { element: place }), agent: agentOptions() });
    }
  });
  await page.fill("#a0 #composer", "First");
  await page.press("#a0 #composer", "Enter");
  await page.waitForSelector("#a0 .run-end");
  await page.fill("#a1 #composer", "第二");
  await page.press("#a1 #composer", "Enter");
  await page.waitForSelector("#a1 .run-end");
  assert.match(await page.textContent("#a0 .run"), /One\./);
  assert.match(await page.textContent("#a1 .run"), /二。/);
  assert.equal(await page.locator("#a0 .run").count(), 1);
  assert.equal(await page.getAttribute("#a1 .send", "aria-label"), "发送");
  assert.equal(await page.getAttribute("#a0 .send", "aria-label"), "Send");
});

test("words can be replaced, and a language added; the element follows the page's language", async (t) => {
  const { page } = await openUi(t);
  const name = () => page.getAttribute(".send", "aria-label");
  await page.evaluate(() => (document.documentElement.lang = "zh-CN"));
  await page.waitForFunction(() => element.shadowRoot.querySelector("copydesk-composer").shadowRoot.querySelector(".send").ariaLabel === "发送");
  await page.evaluate(() => {
    element.words = { en: { send: "Go" }, de: { send: "Senden", modes: { review: "Prüfen" } } };
    document.documentElement.lang = "en-GB";
  });
  await page.waitForSelector('.send[aria-label="Go"]');
  await page.evaluate(() => (element.locale = "de"));
  await page.waitForSelector('.send[aria-label="Senden"]');
  assert.equal((await page.textContent(".mode-select option")).trim(), "Prüfen");
  assert.equal(await name(), "Senden");
  assert.equal(await page.getAttribute(".log", "lang"), "de", "the language is that of the table");
  assert.equal(await page.getAttribute("#composer", "placeholder"), "Ask for an article or an edit…", "what is missing is English");
});

test("the controller works without elements: a store for frameworks", async (t) => {
  const { page } = await openUi(t, [replace, { say: "Done." }], { search: "&bare" });
  const seen = await page.evaluate(async () => {
    const assistant = createAssistant({ editor: edit(), agent: agentOptions() });
    const before = assistant.getSnapshot();
    const snapshots = [];
    assistant.subscribe(() => snapshots.push(assistant.getSnapshot()));
    assistant.subscribe(() => {
      throw new Error("a listener that throws");
    });
    addEventListener("error", (event) => event.preventDefault());
    assistant.send("Make it older");
    await new Promise((resolve) => {
      const end = assistant.subscribe(() => !assistant.getSnapshot().isWorking && snapshots.length > 3 && (end(), resolve()));
    });
    const [run] = assistant.getSnapshot().runs;
    assistant.dispose();
    return {
      isNew: new Set(snapshots).size === snapshots.length && !snapshots.includes(before),
      types: run.items.map(({ type }) => type),
      call: run.items[0].call.state,
      title: assistant.getSnapshot().conversation.title,
    };
  });
  assert.deepEqual(seen, { isNew: true, types: ["call", "text", "end"], call: "done", title: "Make it older" });
});

test("a message of 5 MB is refused with a sentence, and what follows is answered", async (t) => {
  const { page, server } = await openUi(t, [{ say: "Yes." }], { search: "&bare" });
  const long = "A long tale of tea. ".repeat(262_144);
  await page.evaluate(() => start({ storage: "indexeddb" }));
  await page.evaluate((long) => element.controller.send(long), long);
  await ended(page);
  assert.match(await page.textContent(".failure"), /The smallest request takes about [\d,]+ tokens.*Use a model with a larger context window/);
  const [{ prompt, canEdit }] = await page.evaluate(() => element.controller.state.runs);
  assert.deepEqual([prompt.length, canEdit, server.requests.length], [long.length, true, 0]);
  await page.evaluate(() => element.controller.newConversation());
  await ask(page, "Can you?");
  await ended(page);
  assert.equal(server.requests.length, 1);
});

test("an app that draws answers by itself gets them without markup of the model, while they grow", async (t) => {
  const { page } = await openUi(t, [], { search: "&bare" });
  const shown = await page.evaluate(() => {
    const target = document.body.appendChild(document.createElement("div"));
    const text = "# Tea\n\nA **leaf**, `x < y` and *two*:\n\n- [one](https://a.example/)\n- [two](javascript:alert(1))\n\n<img src=x onerror='window.ran = 1'><script>window.ran = 1</scr" + "ipt>";
    renderAnswer(text.slice(0, 20), target);
    const [heading] = target.children;
    renderAnswer(text, target);
    const names = [...target.querySelectorAll("*")].map(({ localName }) => localName);
    return { isSame: heading === target.children[0], names, links: [...target.querySelectorAll("a")].map(({ href }) => href), end: target.lastElementChild.textContent, ran: window.ran };
  });
  assert.deepEqual(shown.names.filter((name) => !["p", "ul", "li", "strong", "em", "code", "a"].includes(name)), []);
  assert.deepEqual([shown.isSame, shown.links, shown.ran], [true, ["https://a.example/"], undefined]);
  assert.equal(shown.end, "<img src=x onerror='window.ran = 1'><script>window.ran = 1</script>");
});

test("a storage that fails is a sentence, and the conversation goes on", async (t) => {
  const { page } = await openUi(t, [{ say: "Yes." }], { search: "&bare" });
  await page.evaluate(() => start({ storage: { load: async () => [], remove: async () => {}, save: async () => { throw new StorageError("full"); } } }));
  await ask(page, "Can you?");
  await ended(page);
  await page.waitForSelector(".storage-notice");
  assert.match(await page.textContent(".storage-notice"), /no storage left/);
});

test("the menu at a selection runs an action, which the assistant shows", async (t) => {
  const { page } = await openUi(t, [{ calls: [call("c-1", "replace_text", { old: "old drink", new: "drink" })] }, { say: "Shorter." }]);
  await page.evaluate(() => element.controller.prepare());
  await page.evaluate(() => {
    editor.view.focus();
    editor.commands.setTextSelection({ from: 14, to: 24 });
  });
  await page.click("copydesk-selection-menu .copydesk-action >> text=Shorten");
  await ended(page);
  assert.match(await page.textContent(".user-message"), /Shorten: “/);
  assert.equal(await page.getAttribute(".row", "data-review"), "pending");
  await page.keyboard.press("Control+j");
  assert.match(await focused(page), /copydesk-action/);
});

test("the styles that elements share with the stylesheets are those of the stylesheets", () => {
  const source = join(root, "pkg-template");
  assert.equal(readFileSync(join(source, "src/ui/shared-styles.ts"), "utf8"), sharedStyles(source), "node xtask/js/styles.mjs pkg-template > pkg-template/src/ui/shared-styles.ts");
});
