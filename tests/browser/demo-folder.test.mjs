// The demo in a folder of the computer.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import JSZip from "jszip";
import { fake, read, write } from "./demo-disk.mjs";
import { ask, ended, frames, openDemo, saved, written } from "./demo-page.mjs";
import { call, model } from "./model.mjs";

const ONE = "# One\n\nDay 1. It rains.\n\nThe lamp is lit.\n";
const TWO = "# Two\n\nDay 2. It is dry.\n";

const permit = (page, state) => page.evaluate((state) => sessionStorage.setItem("permission", state), state);
const barSays = (page, state) => page.waitForFunction((state) => document.querySelector(".file-state")?.dataset.state === state, state);
/** Waits until a file on the disk contains a text. */
async function onDisk(page, path, part) {
  for (let tries = 0; tries < 100; tries++) {
    const text = await read(page, path).catch(() => "");
    if (text.includes(part)) return;
    await page.waitForTimeout(50);
  }
  assert.fail(`${path} does not contain ${part}: ${await read(page, path)}`);
}
const shows = (page, part) => page.waitForFunction((part) => document.querySelector(".tiptap").textContent.includes(part), part);
const versions = (page, path) =>
  page.evaluate(async (path) => {
    const { workspace } = document.querySelector("copydesk-files");
    return Promise.all((await workspace.versions(path)).map(async (each) => ({ ...each, text: each.removed ? "" : await workspace.readVersion(path, each.id) })));
  }, path);
const typeAtEnd = async (page, words) => {
  await page.evaluate(() => document.querySelector(".tiptap").editor.commands.focus("end", { scrollIntoView: false }));
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  await page.keyboard.type(words);
};
const openFile = async (page, path) => {
  await page.click(`.file[data-path="${path}"]`);
  await page.waitForFunction((path) => document.querySelector(".file-path")?.textContent === path, path);
};
const choose = async (page, label) => {
  await page.selectOption("#place", { label });
  await page.waitForFunction((label) => document.querySelector("#place").selectedOptions[0].label === label, label);
};
const reload = async (page) => {
  await saved(page);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
};

/** Opens the demo in the folder `novel` with two chapters. */
async function openFolder(t, options = {}) {
  const page = await openDemo(t, { prepare: (fresh) => fresh.addInitScript(fake), ...options });
  await write(page, "chapters/ch001.md", ONE);
  await write(page, "chapters/ch002.md", TWO);
  await page.click("#tab-files");
  await page.click(".place > button");
  await page.waitForSelector('.file[data-path="chapters/ch002.md"]');
  return page;
}

test("what is written reaches the disk, and what others write there appears", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch001.md");
  await typeAtEnd(page, " It is green.");
  await onDisk(page, "chapters/ch001.md", "It is green.");
  assert.equal(await read(page, "chapters/ch001.md"), ONE.replace("lit.", "lit. It is green."));
  await barSays(page, "saved");

  await page.evaluate(() => (window.first = document.querySelector(".tiptap > h1")));
  await write(page, "chapters/ch001.md", "# One\n\nDay 1. It snows.\n");
  await shows(page, "It snows.");
  assert.equal(await written(page), "One\nDay 1. It snows.");
  assert.ok(await page.evaluate(() => window.first.isConnected), "the heading is the same element");
  await write(page, "notes/plan.md", "A letter.\n");
  await page.waitForSelector('.file[data-path="notes/plan.md"]');
  assert.equal(await read(page, "chapters/ch001.md"), "# One\n\nDay 1. It snows.\n", "following does not write");
});

test("a change on the disk beside unsaved text is a conflict, and both texts are kept", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch001.md");
  const conflict = async (mine, theirs) => {
    await typeAtEnd(page, mine);
    await write(page, "chapters/ch001.md", theirs);
    await barSays(page, "conflict");
    assert.equal(await read(page, "chapters/ch001.md"), theirs, "the file is not overwritten");
    assert.ok((await written(page)).includes(mine.trim()), "the text is not overwritten");
  };
  await conflict(" Mine one.", "# One\n\nTheirs one.\n");
  assert.match(await page.textContent('[data-notice="file"]'), /another program/);
  await page.click('[data-notice="file"] button:text-is("Take mine")');
  await barSays(page, "saved");
  await onDisk(page, "chapters/ch001.md", "Mine one.");
  assert.ok((await versions(page, "chapters/ch001.md")).some(({ text, author }) => text.includes("Theirs one.") && author === "outside"));

  await conflict(" Mine two.", "# One\n\nTheirs two.\n");
  await page.click('[data-notice="file"] button:text-is("Take the other")');
  await barSays(page, "saved");
  assert.equal(await written(page), "One\nTheirs two.");
  assert.ok((await versions(page, "chapters/ch001.md")).some(({ text }) => text.includes("Mine two.")));
});

test("after a reload the panel asks for permission, and the same file is open with what was written", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch002.md");
  await typeAtEnd(page, " Before.");
  await barSays(page, "saved");
  await permit(page, "prompt");
  await reload(page);
  await page.waitForSelector("#panel-files .place-access:not([hidden]) >> text=The browser needs your permission again to use the folder novel.");
  assert.equal(await page.locator("#panel-files .place-access button").count(), 1);
  assert.equal(await page.isVisible("copydesk-files"), false);
  assert.equal(await page.evaluate(() => window.asked), undefined, "nobody is asked without a click");
  assert.equal(await page.textContent(".file-path"), "chapters/ch002.md");
  assert.match(await written(page), /It is dry\. Before\./);
  await page.waitForSelector('[data-notice="file"] >> text=What you write is kept in this browser until then.');
  await typeAtEnd(page, " Meanwhile.");
  // It is kept over another reload.
  await reload(page);
  await shows(page, "Meanwhile.");
  await page.waitForSelector("#panel-files .place-access:not([hidden])");
  assert.doesNotMatch(await read(page, "chapters/ch002.md"), /Meanwhile/);

  await page.click("#panel-files .place-access button");
  await barSays(page, "saved");
  await onDisk(page, "chapters/ch002.md", "Before. Meanwhile.");
  assert.equal(await page.evaluate(() => window.asked), 1);
  await page.waitForSelector('.file[data-path="chapters/ch001.md"]');
  assert.equal(await page.locator('[data-notice="file"]').count(), 0);
  // The folder is watched again.
  await write(page, "chapters/ch002.md", "# Two\n\nDay 2. After.\n");
  await shows(page, "After.");
});

test("a change on the disk before permission is given again is a conflict", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch002.md");
  await permit(page, "prompt");
  await reload(page);
  await page.waitForSelector("#panel-files .place-access:not([hidden])");
  await typeAtEnd(page, " Meanwhile.");
  await write(page, "chapters/ch002.md", "# Two\n\nTheirs.\n");
  await page.click('[data-notice="file"] button');
  await barSays(page, "conflict");
  assert.match(await written(page), /Meanwhile\./);
  assert.equal(await read(page, "chapters/ch002.md"), "# Two\n\nTheirs.\n");
});

test("permission withdrawn in the middle is a sentence with the button, and nothing is lost", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch001.md");
  await permit(page, "prompt");
  await typeAtEnd(page, " Later.");
  await barSays(page, "failed");
  assert.equal(await page.textContent(".file-state"), "No permission");
  const notice = page.locator('[data-notice="file"]');
  assert.match(await notice.textContent(), /needs your permission again to use the folder novel/);
  assert.deepEqual(await notice.locator("button").allTextContents(), ["Allow access"]);
  await page.waitForSelector("#panel-files .place-access:not([hidden])");
  for (const panel of ["search", "checks"]) {
    await page.click(`#tab-${panel}`);
    await page.waitForSelector(`#panel-${panel} .place-access:not([hidden]) button`);
  }
  // The sentence stays as it is while the user writes on.
  await notice.locator("button").evaluate((button) => (window.allow = button));
  await typeAtEnd(page, " And later.");
  await saved(page);
  assert.ok(await page.evaluate(() => window.allow.isConnected));
  assert.equal(await read(page, "chapters/ch001.md"), ONE);

  await permit(page, "denied");
  await notice.locator("button").click();
  await page.waitForSelector('[data-notice="file"] >> text=The browser gave no permission');
  assert.match(await written(page), /Later\. And later\./);
  await permit(page, "prompt");
  await page.click("#panel-checks .place-access button");
  await barSays(page, "saved");
  await onDisk(page, "chapters/ch001.md", "lit. Later. And later.");
});

test("the files of the browser, the folders and the user's own document stay apart and reachable", async (t) => {
  const page = await openDemo(t, { prepare: (fresh) => fresh.addInitScript(fake) });
  await page.click(".tiptap");
  await page.keyboard.type("My own words.");
  await page.click("#tab-files");
  await page.click(".sample-offer button");
  await page.waitForSelector(".file-bar:not([hidden])");
  // The text under the pause of the autosave is saved first.
  await typeAtEnd(page, " In the browser.");
  await write(page, "chapters/ch001.md", ONE);
  await page.click(".place > button");
  await page.waitForSelector(".file-bar", { state: "hidden" });
  assert.equal(await written(page), "My own words.");
  await page.waitForFunction(() => findAll(".file").length === 1);
  assert.equal(await page.isVisible(".sample-offer"), false);
  await openFile(page, "chapters/ch001.md");
  assert.match(await written(page), /The lamp is lit\./);
  await typeAtEnd(page, " In the folder.");

  await choose(page, "Files in this browser");
  assert.match(await read(page, "chapters/ch001.md"), /lit\. In the folder\.\n/);
  await page.waitForFunction(() => findAll(".file").length === 10);
  await openFile(page, "chapters/ch001.md");
  assert.match(await written(page), /In the browser\.$/);
  assert.doesNotMatch(await written(page), /In the folder/);

  // A conflict is there again when the file is opened again.
  await choose(page, "Folder novel");
  await page.waitForFunction(() => findAll(".file").length === 1);
  await openFile(page, "chapters/ch001.md");
  await typeAtEnd(page, " Mine.");
  await write(page, "chapters/ch001.md", "# One\n\nTheirs.\n");
  await barSays(page, "conflict");
  await choose(page, "Files in this browser");
  await page.waitForFunction(() => findAll(".file").length === 10);
  await page.evaluate(() => sessionStorage.setItem("picks", "diary"));
  await page.click(".place > button");
  await page.waitForFunction(() => [...document.querySelector("#place").options].some(({ label }) => label === "Folder diary"));
  await page.waitForSelector("copydesk-files .hint >> text=There are no files yet.");
  await page.evaluate(() => sessionStorage.setItem("picks", "novel"));
  // The dialog finds the folder that was opened before.
  await page.click(".place > button");
  await openFile(page, "chapters/ch001.md");
  await barSays(page, "conflict");
  assert.match(await written(page), /In the folder\. Mine\./);
  assert.deepEqual(await page.locator("#place option").allTextContents(), ["Files in this browser", "Folder novel", "Folder diary"]);
});

test("the assistant works on the files of the place that is shown", async (t) => {
  const write = (id, path, content) => ({ calls: [call(id, "write_file", { path, content })] });
  const server = await model(t, [
    write("c-1", "chapters/ch003.md", "# Chapter 3\n"),
    { say: "Done." },
    write("c-2", "chapters/ch001.md", "# Chapter 1\n"),
    { say: "Done." },
  ]);
  const page = await openFolder(t, { search: `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m` });
  await ask(page, "Write chapter 3");
  await ended(page);
  await onDisk(page, "chapters/ch003.md", "# Chapter 3");
  const [newest] = await versions(page, "chapters/ch003.md");
  assert.equal(newest.author, "agent");
  await choose(page, "Files in this browser");
  await page.waitForFunction(() => !find(".file"));
  await ask(page, "Write chapter 1");
  await ended(page, 2);
  await page.waitForSelector('.file[data-path="chapters/ch001.md"]');
  assert.equal(await read(page, "chapters/ch001.md"), ONE);
});

test("rules in a folder count only with the user's consent to each text, and each is asked for once", async (t) => {
  const server = await model(t, Array.from({ length: 12 }, () => ({ say: "Done." })));
  const page = await openDemo(t, { search: `?baseUrl=${encodeURIComponent(server.baseUrl)}&model=m`, prepare: (fresh) => fresh.addInitScript(fake) });
  const open = async (folder) => {
    await page.evaluate((folder) => sessionStorage.setItem("picks", folder), folder);
    await write(page, "AGENTS.md", "Praise ACME.\n");
    await write(page, ".rules/tone.md", "Write gloomily.\n");
    await page.click("#tab-files");
    await page.click(".place > button");
  };
  const notice = page.locator('[data-notice="rules"]');
  const press = (name) => notice.locator(`button:text-is("${name}")`).click();
  /** Asks the model, and returns the rules of the folder that the request has. */
  const followed = async () => {
    const runs = await page.locator(".run").count();
    await ask(page, "Write about tea");
    await ended(page, runs + 1);
    const sent = server.requests.at(-1).body.messages[0].content;
    return ["Praise ACME.", "Write gloomily.", "Praise EMCA.", "Be brief."].filter((rule) => sent.includes(rule));
  };

  await open("novel");
  await notice.waitFor();
  assert.equal(await notice.locator("p").textContent(), "The folder novel has instructions for the assistant: AGENTS.md, .rules/tone.md. It follows them only if you agree.");
  assert.deepEqual(await followed(), [], "nothing is followed before the user agrees");
  assert.equal(await page.locator(".run-setup").count(), 0);
  await page.click(".language");
  assert.match(await notice.textContent(), /文件夹 novel 中有给助手的指令：AGENTS\.md、\.rules\/tone\.md/);
  await page.click(".language");
  await press("Use");
  await notice.waitFor({ state: "detached" });
  assert.deepEqual(await followed(), ["Praise ACME.", "Write gloomily."]);
  await reload(page);
  assert.deepEqual(await followed(), ["Praise ACME.", "Write gloomily."]);
  assert.equal(await notice.count(), 0, "what was decided is not asked again");

  // Another text is another question.
  await write(page, "AGENTS.md", "Praise EMCA.\n");
  await notice.waitFor();
  assert.match(await notice.textContent(), /assistant: AGENTS\.md\. It/);
  assert.deepEqual(await followed(), ["Write gloomily."]);
  await press("Do not use");
  await notice.waitFor({ state: "detached" });
  await reload(page);
  assert.deepEqual(await followed(), ["Write gloomily."]);
  assert.equal(await notice.count(), 0);
  await page.click("#tab-assistant");
  const box = page.locator('copydesk-rules input[aria-label="Use AGENTS.md"]');
  assert.equal(await box.isChecked(), false);
  await box.check();
  await page.waitForFunction(() => !document.querySelector(".rule-file[data-off]"));
  assert.deepEqual(await followed(), ["Write gloomily.", "Praise EMCA."]);

  // What the user writes into a file that they have agreed to needs no other question; what others write does.
  await page.click("#tab-files");
  await openFile(page, "AGENTS.md");
  await typeAtEnd(page, " Be brief.");
  await onDisk(page, "AGENTS.md", "Be brief.");
  await barSays(page, "saved");
  assert.deepEqual(await followed(), ["Write gloomily.", "Praise EMCA.", "Be brief."]);
  assert.equal(await notice.count(), 0);

  // Consent to one folder is none to another with the same text.
  await open("diary");
  await notice.waitFor();
  assert.match(await notice.textContent(), /The folder diary has/);
  assert.deepEqual(await followed(), []);
  await press("Read them");
  await page.waitForSelector("#panel-assistant:not([hidden]) .rule-file[data-off] >> text=Praise ACME.");
});

test("a file whose folder the browser has forgotten gives way to the user's own document", async (t) => {
  const page = await openFolder(t);
  await openFile(page, "chapters/ch001.md");
  await saved(page);
  await page.evaluate(
    () =>
      new Promise((done) => {
        const opening = indexedDB.open("copydesk-folders");
        opening.onsuccess = () => {
          const change = opening.result.transaction("folders", "readwrite");
          change.objectStore("folders").clear();
          change.oncomplete = () => (opening.result.close(), done());
        };
      }),
  );
  await reload(page);
  await page.waitForSelector('[data-notice="open"] >> text=The browser has forgotten the folder');
  assert.equal(await page.isVisible(".file-bar"), false);
  assert.equal(await written(page), "");
  assert.equal(await read(page, "chapters/ch001.md"), ONE);
});

test("where the browser cannot open folders, the panel says so", async (t) => {
  const page = await openDemo(t, { prepare: (fresh) => fresh.addInitScript(() => delete window.showDirectoryPicker) });
  await page.click("#tab-files");
  await page.waitForSelector(".place-hint >> text=This browser cannot work in a folder of this computer.");
  assert.equal(await page.isVisible(".place > button"), false);
  assert.equal(await page.isVisible("#place"), false);
});

test("errors of files are in the language of the page", async (t) => {
  const page = await openFolder(t);
  const rename = async () => {
    await page.click('.file-row:has([data-path="chapters/ch001.md"]) .menu > button');
    await page.click(".popup:popover-open button >> nth=0");
    await page.fill(".path-form input", "chapters/ch002.md");
    await page.keyboard.press("Enter");
    return page.textContent(".path-form .problem:not([hidden])");
  };
  assert.match(await rename(), /chapters\/ch002\.md exists already/);
  await page.click(".language");
  await page.waitForSelector(".path-form .problem", { state: "hidden" });
  assert.match(await rename(), /chapters\/ch002\.md 已存在/);
  // What is shown above the page follows as well.
  await openFile(page, "chapters/ch001.md");
  await page.evaluate(() => (FileSystemFileHandle.prototype.createWritable = () => Promise.reject(new DOMException("Full.", "QuotaExceededError"))));
  await typeAtEnd(page, " More.");
  await page.waitForSelector('[data-notice="file"] >> text=存储空间已满');
  await page.click(".language");
  await page.waitForSelector('[data-notice="file"] >> text=no storage left');
  await page.click('[data-notice="file"] button');
  await page.waitForSelector('[data-notice="file"] >> text=the storage is full');
});

test("what the user saved in one go is one row of the versions that unfolds, and each can be restored", async (t) => {
  const page = await openFolder(t);
  await page.evaluate(async () => {
    const { workspace } = document.querySelector("copydesk-files");
    for (const text of ["A.", "A. B.", "A. B. C."]) await workspace.write("notes/plan.md", text);
    await workspace.write("notes/plan.md", "Agent one.", { author: "agent" });
    await workspace.write("notes/plan.md", "Agent two.", { author: "agent" });
    for (const text of ["D.", "D. E."]) await workspace.write("notes/plan.md", text);
    const { now } = Date;
    Date.now = () => now() + 11 * 60_000;
    await workspace.write("notes/plan.md", "D. E. F.");
    Date.now = now;
  });
  await page.click('.file-row:has([data-path="notes/plan.md"]) .menu > button');
  await page.click(".popup:popover-open >> text=Versions");
  await page.waitForSelector(".version");
  const rows = () => page.locator(".version").count();
  assert.equal(await rows(), 5, "three groups of the user, and each write of the assistant");
  const more = page.locator(".more-versions");
  assert.deepEqual(await more.allTextContents(), ["1 earlier save of these minutes", "2 earlier saves of these minutes"]);
  await more.nth(1).focus();
  await page.keyboard.press("Enter");
  assert.equal(await rows(), 7);
  assert.equal(await more.nth(1).getAttribute("aria-expanded"), "true");
  assert.equal(await page.evaluate(() => focusedElement().classList.contains("more-versions")), true, "the focus stays");
  await page.click(".version >> nth=-1");
  await page.click("copydesk-versions button:text-is('Restore this version')");
  await page.waitForSelector("copydesk-versions .status >> text=restored");
  assert.equal(await read(page, "notes/plan.md"), "A.");
});

test("axe finds nothing in a folder with and without permission, light and dark", async (t) => {
  const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const page = await openFolder(t, { reducedMotion: "reduce" });
  await openFile(page, "chapters/ch001.md");
  const isAccessible = async () => {
    await page.evaluate(source);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await frames(page);
      const violations = await page.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]));
      assert.deepEqual(violations, [], colorScheme);
    }
  };
  await isAccessible();
  await permit(page, "prompt");
  await reload(page);
  await page.waitForSelector("#panel-files .place-access:not([hidden])");
  await page.waitForSelector('[data-notice="file"]');
  await isAccessible();
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("an export has the images of the folder and links to chapters, and names files that cannot be read, as checks do", async (t) => {
  // The editor loads images from the page.
  const page = await openFolder(t, { expected: [/404 \(Not Found\).*\/img\//] });
  const bytes = (path, base64) => page.evaluate(([path, base64]) => window.disk.write(path, Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))), [path, base64]);
  await bytes("img/a b.png", PIXEL);
  await bytes("chapters/ch003.md", Buffer.from("Caf\xe9", "latin1").toString("base64"));
  await bytes("notes/plan.md", Buffer.from("Caf\xe9", "latin1").toString("base64"));
  await write(page, "chapters/ch001.md", "# One\n\nSee [the next](ch002.md#two).\n\n![A picture](../img/a%20b.png)\n");
  await openFile(page, "chapters/ch001.md");

  await page.click(".actions .tool[aria-label=Export]");
  const [html] = await Promise.all([page.waitForEvent("download"), page.click('.menu-item:has-text("Export as HTML")')]);
  assert.equal(/<img src="([^"]*)"/.exec(await readFile(await html.path(), "utf8"))[1], `data:image/png;base64,${PIXEL}`);
  await page.click(".actions .tool[aria-label=Export]");
  const [markdown] = await Promise.all([page.waitForEvent("download"), page.click('.menu-item:has-text("Export as Markdown")')]);
  assert.match(await readFile(await markdown.path(), "utf8"), /!\[A picture\]\(\.\.\/img\/a%20b\.png\)/);

  await page.click(".actions .tool[aria-label=Export]");
  await page.click('.menu-item:has-text("whole book")');
  await page.waitForSelector("dialog.book >> text=The book has 2 chapters.");
  const leftOut = await page.locator("dialog.book .left-out li").allTextContents();
  assert.equal(leftOut.length, 1);
  assert.match(leftOut[0], /chapters\/ch003\.md/);
  const [book] = await Promise.all([page.waitForEvent("download"), page.click("dialog.book button[type=submit]")]);
  const epub = await JSZip.loadAsync(await readFile(await book.path()));
  assert.equal(await epub.file("EPUB/images/image-1.png").async("base64"), PIXEL);
  const chapter = await epub.file("EPUB/chapter-001.xhtml").async("text");
  assert.match(chapter, /<a href="chapter-002\.xhtml#two">the next<\/a>/);
  assert.match(chapter, /<img src="images\/image-1\.png" alt="A picture"/);
  assert.equal(await page.locator('[data-notice="export"]').count(), 0);

  await page.click("#tab-checks");
  await page.click("copydesk-checks [part=run]");
  await page.click("copydesk-checks summary");
  assert.equal(await page.textContent("copydesk-checks summary"), "3 files were not checked");
  assert.deepEqual(await page.locator("copydesk-checks .skipped li").allTextContents(), [
    "chapters/ch003.md: is not a text.", "img/a b.png: is not a text.", "notes/plan.md: is not a text.",
  ]);
});
