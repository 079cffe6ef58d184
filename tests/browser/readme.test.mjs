// The lines that the README shows are lines that work: they are taken out of it and run.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { LLMock } from "@copilotkit/aimock";
import { buildPage, openPage, root, serve } from "./harness.mjs";

const readme = readFileSync(join(root, "README.md"), "utf8");

/** The first block of a language after a heading. */
function block(heading, language) {
  const [, code] = new RegExp(`## ${heading}\\n[^]*?\`\`\`${language}\\n([^]*?)\`\`\``).exec(readme) ?? [];
  assert.ok(code, `the README has a block of ${language} under "${heading}"`);
  return code;
}

test("the README's lines put the agent into a page of one's own, in 15 lines", async (t) => {
  const code = block("In your own page", "js");
  assert.ok(code.trimEnd().split("\n").length <= 15);
  const dir = join(root, "tests/browser/.built/readme-page");
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "main.js"), `${code}\nwindow.done = true;\n`);
  const html = '<!doctype html><link rel="icon" href="data:,"><div id="page"></div><p id="answer"></p><script type="module" src="./main.js"></script>';
  writeFileSync(join(dir, "index.html"), html);

  const mock = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  const write = (id, args) => ({ toolCalls: [{ id, name: "update_section", arguments: JSON.stringify(args) }] });
  const answers = [
    write("c1", { operation: "replace", sectionIndex: 0, title: "Tea", content: "<p>A leaf.</p>" }),
    write("c2", { operation: "append", title: "History", content: "<p>Long.</p>" }),
    { content: "Written." },
  ];
  mock.on({ predicate: () => true }, () => answers.shift());
  await mock.start();
  t.after(() => mock.stop());

  let authorization;
  const { url } = await serve(await buildPage(dir));
  const page = await openPage(t, url, {
    async prepare(page) {
      page.on("dialog", (dialog) => dialog.accept("sk-from-the-person"));
      // The provider's address is the real one; its answers come from the mock server.
      await page.route("https://api.openai.com/v1/chat/completions", async (route) => {
        authorization = route.request().headers().authorization;
        const headers = { authorization, "content-type": "application/json" };
        const body = route.request().postData();
        const answer = await fetch(`${mock.url}/v1/chat/completions`, { method: "POST", headers, body });
        const allowed = { "access-control-allow-origin": "*", "content-type": answer.headers.get("content-type") };
        await route.fulfill({ status: answer.status, headers: allowed, body: await answer.text() });
      });
    },
  });
  await page.waitForFunction(() => window.done);
  assert.equal(await page.innerHTML("#page .tiptap"), "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Long.</p>");
  assert.equal(await page.textContent("#answer"), "Written.");
  assert.equal(authorization, "Bearer sk-from-the-person");
  const [first] = mock.getRequests();
  assert.equal(first.body.messages.at(-1).content, "Write an article about tea with three chapters and a picture");
});

test("every error code is in the README's table, and every code there exists", () => {
  const source = readFileSync(join(root, "src/error/codes.rs"), "utf8");
  const inSource = [...source.matchAll(/Error::\w+(?: \{ \.\. \})? => "(\w+)",/g)].map(([, code]) => code);
  const [, table] = /### Errors\n([^]*?)\n\n[^|]/.exec(readme);
  const inTable = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  assert.ok(inSource.length > 30);
  assert.deepEqual(inTable.sort(), [...new Set(inSource), "not_loaded", "wasm_load"].sort());
});
