// The page build in two files: an editor with its review before the later one is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "./model.mjs";
import { openUi } from "./ui-page.mjs";

const isWasm = (url) => /copydesk\w*_bg[^/]*\.wasm$/.test(new URL(url).pathname);
const isLater = (url) => isWasm(url) && /later/.test(url);

/** Opens a page with the first part. `asked` receives the URLs of the wasm. */
async function openInParts(t, answers, { prepare, ...options } = {}) {
  const asked = [];
  const { page, server } = await openUi(t, answers, {
    search: "&bare&parts",
    prepare: async (page) => {
      page.on("request", (request) => isWasm(request.url()) && asked.push(request.url()));
      await prepare?.(page);
    },
    ...options,
  });
  return { page, server, asked };
}

/** Returns a document and its pending changes as an app stores them, made with all parts. */
async function storedHunks(t) {
  const { page } = await openUi(t, [], { search: "&bare" });
  return page.evaluate(async () => {
    await loadRest();
    window.editor = edit();
    const { storage } = editor;
    storage.copydesk.document.apply({ operation: "replace", sectionIndex: 0, content: "<p>Tea is old.</p>" });
    storage.copydesk.document.apply({ operation: "replace", sectionIndex: 1, content: "<p>Green, black and white.</p>" });
    return JSON.parse(JSON.stringify({ json: editor.getJSON(), pending: storage.copydesk.pending }));
  });
}

test("an editor is bound, and its hunks are restored, shown and decided, by the first part alone", async (t) => {
  const { page, asked } = await openInParts(t);
  const stored = await storedHunks(t);
  const seen = await page.evaluate(async ({ json, pending }) => {
    window.editor = edit(json, { pending });
    await editor.storage.copydesk.restored;
    await new Promise(requestAnimationFrame);
    const { document: bound } = editor.storage.copydesk;
    const texts = () => bound.hunks().map(({ newText }) => newText);
    const shown = new Set([...document.querySelectorAll("[data-copydesk-hunk]")].map((each) => each.dataset.copydeskHunk)).size;
    const restored = texts();
    editor.commands.insertContentAt(1, "Typed ");
    const typed = texts();
    editor.commands.acceptHunk(bound.hunks()[0].id);
    editor.commands.rejectAll();
    const decided = editor.getText();
    editor.commands.undo();
    return { shown, restored, typed, decided, undone: texts().length };
  }, stored);
  assert.deepEqual(seen.restored, stored.pending.hunks.map(({ newText }) => newText));
  assert.equal(seen.shown, seen.restored.length);
  assert.deepEqual(seen.typed, seen.restored);
  assert.match(seen.decided, /Tea is old\.[^]*Typed History[^]*Green and black\.$/);
  assert.equal(seen.undone, seen.restored.length - 1);
  assert.deepEqual(asked.map(isLater), [false], "the later part was loaded");
});

test("a prompt loads the later part, and edits the document that was shown before", async (t) => {
  const update = { operation: "replace", sectionIndex: 1, content: "<p>Green, black and white.</p>" };
  const { page, asked } = await openInParts(t, [{ calls: [call("c1", "update_section", update)] }, { say: "Done." }]);
  const before = await page.evaluate(() => {
    window.editor = edit();
    const { document: bound } = editor.storage.copydesk;
    window.bound = bound;
    const codeOf = (run) => {
      try {
        run();
      } catch ({ name, code }) {
        return [name, code];
      }
    };
    const agent = codeOf(() => new Agent({ document: editor, ...agentOptions() }));
    return { agent, apply: codeOf(() => bound.apply({ operation: "delete", sectionIndex: 1 })), html: bound.toHTML() };
  });
  assert.deepEqual([before.agent, before.apply], Array(2).fill(["CopydeskError", "not_loaded"]));
  assert.deepEqual(asked.map(isLater), [false]);

  const after = await page.evaluate(async () => {
    window.assistant = createAssistant({ editor, agent: agentOptions() });
    assistant.send("White tea, please");
    await new Promise((resolve) => assistant.subscribe(() => assistant.getSnapshot().runs.length && !assistant.getSnapshot().isWorking && resolve()));
    const { document: bound } = editor.storage.copydesk;
    return { isSame: bound === window.bound, texts: bound.hunks().map(({ newText }) => newText) };
  });
  assert.equal(after.isSame, true);
  assert.match(after.texts.join(), /white/);
  assert.deepEqual(asked.map(isLater), [false, true]);
});

test("a later part that fails to load is asked for again by the next call", async (t) => {
  let failures = 2;
  const { page, asked } = await openInParts(t, [], {
    expected: [/404/],
    prepare: (page) => page.route((url) => isLater(url), (route) => (failures-- > 0 ? route.fulfill({ status: 404 }) : route.continue())),
  });
  const codes = await page.evaluate(async () => {
    const codes = [];
    for (let call = 0; call < 3; call++) await loadRest().then(() => codes.push("loaded"), ({ code }) => codes.push(code));
    return [...codes, typeof new Agent({ document: edit(), ...agentOptions() }).prompt];
  });
  assert.deepEqual(codes, ["wasm_load", "wasm_load", "loaded", "function"]);
  assert.equal(asked.filter(isLater).length, 3);
});

test("the worker that searches files gets both parts", async (t) => {
  const { page, asked } = await openInParts(t);
  const found = await page.evaluate(async () => {
    const files = await createWorkspace();
    const { matches } = await files.search({ pattern: "tin whistle" });
    const { errors } = await files.check("timeline");
    return { matches: matches.map(({ path, line }) => `${path}:${line}`), errors: errors.map(({ file }) => file) };
  });
  assert.deepEqual(found.matches, ["chapters/ch001.md:3", "chapters/ch001.md:5", "notes/plan.md:1"]);
  assert.deepEqual([...new Set(found.errors)], ["chapters/ch002.md"]);
  assert.deepEqual(asked.map(isLater), [false, true]);
});
