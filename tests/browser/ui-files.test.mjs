// `<copydesk-files>`, `<copydesk-versions>` and `<copydesk-diff>` on a workspace in memory.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import JSZip from "jszip";
import { openUi } from "./ui-page.mjs";

async function open(t, options = {}) {
  const { page } = await openUi(t, [], options);
  await page.evaluate(async () => {
    window.opened = [];
    addEventListener("open-file", ({ detail }) => opened.push(detail));
    window.workspace = await createWorkspace();
    await showPanel("files", { workspace });
  });
  await page.waitForSelector(".file");
  return page;
}
const call = (page, method, ...given) => page.evaluate(([method, given]) => workspace[method](...given), [method, given]);
const paths = (page) => page.$$eval(".file", (all) => all.map(({ dataset }) => dataset.path));
const act = async (page, path, item) => {
  await page.click(`.file-row:has([data-path="${path}"]) .menu > button`);
  await page.click(`.popup:popover-open >> text=${item}`);
};
const focused = (page) =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at.textContent.trim() || at.id;
  });

test("files are listed by folder and follow the workspace; the open one is marked", async (t) => {
  const page = await open(t);
  assert.deepEqual(await page.$$eval("[part=heading]", (all) => all.map(({ textContent }) => textContent)), ["chapters", "notes"]);
  await page.click('.file[data-path="notes/plan.md"]');
  assert.deepEqual(await page.evaluate(() => opened), [{ path: "notes/plan.md" }]);
  await page.evaluate(() => (panel.current = "notes/plan.md"));
  await page.waitForSelector('.file[aria-current="true"] >> text=plan.md');
  await page.focus('.file[data-path="chapters/ch002.md"]');
  await call(page, "write", "readme.md", "Read me.\n");
  await page.waitForSelector(".file >> text=readme.md");
  assert.equal(await focused(page), "ch002.md", "the focus stays");
  assert.ok((await paths(page)).includes("readme.md"));
  await call(page, "write", "notes/my own plan.md", "Mine.\n");
  await act(page, "notes/my own plan.md", "Delete");
  await page.waitForSelector("[part=status] >> text=notes/my own plan.md was deleted.");
  await page.evaluate(async () => (panel.workspace = await createWorkspace({})));
  await page.waitForSelector(".hint >> text=There are no files yet.");
  assert.equal(await page.locator("button >> text=Export").count(), 0);
});

test("a file is created, renamed, deleted and taken back by keyboard; what is wrong is said at the field", async (t) => {
  const page = await open(t);
  await page.focus("[part=create]");
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#path"), "chapters/ch003.md");
  assert.equal(await page.evaluate(() => getSelection().toString() || panel.shadowRoot.activeElement.value.slice(panel.shadowRoot.activeElement.selectionStart, panel.shadowRoot.activeElement.selectionEnd)), "ch003");
  await page.fill("#path", "../x.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#path-problem:visible");
  assert.equal(await page.getAttribute("#path", "aria-invalid"), "true");
  await page.fill("#path", "notes/idea.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.file[data-path="notes/idea.md"]');
  assert.equal(await page.locator("#path").count(), 0);
  assert.equal(await focused(page), "New file");
  await act(page, "notes/idea.md", "Rename");
  await page.fill("#path", "notes/plan.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#path-problem:visible");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#path").count(), 0);
  await act(page, "notes/idea.md", "Rename");
  await page.fill("#path", "idea.md");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.file[data-path="idea.md"]');
  await act(page, "notes/plan.md", "Delete");
  await page.waitForSelector("[part=status] >> text=notes/plan.md was deleted.");
  assert.equal(await focused(page), "Take back");
  await page.evaluate(() => (panel.locale = "zh-CN"));
  await page.waitForSelector("[part=status] >> text=已删除 notes/plan.md。");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.file[data-path="notes/plan.md"]');
  assert.equal(await page.textContent("[part=status]").then((text) => text.trim()), "");
});

test("versions are compared and restored; an own save is one of a group", async (t) => {
  const page = await open(t);
  await call(page, "write", "notes/plan.md", "Find a tin whistle.\nAnd play it.\n");
  await call(page, "write", "notes/plan.md", "Find a brass whistle.\nAnd play it.\n");
  await page.evaluate(() => workspace.write("notes/plan.md", "Find a silver whistle.\nAnd play it.\n", { author: "agent" }));
  await act(page, "notes/plan.md", "Versions");
  await page.waitForSelector(".version");
  assert.equal(await focused(page), "‹ Back to the files");
  assert.match(await page.textContent(".version >> nth=0"), /Assistant · current/);
  await page.click(".more-versions");
  await page.click(".version >> nth=-1");
  await page.waitForSelector("copydesk-diff ins");
  assert.equal(await page.textContent("copydesk-diff del"), "Find a tin whistle.\n");
  assert.equal(await page.getAttribute("copydesk-diff .diff", "aria-label"), "From this version to the file as it is now");
  await page.click("[part=restore]");
  await page.waitForSelector("[part=status] >> text=The version was restored.");
  assert.equal((await call(page, "read", "notes/plan.md")).text, "Find a tin whistle.\n");
  await page.click(".version >> nth=0");
  await page.waitForSelector(".hint >> text=The text is the same as now.");
  await page.click("[part=back]");
  await page.waitForSelector(".file");
  assert.equal(await focused(page), "plan.md");
});

test("a failure goes away with the next success, and a late one is not said of another file", async (t) => {
  const page = await open(t);
  await call(page, "write", "notes/plan.md", "Other.\n");
  await page.evaluate(() => {
    window.restores = [];
    workspace.restore = () => new Promise((resolve, reject) => restores.push({ resolve, reject }));
    return showPanel("versions", { workspace, path: "notes/plan.md" });
  });
  const compare = async () => {
    await page.click(".version >> nth=-1");
    await page.click("[part=restore]");
  };
  const fail = (message) => page.evaluate((message) => restores.at(-1).reject(new Error(message)), message);
  const said = () => page.textContent("[part=status]");
  await compare();
  await fail("There is no room.");
  await page.waitForSelector("[part=status] >> text=There is no room.");
  await page.click("[part=restore]");
  await page.waitForFunction(() => !panel.shadowRoot.querySelector("[part=status]").textContent);
  await fail("There is no room.");
  await page.waitForSelector("[part=status] >> text=There is no room.");
  await call(page, "write", "notes/plan.md", "Third.\n");
  await page.waitForFunction(() => !panel.shadowRoot.querySelector("[part=status]").textContent);
  await page.click("[part=restore]");
  await page.evaluate(() => ((panel.path = "chapters/ch001.md"), panel.updateComplete));
  await fail("Too late.");
  await page.evaluate(() => panel.updateComplete);
  assert.equal(await said(), "");
  await page.evaluate(() => {
    workspace.list = () => Promise.reject(new Error("There is no permission."));
    return showPanel("files", { workspace });
  });
  await page.waitForSelector("[part=status] >> text=There is no permission.");
  await page.evaluate(() => delete workspace.list);
  await call(page, "write", "new.md", "New.\n");
  await page.waitForSelector(".file");
  assert.equal((await said()).trim(), "");
});

test("versions have their times also with a language tag that is none", async (t) => {
  const page = await open(t);
  await call(page, "write", "notes/plan.md", "Other.\n");
  await page.evaluate(() => showPanel("versions", { workspace, path: "notes/plan.md", locale: "en_US" }));
  await page.waitForFunction(() => /\d/.test(panel.shadowRoot.querySelector("[part=time]")?.textContent));
});

test("what was done in a workspace is not told in another one", async (t) => {
  const page = await open(t);
  const outcome = (settle) => page.evaluate((settle) => (removal[settle](new Error("Too late.")), panel.updateComplete), settle);
  for (const settle of ["resolve", "reject"]) {
    await page.evaluate(() => {
      workspace.remove = () => new Promise((resolve, reject) => (window.removal = { resolve, reject }));
      window.removal = undefined;
    });
    await act(page, "notes/plan.md", "Delete");
    await page.waitForFunction(() => window.removal);
    await page.evaluate(async () => {
      panel.workspace = window.workspace = await createWorkspace({ "notes/plan.md": "Other.\n" });
      await panel.updateComplete;
    });
    await outcome(settle);
    await page.waitForSelector(".file");
    assert.equal((await page.textContent("[part=status]")).trim(), "");
  }
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.click("button >> text=Import").then(() => page.click(".popup:popover-open >> text=Import a zip file")),
  ]);
  await page.evaluate(async () => {
    panel.workspace = window.workspace = await createWorkspace({ "a.md": "A.\n" });
    await panel.updateComplete;
  });
  await chooser.setFiles({ name: "book.zip", mimeType: "application/zip", buffer: await new JSZip().file("b.md", "B.\n").generateAsync({ type: "nodebuffer" }) });
  await call(page, "write", "c.md", "C.\n");
  await page.waitForSelector('.file[data-path="c.md"]');
  assert.deepEqual(await paths(page), ["a.md", "c.md"]);
});

test("a zip file is written and read; files are replaced, and instructions added, when the user agrees", async (t) => {
  const page = await open(t);
  await page.click("button >> text=Export");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(".popup:popover-open >> text=Export as a zip file")]);
  const zip = await JSZip.loadAsync(await readFile(await download.path()));
  assert.deepEqual(Object.values(zip.files).filter(({ dir }) => !dir).map(({ name }) => name).sort(), ["chapters/ch001.md", "chapters/ch002.md", "notes/plan.md"]);
  zip.file("notes/plan.md", "Other.\n").file("AGENTS.md", "Obey.\n").file("new.md", "New.\n");
  await page.click("button >> text=Import");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click(".popup:popover-open >> text=Import a zip file")]);
  await chooser.setFiles({ name: "book.zip", mimeType: "application/zip", buffer: await zip.generateAsync({ type: "nodebuffer" }) });
  await page.waitForSelector("[part=status] >> text=imported");
  assert.ok((await paths(page)).includes("new.md"));
  assert.equal((await call(page, "read", "notes/plan.md")).text, "Find a tin whistle.\n");
  await page.click("[part=status] button >> text=Replace the existing files");
  await page.waitForFunction(async () => (await workspace.read("notes/plan.md")).text === "Other.\n");
  await page.click("[part=status] button >> text=Import these instructions for the assistant: AGENTS.md");
  await page.waitForSelector('.file[data-path="AGENTS.md"]');
});

test("a workspace that fails is a sentence, and refresh lists it again; nothing can be changed while disabled", async (t) => {
  const page = await open(t);
  await page.evaluate(() => {
    const list = async () => {
      if (window.isOpen) return workspace.list();
      throw new Error("There is no permission.");
    };
    panel.workspace = Object.assign(Object.create(workspace), { list, watch: () => () => {} });
  });
  await page.waitForSelector("[part=status] >> text=There is no permission.");
  await page.evaluate(() => ((window.isOpen = true), panel.refresh()));
  await page.waitForSelector(".file");
  assert.equal(await page.textContent("[part=status]").then((text) => text.trim()), "");
  await page.evaluate(() => ((panel.disabled = true), panel.updateComplete));
  assert.equal(await page.locator("[part=create]:disabled").count(), 1);
  await page.click(".file-row .menu > button >> nth=0");
  assert.deepEqual(await page.$$eval(".popup:popover-open .menu-item", (all) => all.map(({ textContent }) => textContent)), ["Versions"]);
});

test("a diff shows changed words, counts what stayed, and says what it needs", async (t) => {
  const { page } = await openUi(t);
  const same = Array.from({ length: 9 }, (_, at) => `Line ${at}.`).join("\n");
  await page.evaluate((same) => showPanel("diff", { oldText: `水是热的。\n${same}\nOld.\n`, newText: `水是冷的。\n${same}\nNew.\n`, label: "Both" }), same);
  await page.waitForSelector("copydesk-diff ins");
  assert.deepEqual(await page.$$eval("copydesk-diff mark", (all) => all.map(({ textContent }) => textContent)), ["热", "冷", "Old", "New"]);
  assert.equal(await page.textContent(".gap"), "7 unchanged lines");
  await page.evaluate(() => (panel.newText = undefined));
  await page.waitForSelector("copydesk-diff [part=empty]", { state: "attached" });
  await page.evaluate(() => Object.assign(panel, { oldText: null, newText: "new" }).updateComplete);
  await page.waitForSelector("copydesk-diff [part=empty]", { state: "attached" });
});

test("a menu that closes gives the focus to its button; Home and End move in it", async (t) => {
  const page = await open(t);
  const button = '.file-row:has([data-path="notes/plan.md"]) .menu > button';
  await page.focus(button);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".menu-item:focus");
  const first = await focused(page);
  await page.keyboard.press("End");
  assert.notEqual(await focused(page), first);
  await page.keyboard.press("Home");
  assert.equal(await focused(page), first);
  await page.keyboard.press("Escape");
  await page.waitForSelector(".popup:popover-open", { state: "detached" });
  assert.equal(await focused(page), "⋯");
});
