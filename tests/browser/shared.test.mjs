// Two editors on one shared document: an agent edits in one, users type in both.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";
import { roomServer } from "./room-server.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? 1);

const open = opener("edits");

test("edits of the agent and typing in the other editor both survive a slow connection, and the editors converge", async (t) => {
  const page = await open(t);
  t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
  const { wrong, said } = await page.evaluate((seed) => together(seed, 60), SEED);
  assert.equal(wrong, null, JSON.stringify(wrong, null, 1));
  t.diagnostic(JSON.stringify(said));
  assert.ok(said.applied > 60, `${said.applied} edits were made`);
});

test("through a server: the agent's edit and a collaborator's typing merge, and one undo reverts only the edit", async (t) => {
  const { url } = await roomServer(t);
  const [agent, user] = [await open(t), await open(t)];
  for (const page of [agent, user]) await page.evaluate((url) => sharedBy(url, "tea"), url);
  const html = (page) => page.evaluate(() => shared.editor.getHTML());
  const both = async (expected) => {
    for (const page of [agent, user]) {
      await page.waitForFunction((expected) => shared.editor.getHTML() === expected, expected, { timeout: 10_000 }).catch(() => {});
      assert.equal(await html(page), expected);
    }
  };
  await agent.evaluate(() => void shared.editor.commands.setContent("<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>"));
  await both("<p>Tea is old.</p><p>One leaf.</p><p>A cup.</p>");

  // Separate cases: the agent edits one line, the user types in the same and in another.
  await agent.evaluate(() => shared.offline());
  const calls = [["edit_current_editor_document", { start_line: 1, end_line: 1, content: "Tea is young.", format: "text" }]];
  assert.deepEqual(await agent.evaluate((calls) => shared.agent(calls), calls), ["applied", "applied"]);
  await user.click("#page p >> text=Tea is");
  await user.keyboard.press("Home");
  await user.keyboard.type("My ");
  await user.click("#page p >> text=A cup");
  await user.keyboard.press("End");
  await user.keyboard.type(" Yes.");
  assert.equal(await html(user), "<p>My Tea is old.</p><p>One leaf.</p><p>A cup. Yes.</p>");
  await agent.evaluate(() => shared.online());
  await both("<p>My Tea is young.</p><p>One leaf.</p><p>A cup. Yes.</p>");

  await agent.evaluate(() => void shared.editor.commands.undo());
  await both("<p>My Tea is old.</p><p>One leaf.</p><p>A cup. Yes.</p>");
  for (const page of [agent, user]) await page.evaluate(() => shared.close());
});
