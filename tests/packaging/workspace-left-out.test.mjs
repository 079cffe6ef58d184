// What a workspace leaves out, and what changes while it is read or written: named, nothing overwritten, nothing lost.
import assert from "node:assert/strict";
import { appendFileSync, chmodSync, chownSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { zipSync } from "fflate";
import { init } from "copydesk";
import { copyFiles, importZip, memoryWorkspace, zipOf } from "copydesk/workspace";
import { failure } from "../workspace/expect.mjs";
import { workspaceIn } from "../workspace/temporary.mjs";

await init();

const codes = (skipped) => skipped.map(({ path, code }) => [path, code]).sort();

test("files that are not searched, checked, packed or copied are counted and named", async (t) => {
  const { directory, files, put } = workspaceIn(t);
  put("ok.md", "needle");
  put("large.md", Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  put("large/50-mb.md", Buffer.alloc(50 * 1024 * 1024, "x"));
  put("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]));
  put("what?.md", "needle");
  // Read in their encodings, and in none that can be known.
  put("gbk.md", Buffer.from([0xb5, 0xda, 0xd2, 0xbb, 0xd5, 0xc2]));
  put("utf-16.md", Buffer.from("\ufeffDay 1", "utf16le"));
  put("latin-1.md", Buffer.from("caf\xe9", "latin1"));
  put("deep/a: b/c.md", "needle");
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xb5, 0xda]), Buffer.from(".md")]), "needle");
  symlinkSync("/etc/hostname", join(directory, "link.md"));
  put(".git/config", "needle");
  put(".env", "needle");
  const expected = [
    ["deep/a: b", "invalid_path"], ["large.md", "file_too_large"], ["large/50-mb.md", "file_too_large"], ["latin-1.md", "not_text"], ["link.md", "permission_denied"],
    ["picture.png", "not_text"], ["what?.md", "invalid_path"], ["\ufffd\ufffd.md", "invalid_path"],
  ].sort();
  for (const regex of [false, true]) {
    const { matches, skipped } = await files.search({ pattern: "needle", regex });
    assert.deepEqual(matches.map(({ path }) => path), ["ok.md"]);
    assert.deepEqual([skipped.count, codes(skipped.files)], [expected.length, expected]);
    assert.ok(skipped.files.every(({ path, message }) => message.includes(path)));
  }
  for (const kind of ["timeline", "references"]) {
    const { skipped } = await files.check(kind);
    assert.deepEqual([skipped.count, codes(skipped.files)], [expected.length, expected]);
  }
  // Of a search in some files those of them are named.
  assert.deepEqual(codes((await files.search({ pattern: "x", paths: ["large.md", "ok.md"] })).skipped.files), [["large.md", "file_too_large"]]);
  const zip = await zipOf(files);
  assert.deepEqual(codes(zip.skipped), expected);
  assert.deepEqual((await importZip(memoryWorkspace(), zip)).written.sort(), ["gbk.md", "ok.md", "utf-16.md"]);
  const copied = await copyFiles(files, memoryWorkspace());
  assert.deepEqual([copied.written.sort(), codes(copied.skipped)], [["gbk.md", "ok.md", "utf-16.md"], expected]);
  // One that becomes a text, or none, is searched from then on, or named.
  put("picture.png", "needle");
  put("ok.md", "a\0");
  const again = await until(async () => {
    const found = await files.search({ pattern: "needle" });
    return found.matches[0]?.path === "picture.png" && found;
  });
  assert.deepEqual(codes(again.skipped.files), [...expected.filter(([path]) => path !== "picture.png"), ["ok.md", "not_text"]].sort());
});

/** Calls `look` until it returns something. */
async function until(look) {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not happen");
}

test("a folder and a file without permission are named, and the others are there", async (t) => {
  const { directory, files, put } = workspaceIn(t);
  put("open/a.md", "needle");
  put("closed/b.md", "needle");
  put("shut.md", "needle");
  await files.write("open/a.md", "needle and more");
  chmodSync(join(directory, "shut.md"), 0o000);
  chmodSync(join(directory, "closed"), 0o000);
  const isRoot = process.getuid?.() === 0;
  // The modules that are loaded when they are needed first may be closed to other users.
  await importZip(memoryWorkspace(), await zipOf(memoryWorkspace({ "a.md": "a" })));
  if (isRoot) {
    for (const path of ["", ".copydesk", "open", "open/a.md", "closed", "shut.md"]) chownSync(join(directory, path), 65534, 65534);
    process.seteuid(65534);
  }
  try {
    assert.deepEqual((await files.list()).map(({ path }) => path), ["open/a.md", "shut.md"]);
    const expected = [["closed", "permission_denied"], ["shut.md", "permission_denied"]];
    const { matches, skipped } = await files.search({ pattern: "needle" });
    assert.deepEqual([matches.map(({ path }) => path), codes(skipped.files)], [["open/a.md"], expected]);
    assert.deepEqual(codes((await files.check("timeline")).skipped.files), expected);
    assert.deepEqual(codes((await zipOf(files)).skipped), expected);
    const copied = await copyFiles(files, memoryWorkspace());
    assert.deepEqual([copied.written, codes(copied.skipped)], [["open/a.md"], expected]);
    for (const path of ["closed/b.md", "shut.md"]) {
      for (const call of [() => files.read(path), () => files.write(path, "x"), () => files.remove(path)]) await failure(call(), "permission_denied");
    }
    // A directory that is closed itself is no empty one.
    chmodSync(directory, 0o000);
    for (const call of [() => files.list(), () => zipOf(files), () => copyFiles(files, memoryWorkspace())]) await failure(call(), "permission_denied");
  } finally {
    if (isRoot) process.seteuid(0);
    for (const [path, mode] of [["", 0o755], ["closed", 0o755], ["shut.md", 0o644]]) chmodSync(join(directory, path), mode);
  }
  assert.deepEqual([readFileSync(join(directory, "closed/b.md"), "utf8"), readFileSync(join(directory, "shut.md"), "utf8")], ["needle", "needle"]);
});

test("a file that changes while it is read is read again, and one that never rests is named", async (t) => {
  const { directory, files, put, stored } = workspaceIn(t);
  const { readFile } = fs;
  t.after(() => (fs.readFile = readFile));
  let changes = 0;
  const changing = (times) => {
    changes = 0;
    fs.readFile = async (file, ...more) => {
      const bytes = await readFile(file, ...more);
      if (String(file).endsWith("a.md") && changes++ < times) appendFileSync(file, `${changes}`);
      return bytes;
    };
  };
  put("a.md", "text ");
  put("b.md", "other");
  changing(3);
  assert.equal((await files.read("a.md")).text, "text 123");
  changing(Infinity);
  await failure(files.read("a.md"), "file_changed");
  await failure(files.write("a.md", "mine"), "file_changed");
  assert.deepEqual(codes((await zipOf(files)).skipped), [["a.md", "file_changed"]]);
  fs.readFile = readFile;
  assert.ok(stored("a.md", "utf8").startsWith("text 123"));
  assert.equal((await files.read("a.md")).text, stored("a.md", "utf8"));
  assert.deepEqual(await files.versions("a.md"), []);
  assert.equal(readFileSync(join(directory, "b.md"), "utf8"), "other");
});

test("a file that another program changes while it is written is not overwritten", async (t) => {
  const { files, put, stored } = workspaceIn(t);
  const { open } = fs;
  t.after(() => (fs.open = open));
  const changed = async (run) => {
    // The new text and its description are stored before the file is replaced.
    fs.open = async (file, ...more) => {
      if (more[0] === "wx") put("a.md", `theirs ${file.length}`);
      return open(file, ...more);
    };
    await failure(run(), "file_changed");
    fs.open = open;
    assert.ok(stored("a.md", "utf8").startsWith("theirs"));
    assert.deepEqual((await files.versions("a.md")).filter(({ author }) => author === "user").length, 1);
  };
  const { version } = await files.write("a.md", "one");
  await changed(() => files.write("a.md", "two", { expected: version }));
  await changed(() => files.write("a.md", "two"));
  await changed(() => files.remove("a.md"));
  // The next try has the text of the other program as its version.
  await files.write("a.md", "three");
  const outside = (await files.versions("a.md")).find(({ author }) => author === "outside");
  assert.ok((await files.readVersion("a.md", outside.id)).startsWith("theirs"));
});

test("a zip file in a zip file is named, and not unpacked", async () => {
  const text = (one) => [new TextEncoder().encode(one)];
  const inner = zipSync({ "secret.md": text("inner") });
  const outer = zipSync({ "a.md": text("outer"), "inner.zip": [inner], "deep/inner.docx": [inner] });
  const target = memoryWorkspace({ "secret.md": "mine" });
  const { written, skipped } = await importZip(target, outer, { overwrite: true });
  assert.deepEqual([written, codes(skipped)], [["a.md"], [["deep/inner.docx", "not_text"], ["inner.zip", "not_text"]]]);
  assert.equal((await target.read("secret.md")).text, "mine");
});

test("a document that is a zip file is refused with what to do, and nothing is written", async () => {
  const one = [new TextEncoder().encode("<x/>")];
  const documents = {
    DOCX: ["[Content_Types].xml", "word/document.xml", "docProps/core.xml"],
    XLSX: ["[Content_Types].xml", "xl/workbook.xml"],
    PPTX: ["[Content_Types].xml", "ppt/presentation.xml"],
    EPUB: ["mimetype", "META-INF/container.xml", "OEBPS/content.opf"],
    OpenDocument: ["mimetype", "META-INF/manifest.xml", "content.xml"],
  };
  for (const [format, names] of Object.entries(documents)) {
    const target = memoryWorkspace();
    const zip = new File([zipSync(Object.fromEntries(names.map((name) => [name, one])))], "book.bin");
    const { message, details } = await failure(importZip(target, zip, { locale: "en" }), "zip_is_document");
    assert.deepEqual([details, await target.list()], [{ path: "book.bin", format }, []]);
    assert.match(message, /Save it as Markdown or plain text/);
  }
  // A folder with texts of these names is none.
  const { written } = await importZip(memoryWorkspace(), zipSync({ "notes/word/document.xml": one, mimetype: one }));
  assert.deepEqual(written, ["notes/word/document.xml", "mimetype"]);
});

test("names in GBK are read in every language of the page, and names in other code pages stay what they are", async () => {
  const names = {
    // 第一章.md, 夜.md and an ASCII name
    "第一章.md": [0xb5, 0xda, 0xd2, 0xbb, 0xd5, 0xc2, 0x2e, 0x6d, 0x64],
    "书/夜.md": [0xca, 0xe9, 0x2f, 0xd2, 0xb9, 0x2e, 0x6d, 0x64],
    "plain.md": [...Buffer.from("plain.md")],
    // Code page 437.
    "Übung.md": [0x9a, 0x62, 0x75, 0x6e, 0x67, 0x2e, 0x6d, 0x64],
    "café.md": [0x63, 0x61, 0x66, 0x82, 0x2e, 0x6d, 0x64],
  };
  const zip = zipWithNames(Object.values(names));
  const { written, skipped } = await importZip(memoryWorkspace(), zip, { locale: "en" });
  assert.deepEqual([written, skipped], [Object.keys(names), []]);
});

/** Returns a zip file with empty files of these names, which do not state their character set. */
function zipWithNames(names) {
  const zip = zipSync(Object.fromEntries(names.map((name, at) => [`${at}`.padEnd(name.length, "x"), [new Uint8Array(), { level: 0 }]])));
  const text = Buffer.from(zip).toString("latin1");
  for (const [at, name] of names.entries()) {
    const placeholder = `${at}`.padEnd(name.length, "x");
    for (const sign of ["PK\x03\x04", "PK\x01\x02"]) {
      const header = sign === "PK\x03\x04" ? 30 : 46;
      for (let from = text.indexOf(sign); from >= 0; from = text.indexOf(sign, from + 1)) {
        if (text.slice(from + header, from + header + name.length) === placeholder) zip.set(name, from + header);
      }
    }
  }
  return zip;
}

test("100,000 files are listed, searched and checked, and are no zip file that could not be read again", async () => {
  const path = (at) => `${at % 100}/${at}.md`;
  const files = memoryWorkspace(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [path(at), `line ${at}`])));
  assert.equal((await files.list()).length, 100_000);
  for (const regex of [false, true]) {
    const { matches, skipped } = await files.search({ pattern: "line 99999", regex });
    assert.deepEqual([matches.map((one) => one.path), skipped], [[path(99_999)], undefined]);
  }
  assert.deepEqual((await files.check("references")).errors, []);
  await files.write(path(5), "needle");
  assert.equal((await files.search({ pattern: "needle" })).matches.length, 1);
  const batch = Array.from({ length: 20_001 }, (_, at) => ({ path: path(at), text: "" }));
  const many = { async *readAll() { yield batch; } };
  const { details } = await failure(zipOf(many), "zip_too_large");
  assert.deepEqual(details.limit, 20_000);
});

test("a search that is stopped leaves the index as it is", async (t) => {
  const { files, put } = workspaceIn(t);
  for (let at = 0; at < 50; at++) put(`${at}.md`, `line ${at}\n`);
  put("trap.md", `${"a".repeat(40)}!`);
  await files.search({ pattern: "line" });
  // Nothing is read again.
  const { readFile } = fs;
  t.after(() => (fs.readFile = readFile));
  let reads = 0;
  fs.readFile = (...given) => (reads++, readFile(...given));
  await failure(files.search({ pattern: "(a+)+$", regex: true }), "search_timeout");
  assert.equal((await files.search({ pattern: "line 4" })).matches.length, 11);
  assert.equal((await files.search({ pattern: "^line 4\\d", regex: true })).matches.length, 10);
  assert.equal(reads, 0);
  // Changes reach both workers.
  await files.write("new.md", "line 42");
  for (const regex of [false, true]) assert.equal((await files.search({ pattern: "line 42", regex })).matches.length, 2);
});

/** Workers that load, and answer what they are asked except for regular expressions. */
class FakeWorker {
  static matchers = [];
  listeners = [];
  ended = false;

  addEventListener(type, listener) {
    if (type === "message") this.listeners.push(listener);
  }

  post(data) {
    for (const listener of this.listeners) listener({ data });
  }

  postMessage({ copydesk, id, type, query }) {
    if (copydesk === "matcher") FakeWorker.matchers.push(this);
    if (copydesk === "index" || copydesk === "matcher") queueMicrotask(() => this.post({ type: "ready" }));
    if (copydesk !== "request") return;
    if (query?.regex) this.asked = id;
    else queueMicrotask(() => this.post({ type: "done", id, result: type === "search" ? { matches: [], isCut: false } : undefined }));
  }

  terminate() {
    this.ended = true;
  }
}

test("an expression is stopped without progress, or after a time that grows with the files; others go on", async (t) => {
  const files = memoryWorkspace({ "a.md": "a" }, { worker: () => new FakeWorker(), locale: "en" });
  t.after(() => files.close());
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const matcher = async () => {
    const search = files.search({ pattern: "a", regex: true });
    search.catch(() => {});
    for (let turn = 0; turn < 100 && FakeWorker.matchers.at(-1)?.asked === undefined; turn++) await new Promise(setImmediate);
    return { search, worker: FakeWorker.matchers.at(-1) };
  };
  const wait = (ms) => {
    // A tick that is long counts as one part of the time, as a pause of the page does.
    for (let part = 0; part < ms; part += 50) t.mock.timers.tick(50);
  };
  const result = { matches: [], isCut: false };
  // 20 seconds in a hundred million characters.
  const long = await matcher();
  long.worker.post({ type: "begun", id: long.worker.asked, length: 100e6 });
  for (let ms = 1500; ms <= 20_000; ms += 1500) {
    wait(1500);
    long.worker.post({ type: "going", id: long.worker.asked, ms });
  }
  long.worker.post({ type: "done", id: long.worker.asked, result });
  assert.deepEqual(await long.search, result);
  const stops = {
    "no progress": (worker) => wait(2050),
    "none after some": (worker) => {
      wait(1900);
      worker.post({ type: "going", id: worker.asked, ms: 1900 });
      wait(2050);
    },
    "too slow for so many characters": (worker) => {
      for (const ms of [1900, 3800, 5700]) worker.post({ type: "going", id: worker.asked, ms });
    },
  };
  for (const [name, run] of Object.entries(stops)) {
    if (FakeWorker.matchers.at(-1)) FakeWorker.matchers.at(-1).asked = undefined;
    const { search, worker } = await matcher();
    worker.post({ type: "begun", id: worker.asked, length: 10e6 });
    run(worker);
    await failure(search, "search_timeout");
    assert.equal(worker.ended, true, name);
    assert.deepEqual(await files.search({ pattern: "a" }), result);
  }
  // The one of the long search was used for the first stop, too.
  assert.equal(FakeWorker.matchers.length, 3);
});

test("without a worker for regular expressions literals are searched, and the others are refused", async (t) => {
  let made = 0;
  const worker = () => {
    if (made++ > 0) throw new Error("no more");
    return new FakeWorker();
  };
  const files = memoryWorkspace({ "a.md": "a" }, { worker, locale: "en" });
  t.after(() => files.close());
  const { details } = await failure(files.search({ pattern: "a", regex: true }), "search_unavailable");
  assert.equal(details.reason, "Error: no more");
  assert.deepEqual(await files.search({ pattern: "a" }), { matches: [], isCut: false });
  assert.equal(made, 2);
});
