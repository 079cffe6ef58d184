// The document tools for agents outside of the page, called through the WebMCP of a real Chromium.
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, opener, openPage, servePage, theBrowser } from "./harness.mjs";

const SEED = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = Number(process.env.COPYDESK_WEBMCP ?? 12);
const FLAG = "--enable-experimental-web-platform-features";
/** Chromium says so of each execution that throws. */
const FAILED = /WebMCP tool execution failed/;

let withFlag;
const browser = () => (withFlag ??= launch("~NOTFOUND", [FLAG]));
const opened = opener("webmcp");
const open = async (t, options) => opened(t, { browser: await browser(), ...options });

const DOCUMENT = ["get_document", "read_lines", "edit_current_editor_document", "replace_text", "update_section", "insert_image", "move_section", "read_more"];
const TEA = "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Old.</p>";
const codeOf = (text) => JSON.parse(text).error?.code;

for (const mode of ["auto", "review"]) {
  for (const [guards, isGuarded] of [["no guards", false], ["guards", true]]) {
    test(`with ${guards} in mode ${mode}, outside calls have the results, hunks and undo steps of an agent's own`, async (t) => {
      t.diagnostic(`seed ${SEED}; COPYDESK_SEED sets another`);
      const page = await open(t);
      const seen = {};
      for (let round = 0; round < ROUNDS; round++) {
        const seed = SEED + round;
        const locale = round % 3 ? "en" : "zh-CN";
        const { difference, codes } = await page.evaluate(([seed, options]) => compare(seed, options), [seed, { mode, isGuarded, locale }]);
        assert.equal(difference, null, `seed ${seed}: ${JSON.stringify(difference, null, 1)}`);
        for (const [code, count] of Object.entries(codes)) seen[code] = (seen[code] ?? 0) + count;
      }
      t.diagnostic(JSON.stringify(seen));
      const expected = ["ok", "undone", "stale", "lines_not_shown", "section_not_shown", "text_not_found", "invalid_parameter", "missing_parameter", "url_not_allowed"];
      if (isGuarded) expected.push("locked", "would_drop");
      if (ROUNDS >= 12) for (const code of expected) assert.ok(seen[code] > 0, `${code} occurs`);
    });
  }
}
