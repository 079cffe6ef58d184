// Helpers for tests of the review.
import { opener } from "./harness.mjs";

const openEditor = opener("editor");

export const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Tea is an old drink of the south.</p><h2>Kinds</h2><p>Many.</p>";
/** Changes "an old" to "a very old", "south" to "north", and adds a paragraph. */
export const REWRITE = { operation: "replace", sectionIndex: 1, content: "<p>Tea is a very old drink of the north.</p><p>It came by sea.</p>" };
export const REWRITTEN = TEA.replace("<p>Tea is an old drink of the south.</p>", REWRITE.content);

/** An editor in review mode with the content `html`, and these updates proposed. */
export async function open(t, html = TEA, updates = [REWRITE], { copydesk = {}, ...options } = {}) {
  const page = await openEditor(t, options);
  await page.evaluate(
    async ({ html, updates, copydesk }) => {
      edit(html, { copydesk: { mode: "review", ...copydesk } });
      window.first = editor.state.doc;
      for (const update of updates) boundDocument.apply(update);
      await undefined;
    },
    { html, updates, copydesk },
  );
  return page;
}

export const html = (page) => page.evaluate(() => editor.getHTML());
export const texts = (page, selector) => page.$$eval(selector, (all) => all.map((element) => element.textContent));
export const struck = (page) => texts(page, "del.copydesk-deletion");
export const coming = (page) => texts(page, ".copydesk-insertion");
export const run = (page, name, ...args) => page.evaluate(([name, args]) => editor.commands[name](...args), [name, args]);
export const announced = (page) => page.textContent(".copydesk-live");
