// Folders of Obsidian, VitePress and a Chinese novelist, edited in the demo with the keyboard and the mouse. Judged by git:
// its diff has what was typed, in the lines where it was typed, and nothing else.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fake, readBytes, writeBytes } from "./demo-disk.mjs";
import { openDemo } from "./demo-page.mjs";

const FOLDERS = new URL("../fixtures/folders/", import.meta.url).pathname;

/** Text that is typed behind other text of the document, and the part of a line that changes, before and after. */
const typed = (after, keys, before, now) => ({ after, keys, change: [before, now] });

const EDITS = {
  obsidian: {
    "Tea.md": [
      typed("Tea #drinks/hot", " daily", "# Tea #drinks/hot", "# Tea #drinks/hot daily"),
      typed("Brewed", " slowly", "Brewed [time::", "Brewed slowly [time::"),
      typed("and $x_1 + x_2$ is a", " short", "is a formula", "is a short formula"),
      typed("The leaves take", " all", "> The leaves take smells.", "> The leaves take all smells."),
      typed("Not a glass", " jar", "> > Not a glass.", "> > Not a glass jar."),
      typed("Green", " tea", "| Green  |", "| Green tea  |"),
      typed("another kind", "s", "* another kind", "* another kinds"),
      typed("not a list of", " my", "not a list of tasks", "not a list of my tasks"),
      typed("The end", " of it", "The end. ^end-of-tea", "The end of it. ^end-of-tea"),
    ],
    "Daily/2026-03-01.md": [
      typed("buy", " green", "- [ ] buy tea", "- [ ] buy green tea"),
      typed("half", " of it", "- [/] half done", "- [/] half of it done"),
      typed("mood:: good", " again", "mood:: good", "mood:: good again"),
      typed("A last", " long", "A last line", "A last long line"),
    ],
  },
  site: {
    "index.md": [
      typed("Use soft", " fresh", "Use soft water.", "Use soft fresh water."),
      typed("The count is {{ count }}", " now", "{{ count }}.", "{{ count }} now."),
      typed("one", " more", "- one", "- one more"),
      typed("const a = 1", "0", "const a = 1 //", "const a = 10 //"),
    ],
    "guide/start.md": [
      typed("Getting", " well", "Getting started", "Getting well started"),
      typed("Hot water", " always", "> Hot water", "> Hot water always"),
      typed("Boil", " the", "1. Boil<br>", "1. Boil the<br>"),
      typed("three", " long", "   three minutes", "   three long minutes"),
      typed("Its", " own", ": Its definition", ": Its own definition"),
      typed("A paragraph with", " half", "A paragraph with a class\\", "A paragraph with half a class\\"),
      typed("See", " also", "See [the guide][]", "See also [the guide][]"),
    ],
  },
  novel: {
    "第一章.md": [
      typed("雨下了一夜，她", "还", "　　雨下了一夜，她没有睡。", "　　雨下了一夜，她还没有睡。"),
      typed("窗外的灯", "火", "　　窗外的灯一盏", "　　窗外的灯火一盏"),
      typed("没有人说话", "了", "**没有人**说话。", "**没有人**说话了。"),
      typed("走吧", "！快！", "　　她说：“走吧。”", "　　她说：“走吧！快！。”"),
    ],
    "第二章.md": [
      typed("没有人记得", "那些", "没有人记得了。", "没有人记得那些了。"),
      typed("我是她的", "亲", "“我是*她*的哥哥。”", "“我是*她*的亲哥哥。”"),
    ],
    "第三章.md": [typed("她回到了", "旧", "　　她回到了茶馆。", "　　她回到了旧茶馆。")],
  },
};

const encodingOf = (path) => (path === "第三章.md" ? "gbk" : "utf-8");
const openFile = async (page, path) => {
  await page.click(`.file[data-path="${path}"]`);
  await page.waitForFunction((path) => document.querySelector(".file-path")?.textContent === path, path);
};
const isSaved = (page) => page.waitForFunction(() => document.querySelector(".file-state")?.dataset.state === "saved");
/** Waits until all that was typed is in the file: the editor hears of a key in a task of its own. */
const isWritten = (page, path, edits) =>
  page.waitForFunction(
    async ([path, encoding, parts]) => {
      const text = new TextDecoder(encoding).decode(Uint8Array.from(await window.disk.bytes(path)));
      return parts.every((part) => text.includes(part));
    },
    [path, encodingOf(path), edits.map(({ change }) => change[1])],
  );

/** Puts the cursor behind a text of the document and types. */
async function type(page, { after, keys }) {
  await page.evaluate((after) => {
    const { editor } = document.querySelector(".tiptap");
    let at;
    editor.state.doc.descendants((node, position) => {
      // A leaf is one position wide.
      const index = node.isTextblock && at === undefined ? node.textBetween(0, node.content.size, "", "\n").indexOf(after) : -1;
      if (index >= 0) at = position + 1 + index + after.length;
    });
    if (at === undefined) throw new Error(`no “${after}” in ${editor.getText()}`);
    editor.commands.focus(at, { scrollIntoView: false });
  }, after);
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
  await page.keyboard.type(keys);
}

/** A folder with files under git, for its diff. */
function repository(t, from) {
  const dir = mkdtempSync(join(tmpdir(), "copydesk-notes-"));
  t.after(() => rmSync(dir, { recursive: true }));
  cpSync(from, dir, { recursive: true });
  const git = (...args) =>
    execFileSync("git", ["-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "-c", "core.quotePath=false", "-c", "user.name=a", "-c", "user.email=a@a.example", ...args], { cwd: dir });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message=before");
  return { dir, diff: () => git("diff", "--text", "--unified=0", "--no-color", "--no-ext-diff") };
}

/** The removed and the added lines of a diff by its files. */
function changesIn(diff, encodingOf) {
  const files = {};
  for (const part of diff.toString("latin1").split(/^(?=diff --git )/m).filter(Boolean)) {
    const path = Buffer.from(/^\+\+\+ b\/(.*?)\t?$/m.exec(part)[1], "latin1").toString("utf8");
    const text = new TextDecoder(encodingOf(path)).decode(Buffer.from(part.slice(part.indexOf("\n@@")), "latin1"));
    files[path] = text.split("\n").filter((line) => /^[-+]/.test(line));
  }
  return files;
}

/** The lines of a diff that has the changes of edits only. */
function expectedIn(source, edits) {
  const lines = source.split("\n");
  const changed = lines.map((line) => edits.reduce((now, { change: [before, after] }) => now.replace(before, () => after), line));
  return { lines, changed };
}

for (const [name, files] of Object.entries(EDITS)) {
  test(`the diff of a folder has what was typed, and nothing else: ${name}`, async (t) => {
    const folder = join(FOLDERS, name);
    const { dir, diff } = repository(t, folder);
    const page = await openDemo(t, { prepare: (fresh) => fresh.addInitScript(fake) });
    const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".md"));
    for (const path of paths) await writeBytes(page, path, readFileSync(join(folder, path)));
    await page.click("#tab-files");
    await page.click(".place > button");
    for (const path of paths) {
      // Reading alone writes nothing.
      await openFile(page, path);
      await isSaved(page);
    }
    for (const path of paths) assert.deepEqual(await readBytes(page, path), readFileSync(join(folder, path)), path);
    assert.equal(String(diff()), "");

    for (const [path, edits] of Object.entries(files)) {
      await openFile(page, path);
      for (const edit of edits) await type(page, edit);
      await isWritten(page, path, edits);
      await isSaved(page);
    }
    for (const path of paths) writeFileSync(join(dir, path), await readBytes(page, path));

    const changes = changesIn(diff(), encodingOf);
    assert.deepEqual(Object.keys(changes).sort(), Object.keys(files).sort());
    for (const [path, edits] of Object.entries(files)) {
      const source = new TextDecoder(encodingOf(path), { ignoreBOM: true }).decode(readFileSync(join(folder, path)));
      const { lines, changed } = expectedIn(source, edits);
      const differing = lines.flatMap((line, at) => (line === changed[at] ? [] : [[line, changed[at]]]));
      assert.ok(differing.length > 0 && edits.every(({ change: [before] }) => source.includes(before)), path);
      const [removed, added] = ["-", "+"].map((sign) => changes[path].filter((line) => line[0] === sign).map((line) => line.slice(1)));
      assert.deepEqual(added, differing.map(([, now]) => now), path);
      assert.deepEqual(removed, differing.map(([before]) => before), path);
    }
  });
}
