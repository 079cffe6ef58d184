// axe finds nothing in the states of the demo, in the light and the dark theme.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { everything } from "../mcp/servers.mjs";
import { ask, ended, frames, openDemo, openSettings } from "./demo-page.mjs";
import { begin, call, chunk, model, status } from "./model.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const at = (server) => `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m`;
const ARTICLE =
  '<h1>Tea</h1><p>About tea, with <a href="https://example.org">a link</a> and <code>code</code>.</p><h2>History</h2><p>Tea is an old drink of the south.</p>' +
  "<ul><li><p>green</p></li><li><p>black</p></li></ul><h2>Kinds</h2><table><tbody><tr><th><p>Kind</p></th></tr><tr><td><p>Green</p></td></tr></tbody></table><h2>Trade</h2><p>By sea.</p>";
const setContent = (page) => page.evaluate((html) => document.querySelector(".tiptap").editor.commands.setContent(html), ARTICLE);
const edits = [
  call("c-1", "replace_text", { old: "old drink", new: "very old drink" }),
  call("c-2", "update_section", { operation: "append", title: "Taste", content: "<p>Bitter.</p><ul><li><p>sweet</p></li></ul>" }),
  call("c-3", "update_section", { operation: "delete", sectionIndex: 2 }),
];

/** The states of the page: each is opened with answers of a model, and made by what a user does. */
const STATES = {
  "empty document": { make: (page) => page.waitForSelector(".welcome") },
  "document, no conversation": {
    make: async (page) => {
      await setContent(page);
      await page.waitForSelector(".outline-entry >> nth=2");
    },
  },
  working: {
    answers: [{ calls: [call("c-0", "read_section", { sectionIndex: 1 })] }, (response) => void begin(response).write(chunk({ content: "I am **reading** it" }))],
    // The server is closed before the answer has ended.
    expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/],
    make: async (page) => {
      await setContent(page);
      await ask(page, "Improve this");
      await page.waitForSelector(".assistant-message");
      await ask(page, "And shorten it");
      await page.waitForSelector(".queue-item");
    },
  },
  reviewing: {
    answers: [{ calls: edits }, { say: "Done." }],
    make: async (page) => {
      await setContent(page);
      await ask(page, "Improve this");
      await ended(page);
      for (const head of await page.locator(".row-head").all()) await head.click();
      await page.click(".row-review button >> text=Reject");
      await page.click(".copydesk-next");
      await page.waitForSelector(".copydesk-current");
    },
  },
  settings: {
    make: async (page) => {
      await openSettings(page);
      for (const details of await page.locator("dialog details").all()) await details.evaluate((element) => (element.open = true));
    },
  },
  "list of conversations": {
    answers: [{ say: "Yes." }],
    make: async (page) => {
      await ask(page, "Can you write?");
      await ended(page);
      await page.click(".conversation-title");
      await page.waitForSelector(".conversations:popover-open");
    },
  },
  "files and versions": {
    make: async (page) => {
      await page.click("#tab-files");
      await page.click(".sample-offer button");
      await page.waitForSelector(".file-bar:not([hidden])");
      await page.evaluate(() => document.querySelector("copydesk-files").workspace.write("chapters/ch002.md", "# Two\n\nOther.\n"));
      await page.click("copydesk-files .button >> text=New file");
      await page.fill(".path-form input", "../x");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".path-form .problem:not([hidden])");
    },
  },
  "versions of a file": {
    make: async (page) => {
      await page.click("#tab-files");
      await page.click(".sample-offer button");
      await page.waitForSelector(".file-bar:not([hidden])");
      await page.evaluate(() => document.querySelector("copydesk-files").workspace.write("chapters/ch002.md", "# Two\n\nOther.\n"));
      await page.click(".file-row:nth-child(2) .menu > button");
      await page.click(".popup:popover-open >> text=Versions");
      await page.click(".more-versions");
      await page.click(".version >> nth=-1");
      await page.waitForSelector("copydesk-versions .diff");
    },
  },
  "search and checks": {
    make: async (page) => {
      await page.click("#tab-files");
      await page.click(".sample-offer button");
      await page.waitForSelector(".file-bar:not([hidden])");
      await page.click("#tab-search");
      await page.fill("copydesk-search input[type=search]", "lamp");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".result");
      await page.click("#tab-checks");
      await page.click("copydesk-checks [part=run]");
      await page.waitForSelector(".finding");
    },
  },
  "conflict of a file": {
    make: async (page) => {
      await page.click("#tab-files");
      await page.click(".sample-offer button");
      await page.waitForSelector(".file-bar:not([hidden])");
      await page.click(".tiptap > p >> nth=0");
      // In one task, or what was typed may be saved before the file changes.
      await page.evaluate(() => {
        document.execCommand("insertText", false, "Mine. ");
        return document.querySelector("copydesk-files").workspace.write("chapters/ch001.md", "# One\n\nTheirs.\n");
      });
      await page.click('[data-notice="file"] button >> nth=0');
      await page.waitForSelector("dialog.conflict[open]");
    },
  },
  "skills, servers and rules": {
    answers: [{ calls: [call("c-0", "local__echo", { message: "tea" })] }],
    // The client asks for the newer era first; there is no skill, and connections end with the server.
    expected: [/40[045]|CORS|ERR_/],
    make: async (page, t) => {
      const { url } = await everything(t);
      await page.click("#tab-assistant");
      for (const rule of ["Write British English.", "Be brief."]) {
        await page.click("copydesk-rules [part=add]");
        await page.keyboard.type(rule);
      }
      await page.uncheck("copydesk-rules input >> nth=1");
      await page.click("copydesk-skills .button >> text=Add a skill");
      await page.keyboard.type("/images/none");
      await page.keyboard.press("Enter");
      await page.waitForSelector('copydesk-skills [data-state="failed"]');
      await page.click("copydesk-servers .button >> text=Add a server");
      await page.keyboard.type(url);
      await page.keyboard.press("Enter");
      await page.waitForSelector('copydesk-servers [data-state="ready"]');
      await page.click("copydesk-servers summary >> text=tools");
      await page.selectOption("copydesk-servers select", "always");
      await page.waitForSelector('copydesk-servers [data-state="ready"]');
      await ask(page, "Echo tea");
      await page.waitForSelector('.row[data-state="approval"]');
      await page.click(".run-setup summary");
      await page.click("copydesk-servers .button >> text=Add a server");
      await page.keyboard.type("no URL");
      await page.keyboard.press("Enter");
      await page.waitForSelector("copydesk-servers .problem[role=alert]:not([hidden])");
    },
  },
  "failure and notice": {
    answers: [status(401)],
    expected: [/401/],
    prepare: (page) => page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: undefined })),
    make: async (page) => {
      await page.waitForSelector('[data-notice="storage"]');
      await ask(page, "Write");
      await page.waitForSelector(".failure button");
    },
  },
};

const brief = ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary.replace(/\s+/g, " ")}`).join("\n")}`;

/** The themes, with what axe looks at in them: in the dark one the elements are the same, and their colors are not. */
const THEMES = { light: {}, dark: { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } } };

for (const [name, { answers = [], make, ...options }] of Object.entries(STATES)) {
  test(`axe finds nothing: ${name}`, async (t) => {
    const server = await model(t, answers);
    const page = await openDemo(t, { mode: "review", reducedMotion: "reduce", ...(answers.length ? { search: at(server) } : {}), ...options });
    await make(page, t);
    await page.evaluate(axe);
    for (const [colorScheme, rules] of Object.entries(THEMES)) {
      await page.emulateMedia({ colorScheme });
      await frames(page);
      const { violations, passes } = await page.evaluate((rules) => axe.run(document, { resultTypes: ["violations"], ...rules }), rules);
      assert.ok(passes.length > (rules.runOnly ? 0 : 10), "axe has looked at the page");
      assert.deepEqual(violations.map(brief), [], colorScheme);
    }
  });
}
