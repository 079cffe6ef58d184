// An editor that is there before the wasm: what waits for it, and the option `pending`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const open = opener("editor");

const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p><h2>Kinds</h2><p>Many.</p>";

/** Returns a document and its pending changes as an app stores them, and both with the changes accepted. */
async function stored(t) {
  const page = await open(t);
  return page.evaluate((html) => {
    edit(html, { copydesk: { mode: "review" } });
    boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p><p>New.</p>" });
    boundDocument.apply({ operation: "replace", sectionIndex: 2, content: "<p>Few.</p>" });
    const { pending } = editor.storage.copydesk;
    return { json: editor.getJSON(), pending: JSON.parse(JSON.stringify(pending)), proposed: boundDocument.toHTML() };
  }, TEA);
}

/** Opens the page without the wasm, with an editor of a stored document. */
async function openEarly(t, { json, pending }, options) {
  const page = await open(t, { search: "?early", ...options });
  await page.evaluate(([json, pending]) => {
    edit(json, { copydesk: { mode: "review", pending } });
    window.texts = () => editor.storage.copydesk.document.hunks().map(({ newText }) => newText);
  }, [json, pending]);
  return page;
}

test("pending changes are pending again when the wasm is there, beside what was typed before", async (t) => {
  const saved = await stored(t);
  assert.equal(saved.pending.document, undefined, "they belong to the editor's document");
  const page = await openEarly(t, saved);
  const early = await page.evaluate(() => {
    editor.commands.insertContentAt(1, "Green ");
    return JSON.parse(JSON.stringify({ pending: editor.storage.copydesk.pending, now: editor.getJSON() }));
  });
  assert.deepEqual(early.pending, { hunks: saved.pending.hunks, document: saved.json });

  // The page is loaded again before the wasm was there.
  const again = await openEarly(t, { json: early.now, pending: early.pending });
  for (const one of [page, again]) {
    const seen = await one.evaluate(async () => {
      editor.commands.insertContentAt(1, "Hot ");
      await load();
      await editor.storage.copydesk.restored;
      const { pending } = editor.storage.copydesk;
      await new Promise(requestAnimationFrame);
      const drawn = new Set([...document.querySelectorAll("[data-copydesk-hunk]")].map((each) => each.dataset.copydeskHunk)).size;
      const found = { texts: texts(), own: pending.document === undefined, drawn, before: editor.getHTML() };
      editor.commands.acceptAll();
      const after = editor.getHTML();
      editor.commands.undo();
      const undone = { html: editor.getHTML(), texts: texts() };
      while (editor.can().undo()) editor.commands.undo();
      return { ...found, after, undone, first: editor.getHTML() };
    });
    const texts = saved.pending.hunks.map(({ newText }) => newText);
    assert.deepEqual([seen.texts, seen.own, seen.drawn], [texts, true, texts.length]);
    assert.equal(seen.after, saved.proposed.replace("Tea", "Hot Green Tea"));
    assert.deepEqual(seen.undone, { html: seen.before, texts });
    assert.match(seen.first, one === page ? /^<h1>Tea</ : /^<h1>Green Tea</, "the history goes on before the wasm");
  }
});

test("what the user changes in a pending change before the wasm is there becomes a conflict", async (t) => {
  const page = await openEarly(t, await stored(t));
  const conflicts = await page.evaluate(async () => {
    let at;
    editor.state.doc.descendants((node, position) => void (node.text === "Many." && (at = position)));
    editor.commands.insertContentAt({ from: at, to: at + 4 }, "Six");
    await load();
    await editor.storage.copydesk.restored;
    return editor.storage.copydesk.document.hunks().filter(({ conflict }) => conflict).map(({ originalText, newText }) => [originalText, newText]);
  });
  assert.equal(conflicts.length, 1);
  assert.match(conflicts[0][0], /Six/);
});

test("changes that do not fit are reported, and the document is bound without them", async (t) => {
  const saved = await stored(t);
  for (const wrong of [{ hunks: saved.pending.hunks.map((hunk) => ({ ...hunk, to: 9999 })) }, { hunks: saved.pending.hunks, document: { type: "nothing" } }]) {
    const page = await openEarly(t, { ...saved, pending: wrong });
    const seen = await page.evaluate(async () => {
      await load();
      const error = await editor.storage.copydesk.restored.catch((thrown) => thrown);
      return { isOwn: error instanceof CopydeskError, code: error.code, hunks: texts(), html: editor.getHTML() };
    });
    assert.ok(seen.isOwn && seen.code, JSON.stringify(seen));
    assert.deepEqual([seen.hunks, seen.html], [[], TEA]);
  }
});

test("commands before the wasm wait for it or say so, and a destroyed editor does not wait", async (t) => {
  const saved = await stored(t);
  const page = await openEarly(t, saved);
  const seen = await page.evaluate(async ([json, pending]) => {
    const refused = [];
    editor.on("askAgent", ({ status, error }) => refused.push([status, error.code, error.message]));
    const said = [editor.commands.setReviewMode("auto"), editor.commands.acceptAll(), editor.commands.askAgent({ instruction: "Shorten" })];
    const { code } = (() => {
      try {
        return editor.storage.copydesk.document;
      } catch (thrown) {
        return thrown;
      }
    })();
    // Destroys the first one.
    edit(json, { copydesk: { pending } });
    editor.commands.setReviewMode("auto");
    await load();
    await editor.storage.copydesk.restored;
    return { said, refused, code, mode: editor.storage.copydesk.document.mode, hunks: texts().length };
  }, [saved.json, saved.pending]);
  assert.deepEqual(seen.said, [true, false, false]);
  assert.deepEqual(seen.refused, [["refused", "not_loaded", "The assistant is still loading. Try again in a moment."]]);
  assert.deepEqual([seen.code, seen.mode, seen.hunks], ["not_loaded", "auto", saved.pending.hunks.length]);
});

for (const [name, pending] of Object.entries({ "the result of hunks()": [{}], "a text": "hunks", "a number": 7, "no array": { hunks: "x" }, "objects that are no hunks": { hunks: [{ id: 1 }] } })) {
  test(`an option `+"`pending`"+` that is ${name} is left out: the editor is there, and `+"`restored`"+` rejects`, async (t) => {
    const warned = [];
    const prepare = (page) => page.on("console", (message) => message.type() === "warning" && warned.push(message.text()));
    const page = await open(t, { prepare });
    const seen = await page.evaluate(async ([html, pending]) => {
      edit(html, { copydesk: { mode: "review", pending } });
      const code = await editor.storage.copydesk.restored.then(() => "restored", (error) => error.code);
      boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>Older.</p>" });
      return { code, html: editor.getHTML(), hunks: boundDocument.hunks().length };
    }, [TEA, pending]);
    assert.deepEqual(seen, { code: "invalid_parameter", html: TEA, hunks: 1 });
    assert.deepEqual(warned, [], "the app has asked for it");

    await page.evaluate(([html, pending]) => void edit(html, { copydesk: { mode: "review", pending } }), [TEA, pending]);
    // The warning is sent before what is logged here.
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    await page.evaluate(() => console.warn("last"));
    assert.equal(warned.length, 2);
    assert.match(warned[0], /pending changes of the option `pending` were left out/);
  });
}
