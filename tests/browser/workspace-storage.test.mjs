// What workspaces of a page do when tabs share them, storage is full, permission ends, or a page is killed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { opener } from "./harness.mjs";

const open = opener("workspace");

/** Opens the same page in another tab. */
async function tab(page) {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => window.ready);
  return other;
}

test("a damaged row of the database is named, and the other files are used", async (t) => {
  const page = await open(t, { expected: [/its stored data is damaged/] });
  const outcome = await page.evaluate(async () => {
    const files = indexedDBWorkspace("damaged", { locale: "en" });
    const texts = { missing: undefined, number: 5, object: { a: 1 }, bytes: new Uint8Array(9), list: ["tea"], none: null };
    for (const name of Object.keys(texts)) await files.write(`${name}.md`, "tea");
    for (const name of ["row", "version", "whole"]) await files.write(`${name}.md`, "tea");
    const database = await new Promise((done) => (indexedDB.open("copydesk-workspace-damaged").onsuccess = ({ target }) => done(target.result)));
    const change = database.transaction(["files", "texts", "versions"], "readwrite");
    for (const [name, text] of Object.entries(texts)) {
      if (text === undefined) change.objectStore("texts").delete(`${name}.md`);
      else change.objectStore("texts").put(text, `${name}.md`);
    }
    change.objectStore("files").put({ path: "row.md", size: "large" });
    change.objectStore("versions").put({ path: "version.md", number: 2, entry: "x" });
    await new Promise((done) => (change.oncomplete = done));
    database.close();
    const reads = {};
    for (const name of [...Object.keys(texts), "row"]) {
      const { code, details } = await files.read(`${name}.md`).catch((error) => error);
      reads[name] = [code, details?.path];
    }
    const found = await files.search({ pattern: "tea" });
    const timeline = await files.check("timeline");
    const listed = (await files.list()).length;
    const versions = (await files.versions("version.md")).length;
    // A version takes the place of what is damaged.
    const [{ id }] = await files.versions("object.md");
    await files.restore("object.md", id);
    const restored = (await files.read("object.md")).text;
    await files.close();
    return { reads, found: found.matches.map(({ path }) => path), errors: timeline.errors, listed, versions, restored };
  });
  const names = ["missing", "number", "object", "bytes", "list", "none", "row"];
  assert.deepEqual(outcome, {
    reads: Object.fromEntries(names.map((name) => [name, ["storage_failed", `${name}.md`]])),
    found: ["row.md", "version.md", "whole.md"],
    errors: [],
    listed: 8,
    versions: 1,
    restored: "tea",
  });
});

test("tabs with the same workspace see each other's changes, and only one of two writes succeeds", async (t) => {
  const one = await open(t);
  const other = await tab(one);
  for (const page of [one, other]) {
    await page.evaluate(() => {
      window.files = indexedDBWorkspace("shared", { locale: "en" });
      window.heard = [];
      files.watch((change) => heard.push(change));
    });
  }
  const { version } = await one.evaluate(() => files.write("a.md", "one", { author: "agent" }));
  await other.waitForFunction(() => heard.length === 1);
  assert.deepEqual(await other.evaluate(() => heard), [{ path: "a.md", kind: "written", author: "agent", version }]);
  assert.equal(await other.evaluate(async () => (await files.read("a.md")).text), "one");
  for (let round = 0; round < 10; round++) {
    const write = (page, text) =>
      page.evaluate(
        async ([text]) => {
          const { version } = await files.read("a.md");
          await new Promise((resolve) => setTimeout(resolve, 20));
          return files.write("a.md", text, { expected: version }).then(() => "written", ({ code }) => code);
        },
        [text],
      );
    const outcomes = await Promise.all([write(one, `one ${round}`), write(other, `other ${round}`)]);
    const written = outcomes.filter((outcome) => outcome === "written").length;
    assert.ok(written >= 1 && outcomes.every((outcome) => ["written", "file_changed"].includes(outcome)), outcomes.join());
    // Both succeeded only one after the other: the versions tell.
    const texts = await one.evaluate(async () => {
      const texts = [];
      for (const { id } of (await files.versions("a.md")).slice(0, 2)) texts.push(await files.readVersion("a.md", id));
      return texts;
    });
    assert.equal(texts.filter((text) => text.endsWith(` ${round}`)).length, written);
  }
  await one.evaluate(() => files.rename("a.md", "b.md"));
  await other.waitForFunction(() => heard.at(-1).kind === "renamed" && heard.at(-1).from === "a.md");
  await one.evaluate(() => files.remove("b.md"));
  await other.waitForFunction(() => heard.at(-1).kind === "removed");
  // Another tab that deletes the database is not blocked, and the workspace goes on with an empty one.
  await other.evaluate(() => new Promise((done, failed) => Object.assign(indexedDB.deleteDatabase("copydesk-workspace-shared"), { onsuccess: done, onerror: failed, onblocked: failed })));
  assert.deepEqual(await one.evaluate(() => files.list()), []);
  assert.equal(await one.evaluate(async () => (await files.write("a.md", "again")).created), true);
});

for (const kind of ["IndexedDB", "folder"]) {
  test(`a full storage is an error, and the old text stays: ${kind}`, async (t) => {
    const page = await open(t);
    const cdp = await page.context().newCDPSession(page);
    // Before the first use: Chromium remembers for a while how much is left.
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin, quotaSize: 3_000_000 });
    await page.evaluate(async (kind) => {
      window.files = (await placeOf(kind)).open();
      await files.write("a.md", "old");
    }, kind);
    const error = await page.evaluate(async () => {
      for (let at = 0; at < 40; at++) {
        // Text that does not compress.
        const part = () => Array.from(crypto.getRandomValues(new Uint32Array(16_000)), (number) => number.toString(36)).join("");
        const text = part() + part() + part();
        try {
          await files.write(at % 2 ? "a.md" : `b${at}.md`, text);
          window.last = at % 2 ? text : window.last;
        } catch ({ code, message }) {
          const { text } = await files.read("a.md");
          return { code, message, isOld: text === (window.last ?? "old") };
        }
      }
      return undefined;
    });
    assert.equal(error?.code, "storage_full", JSON.stringify(error));
    assert.ok(error.isOld);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin: new URL(page.url()).origin });
    assert.equal(await page.evaluate(async () => (await files.write("a.md", "new")).created), false);
  });

  test(`a page that is killed while it writes leaves the old or the new text: ${kind}`, async (t) => {
    const first = await open(t);
    const context = first.context();
    // Without a page the context would end the storage.
    let last = 0;
    for (let run = 0; run < 6; run++) {
      const page = await tab(first);
      const cdp = await context.newCDPSession(page);
      await page.exposeFunction("written", (number) => (last = Math.max(last, number)));
      const begun = page.evaluate(
        async ([kind, from]) => {
          const files = await openNamed(kind, "crash");
          window.writing = (async () => {
            for (let at = from; ; at++) {
              await files.write("book.md", String(at).padStart(9, "0").repeat(50_000));
              await files.write(`new/${at}.md`, String(at).padStart(9, "0").repeat(1000));
              written(at);
            }
          })();
        },
        [kind, last + 1],
      );
      await begun;
      const reached = last + 1;
      while (last < reached) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      const gone = new Promise((resolve) => page.on("crash", resolve));
      cdp.send("Page.crash").catch(() => {});
      await gone;
      await page.close();
      const known = last;
      const found = await first.evaluate(async (kind) => {
        const files = await openNamed(kind, "crash");
        const wrong = [];
        const isWhole = (text, times) => text.length === 9 * times && text === text.slice(0, 9).repeat(times);
        const { text } = await files.read("book.md");
        if (!isWhole(text, 50_000)) wrong.push(`book.md: ${text.length}`);
        for (const { path } of await files.list()) {
          if (path.startsWith("new/") && !isWhole((await files.read(path)).text, 1000)) wrong.push(path);
        }
        for (const { id, size } of await files.versions("book.md")) {
          const { length } = await files.readVersion("book.md", id);
          if (length !== size) wrong.push(`version ${id}: ${length}`);
        }
        await files.close();
        return { wrong, number: Number(text.slice(0, 9)) };
      }, kind);
      assert.deepEqual(found.wrong, []);
      assert.ok(found.number >= known, `${found.number} is at least ${known}, which was reported`);
      last = Math.max(last, found.number);
    }
  });
}

test("of tabs that write the same version of a file in a folder one succeeds", async (t) => {
  const one = await open(t);
  const tabs = [one, await tab(one), await tab(one)];
  await one.evaluate(async () => (await openNamed("folder", "counted")).write("count.txt", "0"));
  const counts = tabs.map((page) =>
    page.evaluate(async () => {
      const files = await openNamed("folder", "counted");
      let count = 0;
      while (count < 10) {
        const { text, version } = await files.read("count.txt");
        const write = files.write("count.txt", `${Number(text) + 1}`, { expected: version });
        if ((await write.then(() => "written", ({ code }) => code)) === "written") count++;
      }
    }),
  );
  await Promise.all(counts);
  const found = await one.evaluate(async () => {
    const files = await openNamed("folder", "counted");
    return { text: (await files.read("count.txt")).text, versions: (await files.versions("count.txt")).length };
  });
  assert.deepEqual(found, { text: "30", versions: 31 });
});

test("a file is read while another tab replaces it", async (t) => {
  const one = await open(t);
  const other = await tab(one);
  await one.evaluate(async () => (await openNamed("folder", "replaced")).write("a.md", "0"));
  const written = one.evaluate(async () => {
    const files = await openNamed("folder", "replaced");
    for (let round = 1; round <= 100; round++) await files.write("a.md", `${round % 10}`.repeat(round * 1000));
  });
  await other.evaluate(async () => {
    const files = await openNamed("folder", "replaced");
    for (let length = 0; length < 100_000;) {
      const { text } = await files.read("a.md");
      if (text !== text[0].repeat(text.length)) throw new Error(`a part of a file: ${text.length}`);
      ({ length } = text);
      await files.list();
    }
  });
  await written;
});

test("in a browser that cannot move files, a write that fails leaves nothing", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    delete FileSystemFileHandle.prototype.move;
    const { handle, open } = await placeOf("folder");
    const files = open();
    await files.write("a.md", "old");
    const { write } = FileSystemWritableFileStream.prototype;
    const errors = [];
    const failing = async (turn, path) => {
      let calls = 0;
      FileSystemWritableFileStream.prototype.write = function (bytes) {
        if (++calls === turn) throw new DOMException("The quota is exceeded", "QuotaExceededError");
        return write.call(this, bytes);
      };
      errors.push((await failure(files.write(path, "new"), "storage_full")).code);
      FileSystemWritableFileStream.prototype.write = write;
    };
    // The text of the entry, its description, and the file itself.
    for (const turn of [1, 2, 3]) for (const path of ["a.md", "b/c.md"]) await failing(turn, path);
    const left = (await files.list()).map(({ path }) => path);
    const sizes = [];
    const look = async (folder) => {
      for await (const entry of folder.values()) {
        if (entry.kind === "directory") await look(entry);
        else sizes.push((await entry.getFile()).size);
      }
    };
    await look(handle);
    const { text } = await files.read("a.md");
    const versions = [(await files.versions("a.md")).length, (await files.versions("b/c.md")).length];
    return { errors: errors.length, left, isEmpty: sizes.includes(0), text, versions, created: (await files.write("b/c.md", "new", { expected: null })).created };
  });
  assert.deepEqual(outcome, { errors: 6, left: ["a.md"], isEmpty: false, text: "old", versions: [1, 0], created: true });
});

test("files that another program changes in a folder are heard, and never replaced silently", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    const { handle, open } = await placeOf("folder");
    const put = async (name, content) => {
      const stream = await (await handle.getFileHandle(name, { create: true })).createWritable();
      await stream.write(content);
      await stream.close();
    };
    await put("a.md", "theirs");
    await put("picture.png", new Uint8Array([0x89, 0xff]));
    const files = open();
    const heard = [];
    const { version } = await files.read("a.md");
    files.watch(({ path, kind, author }) => heard.push(`${author} ${kind} ${path}`));
    for (let probe = 0; !heard.some((one) => one.endsWith("probe.md")); probe++) {
      await put("probe.md", `${probe}`);
      window.dispatchEvent(new Event("focus"));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await put("a.md", "theirs again");
    window.dispatchEvent(new Event("focus"));
    await until(() => heard.includes("outside written a.md"), "the change of a.md");
    await failure(files.write("a.md", "ours", { expected: version }), "file_changed");
    await failure(files.write("picture.png", "x"), "not_text");
    await files.write("a.md", "ours", { author: "agent" });
    await handle.removeEntry("a.md");
    window.dispatchEvent(new Event("focus"));
    await until(() => heard.includes("outside removed a.md"), "the removal of a.md");
    const versions = await files.versions("a.md");
    return { authors: versions.map(({ author }) => author), text: await files.readVersion("a.md", versions[1].id), own: heard.filter((one) => one.startsWith("agent")) };
  });
  assert.deepEqual(outcome, { authors: ["agent", "outside"], text: "theirs again", own: ["agent written a.md"] });
});

test("searches and checks see changes by others in a browser that does not tell of them", async (t) => {
  const page = await open(t);
  const other = await tab(page);
  await page.evaluate(async () => {
    delete globalThis.FileSystemObserver;
    window.files = await openNamed("folder", "unwatched");
    await files.write("chapters/ch001.md", "Day 1\n");
    await files.write("chapters/ch002.md", "Day 9\n");
  });
  const found = async () => page.evaluate(async () => [(await files.check("timeline")).errors.length, (await files.search({ pattern: "lamp" })).matches.length]);
  assert.deepEqual(await found(), [1, 0]);
  for (const round of [1, 2]) {
    await other.evaluate(async (round) => {
      const files = await openNamed("folder", "unwatched");
      await files.write("chapters/ch002.md", `Day 2, in round ${round}\n`);
      await files.write(`notes/${round}.md`, "A lamp.\n");
    }, round);
    assert.deepEqual(await found(), [0, round]);
  }
});

test("a name that another program has stored decomposed is the same file", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    const { handle, open } = await placeOf("folder");
    const folder = await handle.getDirectoryHandle("cafe\u0301", { create: true });
    const stream = await (await folder.getFileHandle("s\u0307\u0323.md", { create: true })).createWritable();
    await stream.write("one");
    await stream.close();
    const files = open();
    const [composed] = (await files.list()).map(({ path }) => path);
    const { text } = await files.read(composed);
    await files.write(composed, "two");
    const names = await Array.fromAsync(folder.keys());
    await files.remove(composed);
    return { composed, text, names, left: (await Array.fromAsync(handle.keys())).join() };
  });
  assert.deepEqual(outcome, { composed: "caf\u00e9/\u1e69.md", text: "one", names: ["s\u0307\u0323.md"], left: ".copydesk" });
});

test("permission that is withdrawn in the middle is an error that can be mended", async (t) => {
  const page = await open(t);
  const outcome = await page.evaluate(async () => {
    const { handle } = await placeOf("folder");
    // OPFS asks for no permission: this handle does what those of chosen folders do.
    let isAllowed = true;
    const asked = [];
    for (const name of ["getFileHandle", "getDirectoryHandle", "removeEntry", "entries", "keys"]) {
      handle[name] = (...args) => {
        if (!isAllowed) throw new DOMException("The request is not allowed", "NotAllowedError");
        return FileSystemDirectoryHandle.prototype[name].apply(handle, args);
      };
    }
    handle.requestPermission = async ({ mode }) => (asked.push(mode), (isAllowed = true), "granted");
    const files = folderWorkspace(handle, { locale: "en" });
    files.watch(() => {});
    await files.write("a.md", "one");
    isAllowed = false;
    const codes = [];
    for (const call of [() => files.read("a.md"), () => files.write("a.md", "two"), () => files.list(), () => files.remove("a.md"), () => files.versions("a.md")]) {
      codes.push((await failure(call(), "permission_denied")).code);
    }
    window.dispatchEvent(new Event("focus"));
    const granted = await requestFolderAccess(handle);
    return { codes: codes.length, granted, asked, text: (await files.read("a.md")).text };
  });
  assert.deepEqual(outcome, { codes: 5, granted: true, asked: ["readwrite"], text: "one" });
});
