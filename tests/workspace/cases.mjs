// What all workspaces have in common. Each case gets a `place`: `open(options)` opens the workspace that the case has
// alone, again and again; `isLasting` tells that its files outlive it.

import { failure, same } from "./expect.mjs";

export const cases = {
  async "a written file is read, listed and overwritten"({ open }) {
    const files = open();
    const { path, version, created } = await files.write("chapters/ch001.md", "第一章\n");
    same({ path, version, created }, { path: "chapters/ch001.md", version: version, created: true });
    same(await files.read("chapters/ch001.md"), { path, text: "第一章\n", version, size: 10 });
    same((await files.write(path, "")).created, false);
    await files.write("a.md", "a");
    const listed = await files.list();
    same(listed.map(({ path, size }) => [path, size]), [["a.md", 1], ["chapters/ch001.md", 0]]);
    for (const { modified } of listed) same(typeof modified, "number");
    await failure(files.read("chapters"), "file_not_found");
    await failure(files.read("chapters/ch001.md/x"), "file_not_found");
    const { message, details } = await failure(files.read("none.md"), "file_not_found");
    same([message, details], ["There is no file none.md. List the files to see their paths.", { path: "none.md" }]);
  },

  async "a version is the first 16 digits of the SHA-256 of the text in UTF-8"({ open }) {
    const files = open();
    same((await files.write("a", "abc")).version, "ba7816bf8f01cfea");
    same((await files.write("b", "")).version, "e3b0c44298fc1c14");
    same((await files.read("a")).version, "ba7816bf8f01cfea");
  },

  async "any text comes back as it was"({ open }) {
    const files = open();
    for (const text of ["\ufeffa\r\nb\rc\n\n", "🍵 茶\u2028", "\u0001\t\u0300", "x".repeat(200_000)]) {
      await files.write("a.md", text);
      same((await files.read("a.md")).text, text);
    }
  },

  async "a write of an agent keeps the byte order mark of the file, which models do not see"({ open }) {
    const files = open();
    const { version } = await files.write("a.md", "\ufeffone");
    const written = await files.write("a.md", "two", { author: "agent", expected: version });
    same((await files.read("a.md")).text, "\ufefftwo");
    same((await files.read("a.md")).version, written.version);
    await files.write("a.md", "\ufeffthree", { author: "agent" });
    same((await files.read("a.md")).text, "\ufeffthree");
    await files.write("a.md", "four");
    await files.write("a.md", "five", { author: "agent" });
    same((await files.read("a.md")).text, "five");
  },

  async "a write that expects another version is refused"({ open }) {
    const files = open();
    const { version } = await files.write("a.md", "one", { expected: null });
    same((await failure(files.write("a.md", "two", { expected: null }), "file_exists")).details, { path: "a.md", version });
    const second = await files.write("a.md", "two", { expected: version });
    const { details } = await failure(files.write("a.md", "three", { expected: version }), "file_changed");
    same(details, { path: "a.md", expected: version, version: second.version });
    await failure(files.write("b.md", "three", { expected: version }), "file_changed");
    await failure(files.remove("a.md", { expected: version }), "file_changed");
    await failure(files.write("a.md", "x", { expected: 1 }), "invalid_parameter");
    await failure(files.write("a.md", "x", { author: "model" }), "invalid_parameter");
    await failure(files.write("a.md", 5), "invalid_parameter");
    same((await files.read("a.md")).text, "two");
    same((await files.versions("a.md")).length, 2);
  },

  async "of writes at the same time that expect the same version one succeeds"({ open }) {
    const files = open();
    const { version } = await files.write("a.md", "0");
    const writes = Array.from({ length: 8 }, (_, at) => files.write("a.md", `${at + 1}`, { expected: version }));
    const outcomes = await Promise.all(writes.map((write) => write.then(() => "written", ({ code }) => code)));
    same(outcomes.sort(), [...Array(7).fill("file_changed"), "written"]);
    same((await files.versions("a.md")).length, 2);
  },

  async "writes to one path happen in their order"({ open }) {
    const files = open();
    const all = Array.from({ length: 12 }, (_, at) => `${at}`.repeat(at * 500 + 1));
    await Promise.all(all.map((text) => files.write("a.md", text)));
    same((await files.read("a.md")).text, all.at(-1));
    const versions = await files.versions("a.md");
    const texts = [];
    for (const { id } of versions) texts.push(await files.readVersion("a.md", id));
    same(texts.reverse(), all);
  },

  async "every write is a version, which can be read and restored"({ open }) {
    const files = open();
    const before = Date.now();
    const one = await files.write("a.md", "one");
    const two = await files.write("a.md", "two 🍵", { author: "agent", note: "edit_file" });
    const [second, first, ...none] = await files.versions("a.md");
    same(none, []);
    const { id, time, ...rest } = second;
    same(rest, { author: "agent", note: "edit_file", size: 8, version: two.version });
    same(time >= before && time <= Date.now(), true);
    same([first.author, first.size, first.version, "note" in first], ["user", 3, one.version, false]);
    same(await files.readVersion("a.md", first.id), "one");
    same(await files.restore("a.md", first.id), { path: "a.md", version: one.version, created: false });
    same((await files.read("a.md")).text, "one");
    same((await files.versions("a.md")).map(({ note }) => note ?? null), [first.id, "edit_file", null]);
    for (const wrong of ["7", "../1", "", id + "x"]) await failure(files.readVersion("a.md", wrong), "version_not_found");
    await failure(files.restore("b.md", id), "version_not_found");
    same(await files.versions("b.md"), []);
  },

  async "a write of the same text makes no version"({ open }) {
    const files = open();
    const heard = [];
    files.watch((change) => heard.push(change.kind));
    const first = await files.write("a.md", "one");
    same(await files.write("a.md", "one"), { ...first, created: false });
    same([(await files.versions("a.md")).length, heard], [1, ["written"]]);
  },

  async "a removed file is gone, and its versions stay"({ open }) {
    const files = open();
    const { version } = await files.write("notes/a.md", "one");
    await files.remove("notes/a.md", { author: "agent", expected: version });
    await failure(files.read("notes/a.md"), "file_not_found");
    await failure(files.remove("notes/a.md"), "file_not_found");
    same(await files.list(), []);
    const [removal, write] = await files.versions("notes/a.md");
    same([removal.removed, removal.author, removal.size, "version" in removal], [true, "agent", 0, false]);
    await failure(files.readVersion("notes/a.md", removal.id), "version_not_found");
    same(await files.restore("notes/a.md", write.id), { path: "notes/a.md", version, created: true });
    same((await files.versions("notes/a.md")).length, 3);
  },

  async "a renamed file has its text at the new path only"({ open }) {
    const files = open();
    const heard = [];
    const { version } = await files.write("a.md", "one");
    await files.write("taken.md", "two");
    files.watch((change) => heard.push(change));
    await failure(files.rename("a.md", "taken.md"), "file_exists");
    await failure(files.rename("none.md", "b.md"), "file_not_found");
    await files.rename("a.md", "a.md");
    await files.rename("a.md", "b/c.md");
    same((await files.list()).map(({ path }) => path), ["b/c.md", "taken.md"]);
    same(heard, [{ path: "b/c.md", kind: "renamed", author: "user", version, from: "a.md" }]);
    same((await files.versions("b/c.md")).map(({ note, version }) => [note, version]), [["a.md", version]]);
    same((await files.versions("a.md")).map(({ note, removed }) => [note ?? null, !!removed]), [["b/c.md", true], [null, false]]);
    // Two that swap wait for each other's paths in one order.
    const swaps = [files.rename("b/c.md", "taken.md"), files.rename("taken.md", "b/c.md")];
    same((await Promise.allSettled(swaps)).map(({ reason }) => reason?.code), ["file_exists", "file_exists"]);
  },

  async "a file cannot be a folder"({ open }) {
    const files = open();
    await files.write("a/b.md", "one");
    same((await failure(files.write("a", "x"), "invalid_path")).details, { path: "a", reason: "a is a folder" });
    same((await failure(files.write("a/b.md/c", "x"), "invalid_path")).details.reason, "a/b.md is a file, not a folder");
    await failure(files.write("a/b.md/c/d", "x"), "invalid_path");
    await failure(files.remove("a"), "file_not_found");
    await files.write("a-b", "beside");
    await files.remove("a/b.md");
    // The folder went with its last file.
    await files.write("a", "a file");
    same((await files.list()).map(({ path }) => path), ["a", "a-b"]);
    same((await files.versions("a")).length, 1);
  },

  async "paths that lead out, or that some system refuses, are invalid everywhere"({ open }) {
    const files = open();
    const wrong = [
      "", "/a", "a/", "a//b", ".", "..", "../../x", "a/../b", "./a", "a/.", "C:/a", "c:", "a\\b", "..\\x", "\\\\server\\a",
      ".git/config", "a/.env", ".copydesk/history/x", "con", "CON", "con.md", "a/nul.txt", "Com1.tar.gz", "lpt¹", "aux .md",
      "a?.md", "a*", "a<b", "a>b", 'a"b', "a|b", "a:b", "a.", "a ", "a. /b", " a", "a\0b", "a\nb", "a\u202eb", "a\ufeffb",
      "a\ud83d", "x".repeat(241), "文".repeat(81), Array(300).fill("abcd").join("/"), "file:///etc/passwd", "a\u0085", "a/..",
    ];
    for (const path of wrong) {
      for (const call of [() => files.read(path), () => files.write(path, "x"), () => files.remove(path), () => files.versions(path), () => files.rename("a.md", path)]) {
        await failure(call(), "invalid_path");
      }
    }
    for (const path of [undefined, null, 5, {}, ["a"]]) await failure(files.read(path), "invalid_path");
    same(await files.list(), []);
    const { message } = await failure(files.write("../../x", ""), "invalid_path");
    same(message, "../../x is not a valid path: it contains the part ... Use a relative path such as chapters/ch001.md.");
  },

  async "names in any script, with emoji and up to the limit are valid"({ open }) {
    const files = open();
    const paths = ["第一卷/第１章：开始.md".replace("：", "-"), "👨‍👩‍👧.md", "console.md", "com10", "a b/c (1) & 'd' #1 %41 [x].md", "x".repeat(240), "文".repeat(80), "a..b", "~a", "-rf", "é.md", "constructor", "__proto__"];
    for (const path of paths) await files.write(path, path);
    for (const path of paths) same((await files.read(path)).text, path);
    same((await files.list()).map(({ path }) => path), [...paths].sort());
  },

  async "a name is the same name in every form of Unicode"({ open }) {
    const files = open();
    const [composed, decomposed] = ["caf\u00e9/\u1e69.md", "cafe\u0301/s\u0307\u0323.md"];
    same((await files.write(decomposed, "one")).path, composed);
    same((await files.read(composed)).path, composed);
    same((await files.write(composed, "two")).created, false);
    same((await files.list()).map(({ path }) => path), [composed]);
    same((await files.versions(decomposed)).length, 2);
  },

  async "what is not text is not written, and neither is what is too large"({ open }) {
    const files = open();
    for (const text of ["a\0b", "\ud800", "a\udfff"]) await failure(files.write("a.md", text), "not_text");
    const limit = 10 * 1024 * 1024;
    const { details } = await failure(files.write("a.md", "文".repeat(limit / 3 + 1)), "file_too_large");
    same(details, { path: "a.md", size: limit + 2, limit });
    same(await files.list(), []);
    // One line of 10 MB.
    await files.write("a.md", "x".repeat(limit));
    same((await files.read("a.md")).size, limit);
  },

  async "errors are in the language of the workspace"({ open }) {
    const files = open({ locale: "zh-CN" });
    const { message } = await failure(files.read("chapters/ch999.md"), "file_not_found");
    same(message, "文件不存在：chapters/ch999.md。请先列出文件，查看它们的路径。");
    same((await failure(files.read("/etc"), "invalid_path")).message, "/etc 不是有效的路径：它是绝对路径。请使用相对路径，例如 chapters/ch001.md。");
  },

  async "listeners hear of each change until they are removed"({ open }) {
    const files = open();
    const heard = [];
    const stop = files.watch((change) => heard.push(change));
    const { version } = await files.write("a.md", "one", { author: "agent" });
    await files.remove("a.md");
    await failure(files.write("a.md", "x", { expected: version }), "file_changed");
    same(heard, [
      { path: "a.md", kind: "written", author: "agent", version },
      { path: "a.md", kind: "removed", author: "user" },
    ]);
    stop();
    await files.write("a.md", "two");
    same(heard.length, 2);
    await failure(Promise.resolve().then(() => files.watch("x")), "invalid_parameter");
  },

  async "all texts are read in batches"({ open }) {
    const files = open();
    const texts = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}.md`, `${at} `.repeat(at * 400)]));
    await Promise.all(Object.entries(texts).map(([path, text]) => files.write(path, text)));
    const found = {};
    let batches = 0;
    for await (const batch of files.readAll()) {
      batches++;
      for (const { path, text } of batch) found[path] = text;
    }
    same(batches > 1, true);
    const sorted = (object) => Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1));
    same(sorted(found), sorted(texts));
  },

  async "a closed workspace is opened again with its files and versions"({ open, isLasting }) {
    const files = open();
    const { version } = await files.write("a/b.md", "one");
    await files.write("a/b.md", "two");
    // What is under way is finished.
    const last = files.write("c.md", "three");
    await files.close();
    await last;
    await files.close();
    for (const call of [() => files.read("a/b.md"), () => files.write("a/b.md", "x"), () => files.list(), async () => files.watch(() => {})]) {
      await failure(call(), "disposed");
    }
    if (!isLasting) return;
    const again = open();
    same((await again.list()).map(({ path }) => path), ["a/b.md", "c.md"]);
    const versions = await again.versions("a/b.md");
    same(versions.at(-1).version, version);
    same(await again.readVersion("a/b.md", versions.at(-1).id), "one");
    same((await again.write("a/b.md", "four", { expected: (await again.read("a/b.md")).version })).created, false);
    same((await again.versions("a/b.md")).length, 3);
  },
};
