// Selections of the document directly behind a proposal: they are edited as if there were none.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../oracle/random.mjs";
import { playCases } from "./budget.mjs";
import { open } from "./review-page.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const LINE = "<p>x</p><p>one two var three four.</p>";
/** Documents with the word "var", and a change that ends directly before it. */
const CHANGES = {
  "a line of code": ["<p>x</p><pre><code>let a = 1;\nvar b = 2;</code></pre>", { operation: "replace_text", old: "1;\nvar", new: "1;\namber2\nvar" }],
  "a line behind a hard break": ["<p>x</p><p>let a<br>var b = 2;</p>", { operation: "replace_lines", edits: [{ start_line: 3, content: "amber2\nvar b = 2;" }] }],
  "an insertion": [LINE, { operation: "replace_text", old: "two var", new: "two amber var" }],
  "a deletion": [LINE, { operation: "replace_text", old: "two ", new: "" }],
  "a replacement": [LINE, { operation: "replace_text", old: "two ", new: "amber " }],
  "an insertion before a mark": [LINE.replace("var", "<strong>var</strong>"), { operation: "replace_text", old: "two ", new: "two amber " }],
  "a paragraph": ["<p>x</p><p>var three four.</p>", { operation: "replace_lines", edits: [{ start_line: 1, content: "<p>x</p><p>amber</p>" }], format: "html" }],
};
const WAYS = {
  "double click": async (page, { left, right, y }) => page.mouse.dblclick((left + right) / 2, y),
  "Shift and arrows": async (page, { right, y }) => {
    await page.mouse.click(right, y);
    await page.evaluate(() => drawn());
    for (let index = 0; index < 3; index++) await page.keyboard.press("Shift+ArrowLeft");
  },
  drag: (page, { left, right, y }) => drag(page, left + 1, right, y),
  "drag backwards": (page, { left, right, y }) => drag(page, right, left, y),
  command: (page) =>
    page.evaluate(() => {
      const at = positionOf("var");
      return editor.chain().focus().setTextSelection({ from: at, to: at + 3 }).run();
    }),
};
async function drag(page, from, to, y) {
  await page.mouse.move(from, y);
  await page.mouse.down();
  // The editor answers to the caret before it becomes a range.
  await page.evaluate(() => drawn());
  await page.mouse.move((from + to) / 2, y, { steps: 3 });
  await page.mouse.move(to, y, { steps: 3 });
  await page.mouse.up();
}
const INPUTS = {
  text: (page) => page.keyboard.type("q17z"),
  paste: (page) =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "q17z");
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }),
};
for (const key of ["Delete", "Backspace", "Enter", "Control+x", "Control+b"]) INPUTS[key] = (page) => page.keyboard.press(key);

async function openPage(t) {
  const page = await open(t, LINE, []);
  await page.evaluate(() => {
    window.drawn = async () => {
      // ProseMirror draws a selection again some frames after the page has changed it.
      for (let frames = 4; frames; frames--) await new Promise(requestAnimationFrame);
    };
    window.positionOf = (text) => {
      let found;
      editor.state.doc.descendants((node, at) => void (found ??= node.isText && node.text.includes(text) ? at + node.text.indexOf(text) : undefined));
      return found;
    };
  });
  return page;
}

/** Selects "var" in a new editor with these updates, and edits it. */
async function play(page, { content, updates, view, way, input }) {
  const box = await page.evaluate(
    async ({ content, updates, view }) => {
      edit(content, { copydesk: { mode: "review" } });
      for (const update of updates) boundDocument.apply(update);
      await drawn();
      editor.commands.setReviewView(view);
      const at = positionOf("var");
      const range = document.createRange();
      const { node } = editor.view.domAtPos(at + 1);
      range.setStart(node, node.data.indexOf("var"));
      range.setEnd(node, node.data.indexOf("var") + 3);
      const { left, right, top, height } = range.getBoundingClientRect();
      return { left, right, y: top + height / 2 };
    },
    { content, updates, view },
  );
  await WAYS[way](page, box);
  const selected = await page.evaluate(async () => {
    await drawn();
    const { from, to } = editor.state.selection;
    return editor.state.doc.textBetween(from, to);
  });
  await INPUTS[input](page);
  const after = await page.evaluate(async () => {
    await drawn();
    return { html: editor.getHTML(), hunks: boundDocument.hunks().map(({ conflict }) => conflict) };
  });
  return { selected, ...after };
}

async function compare(page, { change, view, way, input }) {
  const [content, update] = CHANGES[change];
  const plain = await play(page, { content, updates: [], view, way, input });
  const { hunks, ...edited } = await play(page, { content, updates: [update], view, way, input });
  const what = JSON.stringify({ change, view, way, input });
  assert.deepEqual(edited, { selected: plain.selected, html: plain.html }, what);
  assert.deepEqual(hunks, [false], what);
  assert.equal(plain.selected, "var", what);
}

for (const change in CHANGES)
  test(`a word behind ${change} is selected and typed over as without the proposal`, async (t) => {
    const page = await openPage(t);
    for (const way in WAYS) await compare(page, { change, view: "marked", way, input: "text" });
  });

test("a selection behind a proposal is edited as without it, whatever the input and the view", async (t) => {
  const page = await openPage(t);
  await playCases(t, { variable: "COPYDESK_CASES", most: 400, batch: 1, seed: SEED }, async (index) => {
    const random = randomFrom(SEED + index);
    const [change, way, input] = [CHANGES, WAYS, INPUTS].map((all) => random.pick(Object.keys(all)));
    await compare(page, { change, view: random.pick(["marked", "final", "original"]), way, input });
  });
});
