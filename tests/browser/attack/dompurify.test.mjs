// DOMPurify's published vectors on every path of agent-written HTML.
import assert from "node:assert/strict";
import { test } from "node:test";
import vectors from "../../fixtures/dompurify/expect.mjs";
import { BUILDS } from "../harness.mjs";
import { openEditor } from "./attacked.mjs";

const PAYLOADS = vectors.map(({ payload }) => payload);
const TEA = "<h1>Tea</h1><p>About tea.</p><h2>History</h2><p>Old.</p>";

test("there are DOMPurify's vectors", () => assert.equal(PAYLOADS.length, 213));

for (const [build, search] of BUILDS) test(`applied, they are inert in the document, and so is its HTML when it is inserted into a page (${build} build)`, async (t) => {
  const page = await openEditor(t, { ownPictures: true, search });
  const { applied, refused } = await page.evaluate(
    async ({ html, payloads }) => {
      const refused = {};
      let applied = 0;
      const frame = document.body.appendChild(document.createElement("iframe"));
      for (const content of payloads) {
        edit(html, { copydesk: { guards: { images: { hosts: [] } } } });
        try {
          boundDocument.apply({ operation: "replace", sectionIndex: 1, content, format: "html" });
          applied++;
        } catch (error) {
          if (!(error instanceof CopydeskError)) throw error;
          refused[error.code] = (refused[error.code] ?? 0) + 1;
        }
        frame.contentDocument.body.innerHTML = boundDocument.toHTML();
        const own = document.createElement("div");
        own.innerHTML = boundDocument.sections().map(({ content }) => content).join("");
        document.body.append(own);
        await pause(0);
        own.remove();
      }
      frame.remove();
      return { applied, refused };
    },
    { html: TEA, payloads: PAYLOADS },
  );
  t.diagnostic(JSON.stringify({ applied, refused }));
  assert.ok(applied > 100, `${applied} applied`);
});

test("a document made of them without an editor gives inert HTML where the guards allow them", async (t) => {
  const page = await openEditor(t, { ownPictures: true, search: "?full" });
  await page.evaluate(
    async ({ html, payloads }) => {
      for (const content of payloads) {
        edit(html);
        const document = Document.fromJSON(editor.getJSON(), schemaData(editor.schema));
        document.setGuards({ images: { hosts: [] } });
        try {
          document.apply({ operation: "append", title: "N", content, format: "html" });
        } catch (error) {
          if (!(error instanceof CopydeskError)) throw error;
        }
        const own = window.document.createElement("div");
        own.innerHTML = document.toHTML();
        window.document.body.append(own);
        await pause(0);
        own.remove();
      }
    },
    { html: TEA, payloads: PAYLOADS },
  );
});

for (const [name, all] of [["with stock extensions", false], ["with nodes that keep every attribute", true]]) {
  test(`streamed, previewed and proposed, they are inert: ${name}`, async (t) => {
    // Content of an app's node is in the document, and an image whose relative URL is in the document is allowed.
    const page = await openEditor(t, { ownPictures: all });
    const { found, seen } = await page.evaluate(
      async ({ html, payloads, all, size }) => {
        drawAtOnce();
        const found = new Set();
        for (let at = 0; at < payloads.length; at += size) {
          edit(html, { extensions: all ? hostile : [], copydesk: { mode: "review" } });
          const model = await speak();
          const batch = payloads.slice(at, at + size);
          for (const [index, content] of batch.entries()) {
            const text = JSON.stringify({ operation: "insert", sectionIndex: 1, title: "N", content, format: "html" });
            model.begin(index);
            const cut = Math.floor((text.length * (index % 5)) / 5);
            for (const part of [text.slice(0, cut), text.slice(cut, -2), text.slice(-2)]) {
              if (part) await model.say(index, part);
              for (const one of look()) found.add(`${one} of ${content}`);
            }
          }
          model.finish();
          await model.run;
          await pause(20);
          for (const one of look()) found.add(`${one} of proposals ${at} to ${at + size}`);
          boundDocument.toHTML();
          model.agent.dispose();
        }
        return { found: [...found].slice(0, 20), seen };
      },
      { html: TEA, payloads: PAYLOADS, all, size: 24 },
    );
    t.diagnostic(JSON.stringify(seen));
    assert.deepEqual(found, []);
    assert.ok(seen.previews > 200 && seen.proposals > 5, JSON.stringify(seen));
  });
}
