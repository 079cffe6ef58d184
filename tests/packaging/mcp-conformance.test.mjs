// A part of the conformance suite of MCP; `cargo xtask conformance` runs every scenario.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ERAS, play, scenarios } from "../conformance/suite.mjs";

const QUICK = ["tools_call", "elicitation-sep1034-client-defaults", "request-metadata", "json-schema-ref-no-deref"];

test("the suite has scenarios of both eras", async () => {
  const all = await scenarios();
  for (const era of ERAS) assert.ok(all.filter(([one]) => one === era).length >= 5, era);
  for (const name of QUICK) assert.ok(all.some(([, one]) => one === name), name);
});

for (const era of ERAS) {
  test(`scenarios of ${era} pass`, async () => {
    const chosen = (await scenarios()).filter(([one, name]) => one === era && QUICK.includes(name));
    assert.ok(chosen.length >= 2);
    for (const [, name] of chosen) {
      const { passed, said } = await play(era, name);
      assert.ok(passed, `${name}\n${said}`);
    }
  });
}
