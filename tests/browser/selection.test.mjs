// Requests show the document and what is selected in the editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { call, model, pageWith } from "./model.mjs";

const HTML = "<h1>Tea</h1><p>A leaf that is hot and good.</p><h2>History</h2><p>Old.</p>";

/** Returns the last message of a request. */
const last = (server, at) => server.requests[at].body.messages.at(-1).content;

test("the selection of the editor is shown, and what is shown needs no call that reads", async (t) => {
  const server = await model(t, [
    { calls: [call("c1", "replace_text", { old: "hot and good", new: "good" })] },
    { say: "Done." },
    { say: "Fine." },
  ]);
  const page = await pageWith(t, server.baseUrl, HTML);
  const seen = await page.evaluate(async () => {
    agentWith({ documentInPrompt: true });
    editor.commands.setTextSelection({ from: 18, to: 30 });
    await agent.prompt("Make this shorter");
    const html = editor.getHTML();
    editor.commands.setTextSelection(9);
    await agent.prompt("And now?");
    return { html, roles: agent.messages.map(({ role }) => role) };
  });
  assert.match(last(server, 0), /^Make this shorter\n\n<document>\nCurrent document \(4 lines\):\nversion v\d+\n1: # Tea\n2: A leaf that is hot and good\.\n/);
  assert.match(last(server, 0), /\nSelected: line 2, ".+"\n<\/document>$/);
  assert.equal(seen.html, HTML.replace("hot and good", "good"));
  assert.match(last(server, 2), /^And now\?\n\n<document>\n[^]*\n2: A leaf that is good\.\n[^]*\nCursor: line 2, after "A l"\n<\/document>$/);
  assert.deepEqual(seen.roles, ["user", "document", "assistant", "toolResult", "assistant", "user", "document", "assistant"]);
});
