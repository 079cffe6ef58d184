// The preview shows content while it arrives, before any guard has checked it: it loads, runs, opens and clobbers nothing.
//
// Random content comes from seeds; COPYDESK_SEED sets the first one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEditor } from "./attacked.mjs";
import { PAYLOADS, SECRET, randomHTML } from "./payloads.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? 1);
const TEA = `<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>${SECRET}</p><h2>Kinds</h2><p>Many.</p>`;

/** Settings of the editor while the payloads arrive. */
const SETTINGS = {
  auto: {},
  review: { copydesk: { mode: "review" } },
  "picture hosts": { copydesk: { guards: { images: { hosts: ["pictures.example"] } } } },
  locks: { copydesk: { mode: "review", guards: { locked: ["History"], lossless: "reject" } } },
  approval: { agent: { needsApproval: ["*"] } },
};

/** Streams each payload in parts into its own call. Returns what was active in the page after any part. */
async function stream(page, payloads, { copydesk = {}, agent = {} } = {}, { step = 9, end = "cut" } = {}) {
  return page.evaluate(
    async ({ html, payloads, copydesk, agent, step, end }) => {
      drawAtOnce();
      const found = new Set();
      for (const payload of payloads) {
        edit(html, { extensions: hostile, copydesk });
        const model = await speak({ maxRetries: 0, ...agent });
        model.begin();
        const text = JSON.stringify({ operation: "insert", sectionIndex: 2, title: "New", content: payload });
        // Sent separately: the arguments before the content are not under test here.
        const start = text.indexOf('"content"') + 11;
        await model.say(0, text.slice(0, start));
        for (let at = start; at < text.length; at += step) {
          await model.say(0, text.slice(at, at + step));
          for (const one of look()) found.add(`${one} after ${text.slice(start, at + step)}`);
        }
        if (end === "finish") {
          model.finish();
          while (agent.needsApproval ? !model.events.some(({ type }) => type === "approval_request") : !model.events.some(({ type }) => type === "tool_result")) await pause(2);
          for (const one of look()) found.add(`${one} after ${payload}`);
        } else if (end === "cut") {
          model.cut();
          await pause(2);
          for (const one of look()) found.add(`${one} after ${payload}, cut`);
        }
        model.agent.abort();
        await model.run;
        model.agent.dispose();
      }
      return { found: [...found].slice(0, 20), seen };
    },
    { html: TEA, payloads, copydesk, agent, step, end },
  );
}

for (const [name, settings] of Object.entries(SETTINGS)) {
  test(`nothing is loaded or run while content arrives: ${name}`, async (t) => {
    const page = await openEditor(t);
    const { found, seen } = await stream(page, PAYLOADS, settings);
    assert.deepEqual(found, []);
    assert.ok(seen.previews > PAYLOADS.length, "there must have been previews");
  });
}

test("nothing is loaded or run wherever the stream is cut off", async (t) => {
  const page = await openEditor(t);
  const { found, seen } = await stream(page, PAYLOADS, SETTINGS.review, { step: 1, end: "abort" });
  assert.deepEqual(found, []);
  assert.ok(seen.previews > 1000, `${seen.previews} previews`);
});

test("nothing is loaded or run while a complete call waits for the user's approval", async (t) => {
  const page = await openEditor(t);
  const { found } = await stream(page, PAYLOADS, SETTINGS.approval, { step: 1000, end: "finish" });
  assert.deepEqual(found, []);
});

test("random content from hostile parts is inert in the preview", async (t) => {
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
  const page = await openEditor(t);
  const payloads = Array.from({ length: 80 }, (_, index) => randomHTML(SEED + index));
  const { found, seen } = await stream(page, payloads, SETTINGS.auto, { step: 60 });
  assert.deepEqual(found, []);
  assert.ok(seen.previews > 80);
});

test("plain text, single lines and whole documents are inert as they arrive", async (t) => {
  const page = await openEditor(t);
  const found = await page.evaluate(
    async ({ html, payloads }) => {
      drawAtOnce();
      const found = [];
      const calls = (content) => [
        ["edit_current_editor_document", { content }],
        ["edit_current_editor_document", { start_line: 2, end_line: 2, content }],
        ["edit_current_editor_document", { start_line: 2, end_line: 2, content, format: "text" }],
        ["replace_text", { old: "About tea.", new: content }],
        ["update_section", { operation: "replace", sectionIndex: 1, title: content, content }],
      ];
      for (const payload of payloads) {
        edit(html, { extensions: hostile });
        const model = await speak({ maxRetries: 0 });
        for (const [index, [name, args]] of calls(payload).entries()) {
          model.begin(index, name);
          await model.say(index, JSON.stringify(args).slice(0, -1));
          found.push(...look());
        }
        model.agent.abort();
        await model.run;
        model.agent.dispose();
      }
      return found;
    },
    { html: TEA, payloads: PAYLOADS },
  );
  assert.deepEqual(found, []);
});

const ARTICLE = [
  "<h1>One</h1><h2>Two</h2><h3>Three</h3><h6>Six</h6>",
  "<p>Text with <strong>bold, <em>both</em></strong>, <em>italic</em>, <u>under</u>, <s>struck</s>, <code>code</code> and <a>a link</a>.<br>A new line.</p>",
  "<ul><li><p>a</p><ol start=\"3\"><li><p>b</p></li></ol></li></ul><blockquote><p>said</p></blockquote><hr>",
  "<pre><code>let x = 1;\nlet y = 2;</code></pre>",
  '<table><tbody><tr><th colspan="2"><p>head</p></th></tr><tr><td><p>c</p></td><td rowspan="2"><p>d</p></td></tr><tr><td><p>e</p></td></tr></tbody></table>',
  '<ul data-type="taskList"><li data-checked="true" data-type="taskItem"><label><input type="checkbox" checked="checked"><span></span></label><div><p>done</p></div></li>',
  '<li data-checked="false" data-type="taskItem"><label><input type="checkbox"><span></span></label><div><p>to do</p></div></li></ul><p>The end.</p>',
].join("");

test("the preview has the elements that the editor renders for the same content", async (t) => {
  const page = await openEditor(t);
  const [shown, real, boxes] = await page.evaluate(
    async (article) => {
      drawAtOnce();
      edit("<p>x</p>");
      const model = await speak();
      model.begin(0, "edit_current_editor_document");
      await model.say(0, JSON.stringify({ content: article.replace("<a>", '<a href="https://a.example/">') }));
      const bare = (html) => {
        const { body } = new DOMParser().parseFromString(html, "text/html");
        for (const one of body.querySelectorAll("*")) {
          for (const name of one.getAttributeNames()) if (!["colspan", "rowspan", "start", "data-type", "data-checked", "type"].includes(name)) one.removeAttribute(name);
          for (const name of ["colspan", "rowspan"]) if (one.getAttribute(name) === "1") one.removeAttribute(name);
          if (one.localName === "colgroup") one.remove();
        }
        return [...body.querySelectorAll("*")].map((one) => `${one.localName}${one.getAttributeNames().toSorted().map((name) => `[${name}=${one.getAttribute(name)}]`).join("")} ${one.childElementCount ? "" : one.textContent}`);
      };
      const preview = document.querySelector(".copydesk-preview");
      const shown = bare(preview.innerHTML);
      const boxes = [...preview.querySelectorAll("input")].map(({ checked, disabled }) => [checked, disabled]);
      model.agent.abort();
      await model.run;
      editor.commands.setContent(article.replace("<a>", '<a href="https://a.example/">'));
      return [shown, bare(editor.getHTML()), boxes];
    },
    ARTICLE,
  );
  assert.deepEqual(shown, real);
  assert.deepEqual(boxes, [[true, true], [false, true]]);
});

test("hidden content has a placeholder with its kind and text, in the page's language", async (t) => {
  for (const [locale, words] of [["en", ["Image: A dot", "Embed", "Card"]], ["zh-CN", ["图片：A dot", "Embed", "Card"]]]) {
    const page = await openEditor(t);
    const [labels, text] = await page.evaluate(
      async (locale) => {
        drawAtOnce();
        edit("<p>x</p>", { extensions: hostile, copydesk: { locale } });
        const model = await speak();
        model.begin(0, "edit_current_editor_document");
        await model.say(0, JSON.stringify({ content: '<p>a</p><img src="https://evil.example/1" alt="A dot"><iframe src="//evil.example/2"></iframe><section><h2>in it</h2></section>' }));
        const preview = document.querySelector(".copydesk-preview");
        const shown = [[...preview.querySelectorAll(".copydesk-placeholder-name")].map(({ textContent }) => textContent), preview.querySelector(".copydesk-placeholder h2")?.textContent];
        model.agent.abort();
        await model.run;
        return shown;
      },
      locale,
    );
    assert.deepEqual(labels, words);
    assert.equal(text, "in it");
  }
});
