// The states of the elements of copydesk/ui: each is opened with answers of a model, and made by what a user does.
import { answer, begin, call, chunk, status } from "./model.mjs";
import { ask, ended } from "./ui-page.mjs";

/** The elements, without `copydesk-`. */
export const ELEMENTS = ["assistant", "conversation", "composer", "tool-row", "approval", "review-bar", "selection-menu", "outline", "comments", "settings", "skills", "servers", "rules", "checks", "search", "files", "versions", "diff", "authorship", "room", "find"];

const edits = [
  call("c-1", "replace_text", { old: "old drink", new: "very old drink" }),
  call("c-2", "update_section", { operation: "append", title: "Taste", content: "<p>Bitter.</p>" }),
  call("c-3", "update_section", { operation: "delete", sectionIndex: 2 }),
];

export const STATES = {
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
  "find and replace": {
    make: async (page) => {
      await page.evaluate(() => showFind({ replace: true }));
      await page.fill("copydesk-find input >> nth=0", "tea");
      await page.click("copydesk-find [part=toggle] >> nth=1");
      await page.waitForSelector(".find-match");
      await page.click("copydesk-find [part=replace-all]");
      await page.fill("copydesk-find input >> nth=0", "green and black tea that is not there at all");
    },
  },
  "matches of find and replace": {
    make: async (page) => {
      await page.evaluate(() => showFind());
      await page.evaluate(() => searched.storage.copydesk.document.apply({ operation: "replace_text", old: "old drink", new: "tea, old" }));
      await page.fill("copydesk-find input >> nth=0", "tea");
      await page.waitForSelector(".find-current");
      await page.waitForFunction(() => /2/.test(panel.shadowRoot.querySelector(".find-status").textContent));
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
  "menu of a file": {
    make: async (page) => {
      await page.evaluate(async () => showPanel("files", { workspace: await createWorkspace() }));
      await page.click("[part=menu] >> nth=1");
      await page.waitForSelector(".popup:popover-open");
    },
  },
  "a comparison": {
    make: async (page) => {
      await page.evaluate(() => showPanel("diff", { oldText: "Green tea.\n\n".repeat(9) + "One line.", newText: "Green tea.\n\n".repeat(9) + "Another line, which is long.", label: "Tea" }));
      await page.waitForSelector("copydesk-diff ins");
    },
  },
  "a question at a selection": {
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.click("copydesk-selection-menu .copydesk-ask");
      await page.waitForSelector("copydesk-selection-menu .copydesk-field");
    },
  },
  "an answer at a selection": {
    answers: [{ say: "It is old: it was first drunk in the south, where the plant grows, and came to the north later." }],
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.click("copydesk-selection-menu .copydesk-ask");
      await page.fill("copydesk-selection-menu .copydesk-field", "Why?");
      await page.keyboard.press("Enter");
      await page.waitForSelector("copydesk-selection-menu .copydesk-close");
    },
  },
  "nothing in the panels": {
    make: (page) =>
      page.evaluate(async () => {
        const workspace = await createWorkspace({});
        const given = { outline: { editor: edit("", { element: document.createElement("div") }) }, comments: { editor }, skills: { sources: [] }, servers: { servers: {} }, rules: { rules: [] }, checks: { workspace }, search: { workspace }, files: { workspace }, versions: { workspace, path: "none.md" }, diff: { oldText: "a", newText: "a", label: "Tea" } };
        const all = Object.entries(given).map(([name, properties]) => Object.assign(document.createElement(`copydesk-${name}`), properties));
        document.querySelector("aside").replaceChildren(...all);
        await Promise.all(all.map(({ updateComplete }) => updateComplete));
        await all[4].updateComplete;
        await all[5].check?.();
      }),
  },
  "elements without their properties": {
    make: (page) =>
      page.evaluate((names) => {
        const note = () => Object.assign(document.createElement("p"), { slot: "missing", textContent: "Nothing is open." });
        document.querySelector("aside").replaceChildren(...names.map((name) => Object.assign(document.createElement(`copydesk-${name}`))));
        for (const one of document.querySelectorAll("aside > *")) one.append(note());
        // It scrolls, and nothing in it has the focus.
        document.querySelector("aside").tabIndex = 0;
      }, ELEMENTS),
  },
  "disabled, offline, without storage": {
    answers: [{ calls: edits.slice(0, 1) }, { say: "Done." }],
    make: async (page) => {
      await page.evaluate(() => (element.storage = { load: async () => [], remove: async () => {}, save: async () => { throw new StorageError("full"); } }));
      await ask(page, "Improve this");
      await ended(page);
      await page.waitForSelector(".storage-notice");
      await page.evaluate(() => {
        Object.defineProperty(navigator, "onLine", { value: false });
        dispatchEvent(new Event("offline"));
        element.disabled = true;
      });
      await page.waitForSelector(".offline-notice");
    },
  },
  "the agent cannot be loaded": {
    expected: [/ERR_FAILED|wasm/i],
    make: async (page) => {
      await page.route(/\.wasm/, (route) => route.abort());
      await page.reload();
      await page.waitForSelector(".load-failure button");
    },
  },
  "parts of the page's own": {
    make: async (page) => {
      await page.evaluate(() => {
        element.models = ["small", "large"].map((id) => ({ id, name: `A ${id} model`, llmConfig: agentOptions().llmConfig }));
        for (const slot of ["head", "notices", "welcome", "end", "composer-start", "composer-foot"]) {
          const own = Object.assign(document.createElement("button"), { slot, type: "button", textContent: `Own ${slot}` });
          own.style.minHeight = "28px";
          element.append(own);
        }
        element.requestUpdate();
      });
      await page.waitForFunction(() => !element.shadowRoot.querySelector("copydesk-conversation").shadowRoot.querySelector(".suggestion")?.checkVisibility());
    },
  },
  "reading files, some of which are no texts": {
    make: async (page) => {
      await page.evaluate(async () => {
        const skipped = { count: 1, files: [{ path: "a-file-with-a-long-name-that-has-no-space.png", code: "not_text", message: "m" }] };
        // From the call with this number on it reads for as long as the page is open.
        const reader = (last, at = 0) => (...given) => {
          if (at++ < last) return { matches: [], isCut: false, errors: [], warnings: [], skipped };
          given.at(-1).progress(1, 4);
          return new Promise(() => {});
        };
        const workspace = { search: reader(1), check: reader(2), watch: () => () => {}, list: async () => [] };
        const all = ["search", "checks"].map((name) => Object.assign(document.createElement(`copydesk-${name}`), { workspace }));
        document.querySelector("aside").replaceChildren(...all);
        await Promise.all(all.map(({ updateComplete }) => updateComplete));
      });
      await page.fill("#pattern", "tin");
      for (const name of ["search", "checks"]) {
        const run = `copydesk-${name} [part=run]`;
        await page.click(run);
        await page.click(`copydesk-${name} [part=skipped] summary`);
        await page.click(run);
        await page.waitForSelector(`copydesk-${name} progress`);
      }
    },
  },
  "thoughts, a notice, and what a run began with": {
    answers: [(response) => void begin(response).end(chunk({ reasoning_content: "Which part is it?" }) + answer({ calls: [call("c-1", "read_section", { sectionIndex: 1 })] })), (response) => void begin(response).end(`${chunk({ content: "It is" })}${chunk({}, "length")}data: [DONE]\n\n`)],
    make: async (page) => {
      await page.evaluate(() => {
        const setup = () => ({ skills: ["house-style"], servers: [{ name: "library", tools: 2 }], rules: ["Write British English."] });
        element.assistant = createAssistant({ editor, agent: agentOptions(), setup });
      });
      await ask(page, "How old is it?");
      await ended(page);
      await page.click("copydesk-conversation .run-setup > summary");
      await page.click("copydesk-conversation .thinking summary");
      await page.waitForSelector("copydesk-conversation .notice");
    },
  },
  "versions within the files": {
    make: async (page) => {
      await page.evaluate(async () => {
        const workspace = await createWorkspace();
        await workspace.write("notes/plan.md", "Two words.\n");
        await showPanel("files", { workspace, current: "notes/plan.md" });
      });
      await page.click("[part=row] [part=menu] >> nth=-1");
      await page.click(".popup:popover-open >> text=/^(Versions|历史版本)$/");
      await page.waitForSelector("copydesk-versions [part=list]");
    },
  },
  "choices at a selection": {
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.click("copydesk-selection-menu [aria-haspopup=menu] >> nth=0");
      await page.waitForSelector("copydesk-selection-menu [part~=back]");
    },
  },
  "a run at a selection": {
    answers: [(response) => void begin(response).write(chunk({ content: "I am" }))],
    expected: [/ERR_INCOMPLETE_CHUNKED_ENCODING/],
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.click("copydesk-selection-menu .copydesk-action >> nth=0");
      await page.waitForSelector("copydesk-selection-menu .copydesk-stop");
    },
  },
  "a failure at a selection": {
    answers: [status(401)],
    expected: [/401/],
    make: async (page) => {
      await page.evaluate(() => element.controller.prepare());
      await page.evaluate(() => (editor.view.focus(), editor.commands.setTextSelection({ from: 14, to: 24 })));
      await page.click("copydesk-selection-menu .copydesk-action >> nth=0");
      await page.waitForSelector("copydesk-selection-menu .copydesk-error");
    },
  },
};
