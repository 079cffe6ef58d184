// Results of MCP tools, as a model is shown them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toolResult } from "../../pkg/mcp/result.js";

const seed = Number(process.env.COPYDESK_SEED ?? Date.now() % 2 ** 31);
let state = seed;
const below = (limit) => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % limit;

function value(depth = 0) {
  switch (below(depth > 2 ? 4 : 6)) {
    case 0:
      return below(100);
    case 1:
      return [true, false, null][below(3)];
    case 2:
    case 3:
      return ["tea", 'a "quote"', "<b>", "茶\n"][below(4)];
    case 4:
      return Array.from({ length: below(3) }, () => value(depth + 1));
    default:
      return Object.fromEntries(Array.from({ length: below(4) }, (_, at) => [`m${at}`, value(depth + 1)]));
  }
}

/** The same value with the members of objects in another order. */
function shuffled(given) {
  if (Array.isArray(given)) return given.map(shuffled);
  if (typeof given !== "object" || given === null) return given;
  return Object.fromEntries(Object.entries(given).reverse().map(([name, member]) => [name, shuffled(member)]));
}

const text = (given) => ({ type: "text", text: given });
const shown = (content, structuredContent) => toolResult({ content, structuredContent }).content.map((part) => part.text);

test(`a value that is structured and text is shown once (COPYDESK_SEED=${seed})`, () => {
  for (let run = 0; run < 500; run++) {
    const given = value();
    const object = { members: given, more: below(3) };
    const written = JSON.stringify(shuffled(object), null, below(2) * 2);
    assert.deepEqual(shown([text(written)], object), [written]);
    // A value that is no object is the only member of one.
    const plain = typeof given === "string" ? given : JSON.stringify(given);
    assert.deepEqual(shown([text(plain)], { result: given }), [plain]);
    // A list as one text for each item.
    const items = Array.from({ length: 2 + below(3) }, () => value());
    const texts = items.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
    assert.deepEqual(shown(texts.map(text), { result: items }), texts);
  }
});

test("a value that the text does not state is shown beside it", () => {
  const cases = [["It is 21 °C.", { degrees: 21 }], ['{"degrees":22}', { degrees: 21 }], ["21", { degrees: 21, unit: "C" }], ["", { result: "x" }]];
  for (const [said, structured] of cases) assert.deepEqual(shown([text(said)], structured), [said, JSON.stringify(structured)]);
  assert.deepEqual(shown([], { degrees: 21 }), ['{"degrees":21}']);
});
