// Guards on a real editor: scope, losses and URLs, set by the extension or through the document.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const openEditor = opener("editor");

async function open(t) {
  const page = await openEditor(t);
  await page.evaluate(() => {
    /** Returns the error code of an edit, or `ok`; a refused edit must leave the document unchanged. */
    window.outcome = (update) => {
      const before = editor.state.doc;
      try {
        boundDocument.apply(update);
        return "ok";
      } catch (error) {
        if (!(error instanceof CopydeskError)) throw error;
        return editor.state.doc === before ? error.code : `${error.code}, but the document changed`;
      }
    };
    window.replace = (sectionIndex, content, more) => outcome({ operation: "replace", sectionIndex, content, ...more });
  });
  return page;
}

const TEA = "<h1>Tea</h1><p>About.</p><h2>History</h2><p>Old.</p><h2>Legal</h2><p>As is.</p>";

test("guards of the extension apply from the start, and those of the document after them", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const guarded = (guards) => edit(html, { extensions: [Copydesk.configure({ guards })] });
    guarded({ locked: ["Legal"] });
    const locked = [replace(2, "<p>x</p>"), replace(1, "<p>x</p>")];
    boundDocument.setGuards({ scope: { sections: [0] } });
    const scoped = [replace(1, "<p>y</p>"), replace(2, "<p>y</p>"), replace(0, "<p>y</p>")];
    boundDocument.setGuards(null);
    return { locked, scoped, free: replace(2, "<p>z</p>"), can: editor.can().applyDocUpdate({ operation: "delete", sectionIndex: 1 }) };
  }, TEA);
  assert.deepEqual(seen, { locked: ["locked", "ok"], scoped: ["out_of_scope", "out_of_scope", "ok"], free: "ok", can: true });
});

test("a lock moves with its section while the user types, and does not restrict the user", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    edit(html);
    boundDocument.setGuards({ locked: [2] });
    editor.commands.insertContentAt(0, "<h2>Before</h2><p>x</p>");
    editor.commands.insertContentAt(editor.state.doc.content.size - 2, " And more.");
    return [boundDocument.outline().map(({ title }) => title), replace(2, "<p>x</p>"), replace(3, "<p>x</p>"), editor.getText().includes("And more.")];
  }, TEA);
  const [titles, history, legal, typed] = seen;
  assert.equal(titles[3], "Legal");
  assert.deepEqual([history, legal, typed], ["ok", "locked", true]);
});

test("a locked section is not moved, others move past it, and none leaves the scope", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    edit(`${html}<h2>End</h2><p>Fin.</p>`);
    const move = (sectionIndex, toIndex) => outcome({ operation: "move_section", sectionIndex, toIndex });
    boundDocument.setGuards({ locked: ["Legal"] });
    const locked = [move(2, 1), move(2, 3), move(1, 2), move(2, 1)];
    boundDocument.setGuards({ scope: { sections: ["History", "Legal"] } });
    const scoped = [move(1, 3), move(3, 2), move(1, 2), move(1, 2)];
    return { locked, scoped, titles: boundDocument.outline().map(({ title }) => title) };
  }, TEA);
  assert.deepEqual(seen.locked, ["locked", "locked", "ok", "ok"]);
  assert.deepEqual(seen.scoped, ["out_of_scope", "out_of_scope", "ok", "ok"]);
  assert.deepEqual(seen.titles, ["Tea", "History", "Legal", "End"]);
});

test("invalid guards are errors that name the field, and the editor keeps its guards", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate((html) => {
    const thrown = (call) => {
      try {
        return void call();
      } catch (error) {
        return `${error.code}: ${error.message}`;
      }
    };
    edit(html);
    const wrong = [{ lossless: "always" }, { locked: ["Law"] }, { lock: [1] }, 1].map((guards) => thrown(() => boundDocument.setGuards(guards)));
    const first = thrown(() => edit(html, { extensions: [Copydesk.configure({ guards: { locked: ["Law"] } })] }));
    return { wrong, twice: [first, thrown(() => editor.storage.copydesk.document)] };
  }, TEA);
  assert.match(seen.wrong[0], /^config: .*guards\.lossless.*off, report or reject/);
  assert.match(seen.wrong[1], /^config: .*guards\.locked.*2 'Legal'/);
  assert.match(seen.wrong[2], /^config: .*guards\.lock .*left out/);
  assert.match(seen.wrong[3], /^invalid_parameter: guards/);
  for (const said of seen.twice) assert.match(said, /^config: .*guards\.locked/);
});

test("content that an edit drops is named in the result, or the edit is refused until confirmed", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    edit('<h2>A</h2><p>See <a href="https://a.example">tea</a>, <strong>very good</strong>.</p><aside data-tone="warn"><p>Mind.</p></aside>');
    boundDocument.setGuards({ lossless: "reject" });
    const refused = replace(1, "<p>See tea, very good.</p>");
    const result = boundDocument.apply({ operation: "replace", sectionIndex: 1, content: "<p>See tea, very good.</p>", confirmDrop: true });
    return { refused, dropped: result.dropped, message: result.message };
  });
  assert.equal(seen.refused, "would_drop");
  assert.deepEqual(seen.dropped, [
    { type: "link", name: "link", text: "tea", url: "https://a.example" },
    { type: "node", name: "callout", text: "Mind." },
    { type: "mark", name: "bold", text: "very good" },
  ]);
  assert.match(seen.message, /it dropped link "tea"/);
});

test("a URL that TipTap would drop silently is refused with an error", async (t) => {
  const page = await open(t);
  const seen = await page.evaluate(() => {
    edit("<h2>A</h2><p>x</p>");
    const link = (href) => replace(1, `<p><a href="${href}">here</a></p>`);
    return [link("javascript:alert(1)"), link("&#106;ava&#9;script:alert(1)"), link("data:text/html,x"), link("https://a:b@c.example"), link("/ok")];
  });
  assert.deepEqual(seen, ["invalid_url", "invalid_url", "invalid_url", "invalid_url", "ok"]);
});
