// A model may change only what it was shown, also in an editor that was empty when it read it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { answer, begin, call, model, pageWith } from "./model.mjs";

const OPENING = { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>A leaf.</p>" };
const WHOLE = { content: "<h1>Tea</h1><p>A leaf.</p>" };
const MOMENTS = ["before the call", "while the call arrives", "while it waits for approval"];

for (const mode of ["auto", "review"]) {
  for (const moment of MOMENTS) {
    for (const [tool, args] of [["update_section", OPENING], ["edit_current_editor_document", WHOLE]]) {
      test(`${mode}: ${tool} on a document that was empty when read loses nothing that was typed ${moment}`, async (t) => {
        let page;
        const type = async () => {
          await page.click("#page .tiptap");
          await page.keyboard.type("My first line.");
          await page.keyboard.press("Enter");
          await page.keyboard.type("And one more.");
        };
        const slowly = async (response, asked) => {
          begin(response);
          if (moment === MOMENTS[1]) await type();
          response.end(answer({ calls: [call("c1", tool, args)] }));
        };
        const again = { ...args, content: "<p>My first line.</p><p>And one more.</p><p>A leaf.</p>" };
        const server = await model(t, [
          { calls: [call("c0", "get_document"), call("c00", "read_lines")] },
          { say: "It is empty." },
          slowly,
          { calls: [call("c2", tool, again)] },
          { say: "Done." },
        ]);
        page = await pageWith(t, server.baseUrl, "<p></p>");
        await page.evaluate((mode) => {
          boundDocument.mode = mode;
          agentWith({ needsApproval: [] });
          return agent.prompt("Read");
        }, mode);
        if (moment === MOMENTS[0]) await type();
        await page.evaluate(
          ([asks, tool]) => {
            if (asks) agent.configure({ needsApproval: [tool] });
            window.running = agent.prompt("Write about tea");
          },
          [moment === MOMENTS[2], tool],
        );
        if (moment === MOMENTS[2]) {
          await page.waitForFunction(() => saw("approval_request").length === 1);
          await type();
          await page.evaluate(() => agent.approve("c1", true));
          await page.waitForFunction(() => saw("approval_request").length === 2);
          await page.evaluate(() => agent.approve("c2", true));
        }
        const seen = await page.evaluate(async () => {
          const { status } = await running;
          const results = Object.fromEntries(saw("tool_result").map(({ toolId, content }) => [toolId, content.error?.code ?? "ok"]));
          const between = editor.getText({ blockSeparator: "|" });
          editor.commands.acceptAll();
          return { status, results, between, text: editor.getText({ blockSeparator: "|" }) };
        });
        assert.equal(seen.status, "complete");
        assert.deepEqual([seen.results.c1, seen.results.c2], ["stale", "ok"], "refused, and the refusal shows what to keep");
        for (const text of [seen.between, seen.text]) assert.match(text, /My first line\.\|And one more\./);
        assert.match(seen.text, /A leaf\.$/);
      });
    }
  }
}

test("an edit of a section that was not shown is refused with its content, and the model continues at once", async (t) => {
  const replace = { operation: "replace", sectionIndex: 1, content: "<p>New.</p>" };
  const server = await model(t, [
    { calls: [call("c1", "update_section", replace)] },
    { calls: [call("c2", "update_section", replace)] },
    { say: "Done." },
  ]);
  const page = await pageWith(t, server.baseUrl, "<h1>Tea</h1><h2>History</h2><p>Old.</p>");
  const html = await page.evaluate(async () => {
    agentWith();
    await agent.prompt("Go");
    return editor.getHTML();
  });
  const { error } = JSON.parse(server.tool(1).c1);
  assert.deepEqual([error.code, error.details.index, error.details.title, error.details.content], ["section_not_shown", 1, "History", "<p>Old.</p>"]);
  assert.match(html, /<h2>History<\/h2><p>New\.<\/p>/);
});
