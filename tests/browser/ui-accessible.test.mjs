// axe finds nothing in the states of the elements, in both themes, languages and directions; nothing overflows from 320 px
// on, and targets are large enough.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { begin, call, chunk, status } from "./model.mjs";
import { ask, ended, openUi } from "./ui-page.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const edits = [
  call("c-1", "replace_text", { old: "old drink", new: "very old drink" }),
  call("c-2", "update_section", { operation: "append", title: "Taste", content: "<p>Bitter.</p>" }),
  call("c-3", "update_section", { operation: "delete", sectionIndex: 2 }),
];

/** The states of the page: each is opened with answers of a model, and made by what a user does. */
const STATES = {
  "no conversation": { make: (page) => page.waitForSelector(".suggestion") },
  working: {
    answers: [(response) => void begin(response).write(chunk({ content: "I am **reading** it, see https://example.org" }))],
    expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/],
    make: async (page) => {
      await ask(page, "Improve this");
      await page.waitForSelector(".assistant-message");
      await ask(page, "And shorten it, as it is far too long for a line of this width, is it not?");
      await page.waitForSelector(".queue-item");
    },
  },
  reviewing: {
    answers: [{ calls: edits }, { say: "Done:\n\n1. one\n2. two\n\n```\ncode\n```", usage: { prompt_tokens: 900, completion_tokens: 90, total_tokens: 990 } }],
    make: async (page) => {
      await ask(page, "Improve this");
      await ended(page);
      for (const head of await page.locator(".row-head").all()) await head.click();
      await page.click(".row-reject >> nth=0");
      await page.waitForSelector('.row[data-review="rejected"]');
    },
  },
  approval: {
    answers: [{ calls: [edits[2]] }],
    make: async (page) => {
      await page.selectOption(".mode-select", "ask");
      await ask(page, "Delete the kinds");
      await page.waitForSelector(".row-approval");
    },
  },
  failure: {
    answers: [status(401)],
    expected: [/401/],
    make: async (page) => {
      await ask(page, "Write");
      await page.waitForSelector(".failure button");
    },
  },
  attachments: {
    answers: [{ say: "Yes." }],
    make: async (page) => {
      await page.evaluate(() => element.controller.attach({ kind: "section", number: 1 }, { kind: "text", name: "notes-with-a-long-name-that-does-not-fit.md", text: "Green tea." }));
      await ask(page, "Can you read?");
      await ended(page);
      await page.evaluate(() =>
        element.controller.attach({ kind: "section", number: 1 }, { kind: "text", name: "notes-with-a-long-name-that-does-not-fit.md", text: "Green tea." }, new File([new Uint8Array([0, 1])], "book.docx")),
      );
      await page.waitForSelector(".attachment-error");
      await page.click(".attach");
      await page.waitForSelector(".attachables:popover-open");
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
  "editing a message": {
    answers: [{ say: "Yes." }],
    make: async (page) => {
      await ask(page, "Can you write?");
      await ended(page);
      await page.hover(".run");
      await page.click(".edit");
    },
  },
  outline: {
    answers: [{ calls: edits.slice(1) }, { say: "Done." }],
    make: async (page) => {
      await ask(page, "Improve this");
      await ended(page);
      await page.evaluate(() => showPanel("outline", { editor }));
      await page.waitForSelector(".outline-list .deleted");
    },
  },
  comments: {
    make: async (page) => {
      await page.evaluate(() => {
        const { comments } = editor.storage;
        const [first, second, third] = [14, 30, 40].map((from) => comments.create({ from, to: from + 6 }, { text: "Which-one-is-it-that-has-no-space-in-it-at-all-or-so?" }));
        comments.reply(first, { text: "The old one.", author: { kind: "agent", name: "Assistant" } });
        comments.resolve(second);
        editor.commands.deleteRange(comments.threads().find(({ id }) => id === third).range);
        editor.commands.selectComment(first);
        editor.commands.setTextSelection({ from: 14, to: 24 });
        return showPanel("comments", { editor });
      });
      await page.click("copydesk-comments summary");
      await page.waitForSelector("copydesk-comments [part=reopen]:visible");
    },
  },
  authorship: {
    make: async (page) => {
      await page.evaluate(() => showAuthorship());
      await page.click("copydesk-authorship summary");
      await page.check("copydesk-authorship [part=shown]");
      await page.waitForSelector(".copydesk-authored");
    },
  },
  room: {
    make: async (page) => {
      await page.evaluate(() => showRoom());
      await page.waitForSelector("copydesk-room [part=participant]");
    },
  },
  settings: {
    make: async (page) => {
      await page.evaluate(() => showPanel("settings", { settings: { ...settingsOf(), modelId: "", baseUrl: "x", web: "tavily", images: "unsplash", temperature: "9" } }));
      await page.click("copydesk-settings [part=save]");
      await page.waitForSelector("copydesk-settings [part=problem]:visible");
    },
  },
  skills: {
    make: async (page) => {
      await page.evaluate(() => {
        const skill = { name: "house-style", description: "Use it for articles.", content: "Be brief.", files: ["form.md"], trusted: false };
        const sources = ["tips", "own", "off"].map((id) => ({ id, source: `https://git.example.org/ann/${id}`, enabled: id !== "off" }));
        const state = (id, more) => ({ id, source: "s", origin: `https://git.example.org/a-long-name-of-a-group/${id}`, skills: [], warnings: [], isStored: true, ...more });
        const states = [
          state("tips", { state: "ready", skills: [skill], warnings: [{ code: "w", message: "One file was skipped." }] }),
          state("own", { state: "failed", error: { code: "e", message: "It cannot be reached." } }),
        ];
        return showPanel("skills", { sources, states });
      });
      await page.click("copydesk-skills summary");
      await page.click("copydesk-skills [part=add]");
      await page.click("copydesk-skills [part=save]");
      await page.waitForSelector("[part=form] [role=alert]");
    },
  },
  servers: {
    make: async (page) => {
      await page.evaluate(() => {
        const tool = { name: "a__sum", tool: "sum", title: "Get Sum", description: "Adds two numbers.", inputSchema: {}, needsApproval: true };
        const servers = { a: { url: "https://tools.example.org/mcp", headers: { Authorization: "Bearer k" } }, b: { url: "https://b.example/mcp" } };
        const states = [
          { name: "a", state: "ready", protocolVersion: "2025-11-25", tools: [tool, { ...tool, name: undefined }] },
          { name: "b", state: "failed", tools: [], error: { code: "e", message: "It cannot be reached." } },
        ];
        return showPanel("servers", { servers, states });
      });
      await page.click("copydesk-servers summary");
      await page.click("copydesk-servers [part=add]");
      await page.click("copydesk-servers summary >> text=/^(More|更多)$/");
      await page.click("copydesk-servers [part=save]");
      await page.waitForSelector("[part=form] [role=alert]");
    },
  },
  rules: {
    make: async (page) => {
      await page.evaluate(() => {
        const rules = [{ id: "a", text: "Write British English." }, { id: "b", text: "Be brief.", enabled: false }];
        const files = [{ path: "AGENTS.md", text: "Be kind.", consent: "given" }, { path: ".rules/a.md", text: "Be loud.", consent: "asked" }];
        return showPanel("rules", { rules, files });
      });
      await page.click("copydesk-rules [part=menu] >> nth=1");
      await page.waitForSelector(".popup:popover-open");
    },
  },
  checks: {
    make: async (page) => {
      await page.evaluate(async () => showPanel("checks", { workspace: await createWorkspace() }));
      await page.click("copydesk-checks [part=run]");
      await page.waitForSelector(".finding");
    },
  },
  search: {
    make: async (page) => {
      await page.evaluate(async () => showPanel("search", { workspace: await createWorkspace() }));
      await page.fill("#pattern", "tin");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".result");
    },
  },
  files: {
    make: async (page) => {
      await page.evaluate(async () => showPanel("files", { workspace: await createWorkspace(), current: "notes/plan.md" }));
      await page.waitForSelector(".file");
      await page.click("[part=create]");
      await page.fill("#path", "../x");
      await page.keyboard.press("Enter");
      await page.waitForSelector("#path-problem:visible");
    },
  },
  versions: {
    make: async (page) => {
      await page.evaluate(async () => {
        const workspace = await createWorkspace();
        for (const text of ["One.\n", "Two words.\n", "Three words more.\n"]) await workspace.write("notes/plan.md", text);
        await showPanel("versions", { workspace, path: "notes/plan.md" });
      });
      await page.click(".more-versions");
      await page.click(".version >> nth=-1");
      await page.waitForSelector("copydesk-diff ins");
    },
  },
  "menu at a selection": {
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.waitForSelector("copydesk-selection-menu .copydesk-action");
    },
  },
};

const brief = ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary.replace(/\s+/g, " ")}`).join("\n")}`;

/** Returns the buttons and fields, in all shadow trees, that are smaller than 24 px or out of the window. */
const misplaced = (page) =>
  page.evaluate(() => {
    const found = [];
    const look = (root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) look(element.shadowRoot);
        if (!element.matches("button, select, textarea, summary, input:not([type=radio], [type=checkbox])") || !element.checkVisibility({ visibilityProperty: true })) continue;
        const { width, height, left, right } = element.getBoundingClientRect();
        // A menu scrolls.
        if (element.closest(".copydesk-menu")) continue;
        if (width < 24 || height < 24 || left < 0 || right > innerWidth) found.push(`${element.className} ${Math.round(width)}×${Math.round(height)} at ${Math.round(left)}–${Math.round(right)}`);
      }
    };
    look(document);
    return found;
  });

const PAGES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "Chinese, narrow": { viewport: { width: 320, height: 800 }, lang: "zh-CN" },
  "right to left, wide": { viewport: { width: 1920, height: 1000 }, dir: "rtl" },
};

for (const [name, { answers = [], make, expected = [] }] of Object.entries(STATES)) {
  for (const [look, { lang, dir, ...options }] of Object.entries(PAGES)) {
    test(`axe finds nothing: ${name}, ${look}`, async (t) => {
      const prepare = (page) =>
        page.addInitScript(
          ([lang, dir]) => document.addEventListener("DOMContentLoaded", () => Object.assign(document.documentElement, { ...(lang ? { lang } : {}), ...(dir ? { dir } : {}) })),
          [lang, dir],
        );
      const { page } = await openUi(t, answers, { reducedMotion: "reduce", expected, prepare, ...options });
      await make(page);
      await page.evaluate(axe);
      const { violations, passes } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      assert.ok(passes.length > 10, "axe has looked at the page");
      assert.deepEqual(violations.map(brief), []);
      assert.deepEqual(await misplaced(page), []);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing scrolls sideways");
      if (process.env.COPYDESK_SHOTS) await page.screenshot({ path: `${process.env.COPYDESK_SHOTS}/${name} ${look}.png`.replaceAll(" ", "-") });
    });
  }
}
