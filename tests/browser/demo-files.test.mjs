// The files of the demo: stories of a writer, from the results of the real tools, and what happens to the open file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, ended, openDemo, saved, text, written } from "./demo-page.mjs";
import { call, model } from "./model.mjs";

/** Opens the panel of files, with the sample novel. */
async function openNovel(t, options = {}) {
  const page = await openDemo(t, options);
  await page.click("#tab-files");
  await page.click(".sample-offer button");
  await page.waitForSelector(".file-bar:not([hidden])");
  return page;
}

async function openFile(page, path) {
  await page.click("#tab-files");
  await page.click(`.file[data-path="${path}"]`);
  await page.waitForFunction((path) => document.querySelector(".file-path")?.textContent === path, path);
}

/** Waits for what the file bar says. */
const barSays = (page, state) => page.waitForFunction((state) => document.querySelector(".file-state")?.dataset.state === state, state);
/** Calls a method of the workspace as another part of the app would. */
const files = (page, method, ...given) => page.evaluate(([method, given]) => document.querySelector("copydesk-files").workspace[method](...given), [method, given]);
const textOf = async (page, path) => (await files(page, "read", path)).text;
const check = (page, kind) => files(page, "check", kind, "en");
const open = ({ errors, warnings }) => [...errors, ...warnings].filter(({ waived }) => !waived);
const lastAnswer = async (page) => (await text(page, ".run:last-child .assistant-message")).join("\n");
/** Types at the end of a paragraph of the document. */
const typeAt = async (page, paragraph, words) => {
  await page.evaluate((paragraph) => {
    const element = document.querySelectorAll(".tiptap > p")[paragraph];
    const { editor } = document.querySelector(".tiptap");
    editor.commands.focus(editor.view.posAtDOM(element, element.childNodes.length), { scrollIntoView: false });
  }, paragraph);
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  await page.keyboard.type(words);
};

for (const [locale, request, setups] of [
  ["en-US", "Check my novel and fix the timeline", "Which setups are missing?"],
  ["zh-CN", "检查我的小说，修正时间线", "缺少哪些伏笔？"],
]) {
  test(`check my novel and fix the timeline; a missing setup is found: ${locale}`, async (t) => {
    const page = await openNovel(t, { locale });
    const before = open(await check(page, "timeline"));
    assert.equal(before.length, 5, "the planted faults");
    const references = await check(page, "references");
    await ask(page, request);
    await ended(page);
    assert.deepEqual(open(await check(page, "timeline")), [], "the check finds nothing any more");
    assert.deepEqual(await check(page, "references"), references, "nothing else was changed");
    const tools = await page.$$eval(".row", (rows) => rows.map(({ dataset }) => dataset.tool));
    assert.deepEqual(tools.slice(0, 3), ["verify_strict_timeline", "verify_strict_references", "edit_file"]);
    assert.equal(tools.at(-1), "verify_strict_timeline", "what it claims was checked");

    // Every write is a version by the assistant, and the rows are words.
    const { file } = before[0];
    const versions = await files(page, "versions", file);
    assert.equal(versions[0].author, "agent");
    assert.equal(versions.at(-1).author, "user");
    for (const head of await page.locator(".row-head").all()) await head.click();
    const said = await page.$$eval(".row", (rows) => rows.map((row) => findAll(".row-text, .row-words, .row-changes, .row-error", row).map((part) => part.textContent).join("\n")));
    for (const row of said) assert.doesNotMatch(row, /[{}]|verify_strict|edit_file|read_file|\w+Error:/);
    assert.ok((await page.locator(".row[data-tool=edit_file] del").count()) > 0);

    await ask(page, setups);
    await ended(page, 2);
    const missing = references.errors.find(({ code }) => code === "missing_setup");
    assert.match(await lastAnswer(page), new RegExp(`\\[REF:${missing.details.id}\\].*${missing.file}`, "s"));
  });
}

test("a first chapter is written where there is none, and opens like any other", async (t) => {
  const page = await openDemo(t);
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files");
  await ask(page, "Write the first chapter of a story about a lighthouse");
  await ended(page);
  const first = await textOf(page, "chapters/ch001.md");
  assert.match(first, /^# Chapter 1: .*Lighthouse\n\nDay 1 /);
  await page.click('.file[data-path="chapters/ch001.md"]');
  await page.waitForFunction(() => document.querySelector(".tiptap h1")?.textContent.startsWith("Chapter 1"));
  await ask(page, "Write the first chapter");
  await ended(page, 2);
  assert.match(await lastAnswer(page), /^This needs a model/);
  assert.equal(await textOf(page, "chapters/ch001.md"), first, "a chapter that is there stays");
});

for (const [locale, request, number, id] of [
  ["en-US", "Write a tenth chapter that refers to the third", 10, "tin-whistle"],
  ["zh-CN", "写第 11 章", 11, "harmonica"],
]) {
  test(`chapter ${number} takes up what the third sets up, on the next day: ${locale}`, async (t) => {
    const page = await openNovel(t, { locale });
    const path = `chapters/ch0${number}.md`;
    if (number === 10) await files(page, "remove", path);
    const unused = async () => (await check(page, "references")).warnings.map(({ details }) => details.id);
    const before = open(await check(page, "timeline"));
    assert.ok((await unused()).includes(id));
    await ask(page, request);
    await ended(page);
    assert.match(await textOf(page, path), new RegExp(`\\[REF:${id}\\]`));
    assert.ok(!(await unused()).includes(id));
    assert.deepEqual(open(await check(page, "timeline")), before, "no new fault");
    assert.match(await lastAnswer(page), new RegExp(path));
  });
}

for (const [locale, request, name, other] of [
  ["en-US", "Rename Ines to Nora in all chapters", "Ines", "Nora"],
  ["zh-CN", "把全书的陈婆改名为孙婆", "陈婆", "孙婆"],
]) {
  test(`a character is renamed in all chapters, and nothing else changes: ${locale}`, async (t) => {
    const page = await openNovel(t, { locale });
    const all = async () => Promise.all((await files(page, "list")).map(({ path }) => textOf(page, path)));
    const before = await all();
    assert.ok(before.some((each) => each.includes(name)));
    await ask(page, request);
    await ended(page);
    assert.deepEqual(await all(), before.map((each) => each.replaceAll(name, other)));
  });
}

test("writing in the editor saves the file, and everything else of it stays byte for byte", async (t) => {
  const page = await openNovel(t);
  await openFile(page, "chapters/ch004.md");
  const before = await textOf(page, "chapters/ch004.md");
  await typeAt(page, 0, " It was green.");
  await barSays(page, "unsaved");
  await barSays(page, "saved");
  const after = await textOf(page, "chapters/ch004.md");
  const [line] = before.split("\n").filter((each) => each.startsWith("On Day 4"));
  assert.equal(after, before.replace(line, `${line} It was green.`));
  // Undo does not lead to the document that was shown before.
  for (let times = 0; times < 5; times++) await page.keyboard.press("Control+z");
  await barSays(page, "saved");
  await page.waitForFunction(() => document.querySelector(".tiptap h1").textContent.includes("Green Bottle"));
  assert.equal(await textOf(page, "chapters/ch004.md"), before);
});

test("the user's own document stays reachable, also after a reload", async (t) => {
  const page = await openDemo(t);
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await page.click("#tab-files");
  await page.click(".sample-offer button");
  await page.waitForSelector(".file-bar:not([hidden])");
  assert.ok(!(await written(page)).includes("My own words."));
  await openFile(page, "chapters/ch002.md");
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.waitForSelector(".file-bar:not([hidden])");
  assert.match(await written(page), /^Chapter 2: The Locked Drawer/);
  await page.click(".own-document");
  await page.waitForSelector(".file-bar", { state: "hidden" });
  assert.equal(await written(page), "My own words.");
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await written(page), "My own words.");
});

test("text that was not saved before a reload is saved after it", async (t) => {
  const page = await openNovel(t);
  await openFile(page, "chapters/ch005.md");
  const reload = async () => {
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.click("#tab-files");
    await page.waitForSelector("copydesk-files");
  };
  // The document is kept soon after each key; the file is saved later, and not by a page that is killed before.
  await page.evaluate(() => (document.querySelector("copydesk-files").workspace.write = () => new Promise(() => {})));
  await typeAt(page, 0, " First.");
  const kept = () =>
    page.evaluate(
      () =>
        new Promise((done) => {
          const opening = indexedDB.open("copydesk");
          opening.onsuccess = () => {
            const { result: database } = opening;
            const change = database.transaction(["documents", "changes"]);
            const stored = ["documents", "changes"].map((table) => change.objectStore(table).getAll());
            change.oncomplete = () => (database.close(), done(JSON.stringify(stored.map(({ result }) => result))));
          };
        }),
    );
  while (!(await kept()).includes(" First.")) await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.doesNotMatch(await textOf(page, "chapters/ch005.md"), / First\./);
  // The bar says nothing before the page has compared the document with the file.
  await page.addInitScript(() => {
    window.said = [];
    new MutationObserver(() => {
      const { dataset, textContent } = document.querySelector(".file-state") ?? {};
      if (dataset && said.at(-1)?.[0] !== dataset.state) said.push([dataset.state, textContent]);
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await reload();
  await barSays(page, "saved");
  assert.match(await textOf(page, "chapters/ch005.md"), / First\./);
  assert.deepEqual(await page.evaluate(() => said), [
    ["opening", ""],
    ["saved", "Saved"],
  ]);
  assert.match(await written(page), / First\./);
});

test("the editor follows the assistant's edits of the open file by small changes", async (t) => {
  const page = await openNovel(t);
  const { file } = open(await check(page, "timeline")).find(({ code }) => code === "day_jump");
  await openFile(page, file);
  await page.evaluate(() => {
    window.blocks = [...document.querySelectorAll(".tiptap > *")];
    window.steps = 0;
    document.querySelector(".tiptap").editor.on("transaction", ({ transaction }) => (window.steps += transaction.steps.length));
  });
  await ask(page, "Fix the timeline");
  await ended(page);
  const shown = await textOf(page, file);
  await page.waitForFunction((line) => document.querySelector(".tiptap").textContent.includes(line), shown.split("\n")[2].slice(0, 20));
  await barSays(page, "saved");
  const [kept, all, steps] = await page.evaluate(() => [window.blocks.filter((block) => block.isConnected).length, window.blocks.length, window.steps]);
  assert.ok(kept >= all - 1, `${kept} of ${all} blocks are the same elements`);
  assert.ok(steps > 0 && steps < 6, `${steps} steps`);
  assert.equal(await textOf(page, file), shown, "following does not write");
});

test("a change from outside beside unsaved text is a conflict, and both texts are kept", async (t) => {
  const page = await openNovel(t);
  await openFile(page, "chapters/ch003.md");
  const conflict = async (mine, theirs) => {
    // In one task: what is typed is saved soon.
    await page.evaluate(([mine, theirs]) => {
      const paragraph = document.querySelector(".tiptap > p");
      const { view } = document.querySelector(".tiptap").editor;
      view.dispatch(view.state.tr.insertText(mine, view.posAtDOM(paragraph, paragraph.childNodes.length)));
      return document.querySelector("copydesk-files").workspace.write("chapters/ch003.md", theirs);
    }, [mine, theirs]);
    await barSays(page, "conflict");
    assert.equal(await textOf(page, "chapters/ch003.md"), theirs, "the file is not overwritten");
    assert.ok((await written(page)).includes(mine.trim()), "the text is not overwritten");
  };
  const kept = async (part) => {
    const versions = await files(page, "versions", "chapters/ch003.md");
    const texts = await Promise.all(versions.map(({ id }) => files(page, "readVersion", "chapters/ch003.md", id)));
    return texts.some((each) => each.includes(part));
  };
  await conflict(" Mine one.", "# Three\n\nTheirs one.\n");
  await page.click('[data-notice="file"] button:text-is("Compare")');
  await page.waitForSelector("dialog.conflict[open] .diff ins");
  await page.click("dialog.conflict button:text-is('Take mine')");
  await barSays(page, "saved");
  assert.match(await textOf(page, "chapters/ch003.md"), /Mine one\./);
  assert.ok(await kept("Theirs one."));

  await conflict(" Mine two.", "# Three\n\nTheirs two.\n");
  await page.click('[data-notice="file"] button:text-is("Take the other")');
  await barSays(page, "saved");
  assert.equal(await written(page), "Three\nTheirs two.");
  assert.equal(await textOf(page, "chapters/ch003.md"), "# Three\n\nTheirs two.\n");
  assert.ok(await kept("Mine two."));
});

test("what Markdown does not hold is named before it is saved", async (t) => {
  const page = await openNovel(t);
  await openFile(page, "chapters/ch001.md");
  const before = await textOf(page, "chapters/ch001.md");
  // An empty paragraph in the middle has no form in Markdown.
  await page.evaluate(() => {
    const { editor } = document.querySelector(".tiptap");
    editor.commands.insertContentAt(editor.state.doc.child(0).nodeSize, { type: "paragraph" });
  });
  await barSays(page, "lossy");
  assert.match(await page.textContent('[data-notice="file"]'), /Markdown file does not keep this/);
  assert.equal(await textOf(page, "chapters/ch001.md"), before);
  await page.click('[data-notice="file"] button');
  await barSays(page, "saved");
});

test("files are created, renamed, deleted, taken back and restored", async (t) => {
  const page = await openNovel(t);
  await page.click("copydesk-files .button >> text=New file");
  assert.equal(await page.inputValue(".path-form input"), "chapters/ch011.md");
  await page.fill(".path-form input", "../plan.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".path-form .problem >> text=..");
  await page.fill(".path-form input", "notes/plan.md");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".file-path")?.textContent === "notes/plan.md");
  await page.click(".tiptap");
  await page.keyboard.type("A letter.");
  await barSays(page, "saved");

  const act = async (path, name) => {
    await page.click(`.file-row:has([data-path="${path}"]) .menu > button`);
    await page.click(`.popup:popover-open >> text=${name}`);
  };
  await act("notes/plan.md", "Rename");
  await page.fill(".path-form input", "notes/idea.md");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".file-path")?.textContent === "notes/idea.md");
  await typeAt(page, 0, " And an answer.");
  await barSays(page, "saved");
  assert.equal((await textOf(page, "notes/idea.md")).trim(), "A letter. And an answer.");

  await act("notes/idea.md", "Versions");
  await page.click(".version >> nth=-1");
  await page.waitForSelector("copydesk-versions .diff");
  await page.click("copydesk-versions button:text-is('Restore this version')");
  await page.waitForSelector("copydesk-versions .status >> text=restored");
  await page.waitForFunction(() => document.querySelector(".tiptap").textContent === "A letter.");
  await page.click("copydesk-versions .text-button");

  await act("notes/idea.md", "Delete");
  await barSays(page, "removed");
  await page.click("copydesk-files .status button");
  await barSays(page, "saved");
  assert.equal((await textOf(page, "notes/idea.md")).trim(), "A letter.");
});

test("search opens the file at the line, and so does a finding; what is waived stays listed", async (t) => {
  const page = await openNovel(t);
  await page.click("#tab-search");
  await page.fill("copydesk-search input[type=search]", "TIN whistle");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".result");
  await page.click(".result");
  await page.waitForFunction(() => document.querySelector(".tiptap .highlighted")?.textContent.includes("tin whistle"));
  assert.equal(await page.textContent(".file-path"), "chapters/ch003.md");
  await page.check("copydesk-search .check >> nth=0 >> input");
  await page.press("copydesk-search input[type=search]", "Enter");
  await page.waitForSelector("copydesk-search .status >> text=Nothing was found");
  await page.check("copydesk-search .check >> nth=1 >> input");
  await page.fill("copydesk-search input[type=search]", "^On Day \\d");
  await page.fill("copydesk-search input[type=text]", "ch00{2,4}.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector("copydesk-search .status >> text=2 matches in 2 files");

  await page.click("#tab-checks");
  await page.click("copydesk-checks [part=run]");
  await page.waitForSelector(".finding");
  assert.equal(await page.locator(".finding[data-waived] >> text=accepted in the file").count(), 1);
  const findings = [...open(await check(page, "timeline")), ...open(await check(page, "references"))];
  assert.equal(await page.locator(".finding:not([data-waived])").count(), findings.length);
  for (const { message, file, text: line } of findings) {
    await page.click(`.finding:has(.finding-message:text-is(${JSON.stringify(message)}))`);
    await page.waitForFunction(
      ([file, start]) => document.querySelector(".file-path")?.textContent === file && document.querySelector(".tiptap .highlighted")?.textContent.replace(/\W/g, "").includes(start),
      [file, line.replace(/\W/g, "").slice(0, 20)],
    );
  }
});

test("the line that was shown stays highlighted until the user goes on", async (t) => {
  const page = await openNovel(t);
  const highlighted = () => page.evaluate(() => document.querySelector(".tiptap .highlighted")?.textContent);
  await page.click("#tab-search");
  await page.fill("copydesk-search input[type=search]", "tin whistle");
  for (const goOn of [() => page.keyboard.press("ArrowLeft"), () => page.keyboard.type("x")]) {
    await page.press("copydesk-search input[type=search]", "Enter");
    await page.click(".result");
    await page.waitForFunction(() => document.querySelector(".tiptap .highlighted")?.textContent.includes("tin whistle"));
    await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
    // A change by others in front of it moves it.
    await page.evaluate(() => {
      const { state, view } = document.querySelector(".tiptap").editor;
      view.dispatch(state.tr.insertText("One. ", 1));
    });
    assert.match(await highlighted(), /tin whistle/);
    await goOn();
    await page.waitForSelector(".tiptap .highlighted", { state: "detached" });
  }
});

test("an open menu of a file, and the focus, stay while others write files", async (t) => {
  const page = await openNovel(t);
  const listed = (path) => page.waitForSelector(`.file[data-path="${path}"]`);
  await page.click('.file-row:has([data-path="chapters/ch002.md"]) .menu > button');
  const focusedOn = (text) => page.waitForFunction((text) => focusedElement().textContent === text, text);
  await focusedOn("Rename");
  await page.keyboard.press("ArrowDown");
  await focusedOn("Versions");
  for (const path of ["chapters/ch001b.md", "chapters/ch009.md", "notes/a.md"]) {
    await files(page, "write", path, "New.\n");
    await listed(path);
  }
  await files(page, "write", "chapters/ch002.md", "# Two\n\nOther.\n");
  await files(page, "remove", "chapters/ch001b.md");
  await page.waitForFunction(() => !find('.file[data-path="chapters/ch001b.md"]'));
  await focusedOn("Versions");
  await page.keyboard.press("Enter");
  await page.waitForSelector("copydesk-versions .heading >> text=chapters/ch002.md");
  await page.waitForSelector(".more-versions");

  // The names are in the order of the paths, also in the other language.
  await page.click("copydesk-versions .text-button");
  const paths = () => page.$$eval(".file", (found) => found.map(({ dataset }) => dataset.path));
  const expected = (await files(page, "list")).map(({ path }) => path);
  assert.deepEqual(await paths(), expected);
  await page.click(".language");
  await page.waitForSelector("copydesk-files button >> text=新建文件");
  assert.deepEqual(await paths(), expected);
});

test("the tabs work from the keyboard, and the chosen one is there after a reload", async (t) => {
  const page = await openDemo(t);
  await page.focus("#tab-outline");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("copydesk-files");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("copydesk-checks");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-checks");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => focusedElement().textContent), "Check the story");
  await page.reload();
  await page.waitForSelector("copydesk-checks");
  assert.equal(await page.getAttribute("#tab-checks", "aria-selected"), "true");
  await page.click(".language");
  await page.waitForSelector("copydesk-checks button >> text=检查故事");
});

test("what waits for review in a file is there again after another file was shown", async (t) => {
  const server = await model(t, [{ calls: [call("c-1", "replace_text", { old: "Gull Rock", new: "Seal Rock" })] }, { say: "Done." }]);
  const page = await openNovel(t, { mode: "review", search: `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m` });
  await ask(page, "Rename the rock");
  await ended(page);
  const hunks = () => page.evaluate(() => document.querySelector(".tiptap").editor.storage.copydesk.document.hunks().map(({ newText }) => newText));
  const before = await hunks();
  assert.equal(before.length, 1);
  await openFile(page, "chapters/ch002.md");
  assert.deepEqual(await hunks(), []);
  assert.doesNotMatch(await textOf(page, "chapters/ch001.md"), /Seal Rock/, "the file has what was accepted only");
  await openFile(page, "chapters/ch001.md");
  assert.deepEqual(await hunks(), before);
  await page.click(".copydesk-accept-all");
  await barSays(page, "unsaved");
  await barSays(page, "saved");
  assert.match(await textOf(page, "chapters/ch001.md"), /Seal Rock/);
});

test("a file is not changed under a working assistant: the user stops it first", async (t) => {
  const page = await openNovel(t, { pace: 100 });
  await ask(page, "Check my novel and fix the timeline");
  await page.waitForSelector(".row[data-tool=edit_file]");
  await page.click('.file[data-path="chapters/ch002.md"]');
  await page.click('[data-notice="busy"] button >> nth=0');
  await page.waitForFunction(() => document.querySelector(".file-path")?.textContent === "chapters/ch002.md");
  assert.equal(await page.locator(".run-end.stopped").count(), 1);
});

test("a zip file and a folder hold all files, and existing ones are replaced only on request", async (t) => {
  const page = await openNovel(t);
  await page.evaluate(() => (window.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("book", { create: true })));
  const choose = async (menu, name) => {
    await page.click(`copydesk-files .panel-bar >> button:text-is("${menu}")`);
    await page.click(`.popup:popover-open >> text=${name}`);
  };
  const says = (words) => page.waitForSelector(`copydesk-files .status >> text=${words}`);
  await choose("Export", "Export to a folder");
  await says("10 files were exported.");
  await files(page, "write", "chapters/ch001.md", "# Other\n");
  await choose("Import", "Import a folder");
  await says("0 files were imported, 1 not.");
  assert.equal(await textOf(page, "chapters/ch001.md"), "# Other\n");
  await page.click('copydesk-files .status button:text-is("Replace the existing files")');
  await says("10 files were imported.");
  assert.match(await textOf(page, "chapters/ch001.md"), /The Handover/);

  await page.click('copydesk-files .panel-bar >> button:text-is("Export")');
  const [zip] = await Promise.all([page.waitForEvent("download"), page.click(".popup:popover-open >> text=Export as a zip file")]);
  await files(page, "remove", "chapters/ch002.md");
  await page.click('copydesk-files .panel-bar >> button:text-is("Import")');
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(".popup:popover-open >> text=Import a zip file")]);
  await chooser.setFiles(await zip.path());
  await says("1 file was imported, 9 not.");
  assert.match(await textOf(page, "chapters/ch002.md"), /The Locked Drawer/);

  // Instructions come only when the user agrees to them by name. The notice follows the language of the page.
  await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("book");
    const stream = await (await folder.getFileHandle("AGENTS.md", { create: true })).createWritable();
    await stream.write("Write British English.");
    await stream.close();
  });
  await choose("Import", "Import a folder");
  await says("0 files were imported, 1 not.");
  assert.ok(!(await files(page, "list")).some(({ path }) => path === "AGENTS.md"));
  const agree = page.locator("copydesk-files .status button");
  assert.equal(await agree.textContent(), "Import these instructions for the assistant: AGENTS.md");
  await page.evaluate(() => (document.documentElement.lang = "zh-CN"));
  assert.equal(await agree.textContent(), "导入这些给助手的指令：AGENTS.md");
  const skipped = await page.$$eval("copydesk-files .skipped li", (rows) => rows.map((row) => row.textContent));
  assert.deepEqual(skipped, ["AGENTS.md：是给助手的指令。"]);
  await agree.click();
  await says("已导入 1 个文件。");
  assert.equal(await textOf(page, "AGENTS.md"), "Write British English.");
});

test("the assistant does not write files without approval when it has to ask", async (t) => {
  const page = await openDemo(t, { mode: "ask" });
  await page.click("#tab-files");
  await page.waitForSelector("copydesk-files");
  await ask(page, "Write the first chapter");
  await page.waitForSelector(".row[data-tool=write_chapter][data-state=approval]");
  assert.equal(await page.textContent(".row[data-tool=write_chapter] .row-text"), "Write chapter 1?");
  await page.click(".row[data-tool=write_chapter] .row-approval button >> text=Deny");
  await ended(page);
  assert.deepEqual(await files(page, "list"), []);
});
