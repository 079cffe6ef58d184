// The harness detects what it promises to detect.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listen, openPage } from "./harness.mjs";

const html = (body) => (request, response) => {
  if (request.url !== "/") return response.writeHead(204).end();
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>t</title>${body}`);
};
const ended = (page) => page.waitForFunction("window.done");

test("a quiet page has no problems", async (t) => {
  const { url } = await listen(html("<script>window.done = true</script>"));
  const page = await openPage(t, url);
  await ended(page);
  assert.deepEqual(page.problems, []);
});

test("console errors, thrown errors and rejected promises are problems", async (t) => {
  const { url } = await listen(
    html(`<script>
      console.error("said");
      setTimeout(() => { throw new Error("thrown away"); });
      Promise.reject(new Error("never caught"));
      setTimeout(() => { window.done = true; }, 50);
    </script>`),
  );
  const page = await openPage(t, url, { expected: [/said/, /thrown away/, /never caught/] });
  await ended(page);
  for (const pattern of [/^console: said/, /^thrown: .*thrown away/, /^thrown: .*never caught/]) {
    assert.ok(page.problems.some((problem) => pattern.test(problem)), `${pattern} in ${page.problems}`);
  }
});

test("a page cannot reach the outside, by name or by number", async (t) => {
  const { url } = await listen(
    html(`<script>
      const reached = (address) => fetch(address, { mode: "no-cors" }).then(() => true, () => false);
      Promise.all([reached("https://example.com/a"), reached("http://192.0.2.1/b")]).then((all) => { window.done = all; });
    </script>`),
  );
  const page = await openPage(t, url, { expected: [/./] });
  await ended(page);
  assert.deepEqual(await page.evaluate("window.done"), [false, false]);
  const outside = page.problems.filter((problem) => problem.startsWith("outside:"));
  assert.deepEqual(outside.sort(), ["outside: GET http://192.0.2.1/b", "outside: GET https://example.com/a"]);
});
