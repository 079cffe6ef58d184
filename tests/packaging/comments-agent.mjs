// Editors and agents for the tests of comments.
import assert from "node:assert/strict";
import { Agent } from "../../pkg/index.js";
import { llmConfigOf, model } from "./route-server.mjs";

/** Returns the range of a text. */
export function placeOf(editor, text) {
  let found;
  editor.state.doc.descendants((node, at) => {
    const index = node.isText ? node.text.indexOf(text) : -1;
    if (index >= 0) found ??= at + index;
  });
  return { from: found, to: found + text.length };
}

/** Runs an agent that makes these calls, one in each answer, and returns the requests to the model. */
export async function run(t, editor, calls, options = {}) {
  const llm = await model(t, [...calls.map((one) => ({ calls: [one] })), { say: "Done." }]);
  const agent = new Agent({ document: editor, llmConfig: llmConfigOf(llm), ...options });
  const { status, error } = await agent.prompt("Address the comments");
  assert.equal(status, "complete", error?.message);
  agent.dispose();
  return llm.requests;
}
