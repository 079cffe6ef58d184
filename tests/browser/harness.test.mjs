// The harness detects what it promises to detect.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listen, openPage, theBrowser } from "./harness.mjs";
import { takeTab } from "./tabs.mjs";

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

/** Stores something in each way that a page has. */
const store = (page) =>
  page.evaluate(async () => {
    document.cookie = "stored=1; max-age=1000";
    localStorage.stored = sessionStorage.stored = window.stored = "1";
    await new Promise((done) => (indexedDB.open("stored", 1).onsuccess = done));
    await (await caches.open("stored")).put("/stored", new Response("1"));
    await (await navigator.storage.getDirectory()).getFileHandle("stored", { create: true });
    addEventListener("pagehide", () => (sessionStorage.left = localStorage.left = "1"));
  });
/** Returns what a page finds stored, and what else it sees of an earlier test. */
const found = (page) =>
  page.evaluate(async () => {
    const files = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
    const answer = await (await fetch("/answer")).text();
    return {
      stored: [...(document.cookie ? [document.cookie] : []), ...Object.keys(localStorage), ...Object.keys(sessionStorage), ...(await indexedDB.databases()), ...(await caches.keys()), ...files],
      globals: ["stored", "fromScript", "fromContext", "exposed", "bound"].filter((name) => name in window),
      answer,
      look: [innerWidth, matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion)").matches, matchMedia("print").matches],
    };
  });
const NOTHING = { stored: [], globals: [], answer: "served", look: [640, false, true, false] };

test("a tab that a test has used has nothing of it for the next", async (t) => {
  const { url } = await listen((request, response) => response.writeHead(200, { "content-type": "text/html" }).end(request.url === "/answer" ? "served" : "<!doctype html><p>p"));
  const options = { viewport: { width: 640, height: 480 }, reducedMotion: "reduce" };
  const first = await takeTab(await theBrowser(), options);
  const { page } = first;
  const context = page.context();
  const events = [];
  await page.addInitScript(() => (window.fromScript = 1));
  await context.addInitScript(() => (window.fromContext = 1));
  await page.exposeFunction("exposed", () => 1);
  await context.exposeBinding("bound", () => 1);
  for (const target of [page, context]) await target.route("**/answer", (route) => route.fulfill({ body: "routed" }));
  for (const name of ["request", "console"]) page.on(name, () => events.push(name));
  await page.goto(url);
  await page.setViewportSize({ width: 800, height: 600 });
  await page.emulateMedia({ media: "print", colorScheme: "dark", reducedMotion: "no-preference" });
  await page.mouse.move(20, 20);
  await store(page);
  const other = await context.newPage();
  const seen = await found(page);
  assert.equal(seen.stored.length, 6, JSON.stringify(seen));
  assert.deepEqual({ ...seen, stored: [] }, { stored: [], globals: ["stored", "fromScript", "fromContext", "exposed", "bound"], answer: "routed", look: [800, true, false, true] });
  await first.giveBack();

  const second = await takeTab(await theBrowser(), options);
  t.after(() => second.giveBack());
  assert.ok(second.page === page, "it is the same tab");
  assert.ok(other.isClosed());
  events.length = 0;
  await page.goto(url);
  assert.deepEqual(await found(page), NOTHING);
  await page.evaluate(() => {
    addEventListener("mousedown", ({ clientX, clientY }) => (window.pressed = [clientX, clientY]));
    console.log("said");
  });
  await page.mouse.down();
  assert.deepEqual(await page.evaluate("pressed"), [0, 0], "where the pointer of a new tab is");
  assert.deepEqual(events, []);
});

test("a tab is not used again with other options, nor after a change that lasts", async (t) => {
  const options = { viewport: { width: 641, height: 480 } };
  const changes = [
    (page) => page.close(),
    (page) => page.context().newCDPSession(page),
    (page) => page.context().setOffline(true),
    (page) => page.context().grantPermissions(["notifications"]),
    (page) => page.setExtraHTTPHeaders({ "x-test": "1" }),
    (page) => page.keyboard.down("Shift"),
    (page) => page.mouse.down(),
    (page) => page.clock.setFixedTime(0),
    (page) => page.context().clock.setFixedTime(0),
  ];
  const pages = new Set();
  for (const change of changes) {
    const tab = await takeTab(await theBrowser(), options);
    pages.add(tab.page);
    await change(tab.page);
    await tab.giveBack();
    assert.ok(tab.page.isClosed(), change.toString());
  }
  assert.equal(pages.size, changes.length);
  const last = await takeTab(await theBrowser(), options);
  await last.giveBack();
  const others = await takeTab(await theBrowser(), { ...options, locale: "fr" });
  t.after(() => others.giveBack());
  assert.ok(others.page !== last.page);
});
