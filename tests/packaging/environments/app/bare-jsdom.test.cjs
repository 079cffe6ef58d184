const { init } = require("copydesk");

test("init says what this environment lacks and what to use", async () => {
  const error = await init().catch((error) => error);
  expect(error.code).toBe("wasm_load");
  expect(error.message).toMatch(/jest-fixed-jsdom/);
});

test("the other way out that it names works", async () => {
  Object.assign(globalThis, require("node:util"));
  const { Document } = require("copydesk");
  await init();
  expect(Document.fromHTML("<p>a</p>").toHTML()).toBe("<p>a</p>");
});
