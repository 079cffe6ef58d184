// What a workspace in a directory does with files that come from elsewhere, and after a crash.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { directoryWorkspace } from "copydesk/workspace";
import { failure, until } from "../workspace/expect.mjs";
import { workspaceIn } from "../workspace/temporary.mjs";

test("a text that came from elsewhere is a version before it is replaced", async (t) => {
  const { files, put, directory } = workspaceIn(t);
  put("a.md", "theirs");
  await files.write("a.md", "ours", { author: "agent" });
  put("a.md", "theirs again");
  await failure(files.write("a.md", "x", { expected: (await files.versions("a.md"))[0].version }), "file_changed");
  await files.remove("a.md");
  const versions = await files.versions("a.md");
  assert.deepEqual(versions.map(({ author }) => author), ["user", "outside", "agent", "outside"]);
  assert.equal(await files.readVersion("a.md", versions[1].id), "theirs again");
  assert.equal(await files.readVersion("a.md", versions[3].id), "theirs");
  rmSync(join(directory, ".copydesk"), { recursive: true });
  assert.deepEqual(await files.versions("a.md"), []);
});

test("what is not text is listed, but neither read nor replaced nor removed", async (t) => {
  const { files, put, directory } = workspaceIn(t);
  const contents = { "picture.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]), "latin1.md": Buffer.from("caf\xe9", "latin1"), "half.md": Buffer.from([0xe6, 0x96]) };
  for (const [path, content] of Object.entries(contents)) put(path, content);
  put("zero.md", "a\0b");
  put("large.md", Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  put("ok.md", "ok");
  const paths = ["half.md", "large.md", "latin1.md", "ok.md", "picture.png", "zero.md"];
  assert.deepEqual((await files.list()).map(({ path }) => path), paths);
  for (const path of paths.filter((path) => path !== "ok.md")) {
    const code = path === "large.md" ? "file_too_large" : "not_text";
    const before = readFileSync(join(directory, path));
    for (const call of [files.read(path), files.write(path, "x"), files.remove(path), files.rename(path, "b.md")]) await failure(call, code);
    assert.ok(readFileSync(join(directory, path)).equals(before));
  }
  const read = [];
  for await (const batch of files.readAll()) read.push(...batch);
  assert.deepEqual(read, [{ path: "ok.md", text: "ok" }]);
});

test("links and names that are no paths are left alone", async (t) => {
  const { files, put, directory } = workspaceIn(t);
  const outside = mkdtempSync(join(tmpdir(), "copydesk-outside-"));
  t.after(() => rmSync(outside, { recursive: true }));
  writeFileSync(join(outside, "secret.md"), "secret");
  symlinkSync(join(outside, "secret.md"), join(directory, "link.md"));
  symlinkSync(outside, join(directory, "folder"));
  put(".env", "KEY=1");
  put(".git/config", "x");
  put("what?.md", "x");
  put("a.md", "x");
  assert.deepEqual((await files.list()).map(({ path }) => path), ["a.md"]);
  for (const path of ["link.md", "folder/secret.md", "folder/new.md"]) {
    await failure(files.read(path), "permission_denied");
    await failure(files.write(path, "x"), "permission_denied");
    await failure(files.remove(path), "permission_denied");
  }
  assert.deepEqual(readdirSync(outside), ["secret.md"]);
  assert.equal(readFileSync(join(outside, "secret.md"), "utf8"), "secret");
});

test("a link in the place of the workspace's own folders is not followed", async (t) => {
  const { files, directory } = workspaceIn(t);
  const home = mkdtempSync(join(tmpdir(), "copydesk-home-"));
  t.after(() => rmSync(home, { recursive: true }));
  writeFileSync(join(home, "thesis.txt"), "mine");
  // As old as the unfinished files that are removed.
  utimesSync(join(home, "thesis.txt"), 1e9, 1e9);
  for (const link of [".copydesk", ".copydesk/tmp", ".copydesk/history"]) {
    rmSync(join(directory, ".copydesk"), { recursive: true, force: true });
    mkdirSync(join(directory, link, ".."), { recursive: true });
    symlinkSync(home, join(directory, link));
    await failure(files.write("a.md", "x"), "permission_denied");
    assert.deepEqual([readdirSync(home), existsSync(join(directory, "a.md"))], [["thesis.txt"], false], link);
  }
  rmSync(join(directory, ".copydesk"), { recursive: true });
  assert.equal((await files.write("a.md", "x")).created, true);
});

test("a damaged or unfinished entry of the history keeps no file from being written, and no other entry from being read", async (t) => {
  const { files, directory } = workspaceIn(t);
  const reported = t.mock.method(console, "error", () => {});
  const contents = ["", "{", "null", "[]", '{"id":"x"}', Buffer.from([0xff, 0])];
  await files.write("a.md", "0");
  const history = join(directory, ".copydesk/history", readdirSync(join(directory, ".copydesk/history"))[0]);
  for (const [at, content] of contents.entries()) {
    writeFileSync(join(history, `${at * 2 + 2}-damaged.json`), content);
    await files.write("a.md", `${at + 1}`);
  }
  const versions = await files.versions("a.md");
  assert.deepEqual(versions.map(({ author }) => author), Array(contents.length + 1).fill("user"));
  for (const [at, { id }] of versions.entries()) assert.equal(await files.readVersion("a.md", id), `${contents.length - at}`);
  // Each write found one as the newest, and the list all; an unfinished one is none.
  assert.equal(reported.mock.callCount(), 2 * (contents.length - 1));
});

test("a name that another program has stored decomposed is the same file", async (t) => {
  const { files, put, directory } = workspaceIn(t);
  const [composed, decomposed] = ["caf\u00e9/\u1e69.md", "cafe\u0301/s\u0307\u0323.md"];
  put(decomposed, "one");
  assert.deepEqual((await files.list()).map(({ path }) => path), [composed]);
  assert.equal((await files.read(composed)).text, "one");
  await files.write(composed, "two");
  assert.equal(readFileSync(join(directory, decomposed), "utf8"), "two");
  assert.ok(!existsSync(join(directory, "caf\u00e9")) || statSync(join(directory, "caf\u00e9")).ino === statSync(join(directory, "cafe\u0301")).ino);
  await files.remove(composed);
  assert.deepEqual(readdirSync(directory), [".copydesk"]);
});

test("a directory that does not exist, or not any more, is not an empty one", async (t) => {
  const { directory } = workspaceIn(t);
  const at = join(directory, "new");
  const files = directoryWorkspace(at, { locale: "en" });
  t.after(() => files.close());
  const refused = async () => {
    const calls = [() => files.list(), () => files.read("a.md"), () => files.read("deep/a.md"), () => files.write("a.md", "x"), () => files.write("deep/a.md", "x"), () => files.remove("a.md"), () => files.rename("a.md", "b.md"), () => files.readAll().next()];
    for (const call of calls) assert.deepEqual((await failure(call(), "directory_not_found")).details, { path: at });
    assert.equal(existsSync(at), false);
  };
  await refused();
  writeFileSync(at, "a file");
  await failure(files.list(), "directory_not_found");
  rmSync(at);
  mkdirSync(at);
  assert.deepEqual(await files.list(), []);
  await failure(files.read("a.md"), "file_not_found");
  await files.write("a.md", "one");
  rmSync(at, { recursive: true });
  await refused();
});

test("an entry of the history with a huge number hides no later version", async (t) => {
  for (const number of ["999999", "1000999", "123456789012", "9007199254740991", "99999999999999999999", "1".repeat(60)]) {
    const { files, directory } = workspaceIn(t);
    await files.write("a.md", "0");
    const history = join(directory, ".copydesk/history", readdirSync(join(directory, ".copydesk/history"))[0]);
    const planted = { path: "a.md", id: `${number}-x`, time: 0, author: "user", size: 1, version: "f".repeat(16) };
    writeFileSync(join(history, `${number}-x.json`), JSON.stringify(planted));
    writeFileSync(join(history, `${number}-x.txt`), "p");
    for (let at = 1; at <= 4; at++) await files.write("a.md", `${at}`);
    const versions = await files.versions("a.md");
    const texts = await Promise.all(versions.map(({ id }) => files.readVersion("a.md", id)));
    assert.deepEqual(texts.slice(0, 4), ["4", "3", "2", "1"], number);
    // The text that the planted entry does not know of may be there twice.
    assert.deepEqual([...new Set(texts)].sort(), ["0", "1", "2", "3", "4", "p"], number);
    for (const id of versions.map(({ id }) => id)) assert.equal(await directoryWorkspace(directory).readVersion("a.md", id).then(() => true), true);
  }
});

test("changes by other programs are heard, and those of the workspace once", async (t) => {
  const { files, put, directory } = workspaceIn(t);
  put("old/a.md", "one");
  const heard = [];
  files.watch(({ path, kind, author }) => heard.push(`${author} ${kind} ${path}`));
  const own = async (text) => {
    await files.write("own.md", text);
    heard.length = 0;
  };
  await own("first");
  // The watching has begun when a first change is heard.
  await until(() => (put("probe.md", `${Math.random()}`), heard.some((one) => one.endsWith("probe.md"))), "a change of probe.md");
  const expected = async (change, run) => {
    run();
    await until(() => heard.includes(change), change);
  };
  await expected("outside written old/a.md", () => put("old/a.md", "two"));
  await expected("outside written b.md", () => put("b.md", "new"));
  await expected("outside written deep/er/c.md", () => put("deep/er/c.md", "new"));
  await expected("outside written deep/er/d.md", () => put("deep/er/d.md", "new"));
  await expected("outside removed b.md", () => rmSync(join(directory, "b.md")));
  await expected("outside written moved/er/c.md", () => renameSync(join(directory, "deep"), join(directory, "moved")));
  await until(() => heard.includes("outside removed deep/er/c.md"), "the removal of what was moved");
  await expected("outside removed moved/er/c.md", () => rmSync(join(directory, "moved"), { recursive: true }));
  for (let at = 0; at < 20; at++) await files.write("own.md", `${at}`);
  await files.remove("own.md");
  await expected("outside written last.md", () => put("last.md", "x"));
  assert.deepEqual(heard.filter((change) => change.endsWith("own.md")), [...Array(20).fill("user written own.md"), "user removed own.md"]);
});

test("a process that is killed while it writes leaves the old or the new text, and no version is lost", async (t) => {
  const { files, directory } = workspaceIn(t);
  const size = 400_000;
  const program = `
    import { directoryWorkspace } from "copydesk/workspace";
    const files = directoryWorkspace(${JSON.stringify(directory)});
    for (let at = Number(process.argv[1]); ; at++) {
      await files.write("book.md", String(at).padStart(9, "0").repeat(${size / 9 | 0}));
      await files.write("new/" + at + ".md", String(at).padStart(9, "0").repeat(1000));
      process.stdout.write(at + "\\n");
    }`;
  let next = 0;
  const whole = (text, times) => assert.ok(text.length === 9 * times && text === text.slice(0, 9).repeat(times), `${text.length} units`);
  for (let run = 0; run < 12; run++) {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program, String(next)], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    const ended = new Promise((resolve) => child.on("close", resolve));
    const begun = new Promise((resolve) => child.stdout.on("data", (data) => resolve((said += data))));
    await Promise.race([begun, ended]);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.kill("SIGKILL");
    await ended;
    const last = Number(said.trim().split("\n").at(-1));
    const { text } = await files.read("book.md");
    whole(text, (size / 9) | 0);
    assert.ok(Number(text.slice(0, 9)) >= last, "what was reported as written is there");
    for (const { path } of await files.list()) if (path.startsWith("new/")) whole((await files.read(path)).text, 1000);
    for (const { id, version } of await files.versions("book.md")) {
      const stored = await files.readVersion("book.md", id);
      assert.equal(createHash("sha256").update(stored).digest("hex").slice(0, 16), version);
    }
    next = last + 2;
  }
  // The workspace goes on.
  await files.write("book.md", "the end");
  assert.equal((await files.read("book.md")).text, "the end");
});

/** Runs a program in another process, with `files` in the directory. */
function elsewhere(directory, program) {
  const head = `import { directoryWorkspace } from "copydesk/workspace"; const files = directoryWorkspace(${JSON.stringify(directory)});`;
  return spawn(process.execPath, ["--input-type=module", "-e", head + program], { stdio: ["ignore", "pipe", "inherit"] });
}

test("of two processes that write the same version of a file one succeeds", async (t) => {
  const { files, directory } = workspaceIn(t);
  await files.write("count.txt", "0");
  const counting = `
    let count = 0;
    for (const end = Date.now() + 1500; Date.now() < end;) {
      const { text, version } = await files.read("count.txt");
      await files.write("count.txt", String(Number(text) + 1), { expected: version }).then(() => count++, (error) => {
        if (error.code !== "file_changed") throw error;
      });
    }
    process.stdout.write(String(count));`;
  const counts = [1, 2, 3].map(() => {
    const child = elsewhere(directory, counting);
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    return new Promise((resolve) => child.on("close", () => resolve(Number(said))));
  });
  const each = await Promise.all(counts);
  const total = each.reduce((sum, count) => sum + count, 0);
  assert.ok(each.every((count) => count > 0), each.join());
  assert.equal((await files.read("count.txt")).text, `${total}`);
  assert.equal((await files.versions("count.txt")).length, total + 1);
  assert.deepEqual(readdirSync(join(directory, ".copydesk/tmp")), []);
});

test("a process that was killed while it wrote keeps no other one from writing", { timeout: 20_000 }, async (t) => {
  const { files, directory } = workspaceIn(t);
  const { version } = await files.write("a.md", "old");
  const child = elsewhere(
    directory,
    `import fs from "node:fs/promises";
    import { syncBuiltinESMExports } from "node:module";
    fs.rename = () => (process.stdout.write("writes"), new Promise(() => setInterval(() => {}, 1000)));
    syncBuiltinESMExports();
    await files.write("a.md", "theirs");`,
  );
  const ended = new Promise((resolve) => child.on("close", resolve));
  await new Promise((resolve) => child.stdout.on("data", resolve));
  const order = [];
  const written = files.write("a.md", "ours", { expected: version }).then(() => order.push("written"));
  // Others are not kept from anything.
  await files.write("b.md", "beside");
  await new Promise((resolve) => setTimeout(resolve, 100));
  order.push("killed");
  child.kill("SIGKILL");
  await Promise.all([ended, written]);
  assert.deepEqual(order, ["killed", "written"]);
  assert.equal((await files.read("a.md")).text, "ours");
});

test("the lock of a process that has ended is free at once, whatever is left of it", { timeout: 20_000 }, async (t) => {
  const { files, directory } = workspaceIn(t);
  const { version } = await files.write("a.md", "old");
  const name = readdirSync(join(directory, ".copydesk/history"))[0];
  const lock = join(directory, `.copydesk/tmp/lock-${name}`);
  const ended = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => ended.on("close", resolve));
  // A shell that replaces itself does not wait for its child, which stays as a zombie.
  const parent = spawn("sh", ["-c", "sh -c 'exit 0' & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => parent.kill("SIGKILL"));
  const zombie = Number(String(await new Promise((resolve) => parent.stdout.once("data", resolve))));
  const owners = {
    "killed before it wrote its name": "",
    "killed while it wrote its name": hostname().slice(0, 2),
    ended: `${hostname()} ${ended.pid} 1-2`,
    "ended, and this process has its id": `${hostname()} ${process.pid} 1-2 7`,
    "ended, and another process has its id": `${hostname()} ${parent.pid} 1-2 7`,
    "ended, and not taken note of by its parent": `${hostname()} ${zombie} 1-2`,
  };
  let expected = version;
  for (const [state, owner] of Object.entries(owners)) {
    if (!existsSync("/proc/self/stat") && / has its id| its parent/.test(state)) continue;
    writeFileSync(lock, owner);
    // An owner that lives is waited for longer than this test may take.
    ({ version: expected } = await files.write("a.md", state, { expected }));
    assert.deepEqual(readdirSync(join(directory, ".copydesk/tmp")), [], state);
  }
});

test("10,000 files are listed and read", async (t) => {
  const { files, put } = workspaceIn(t);
  for (let at = 0; at < 10_000; at++) put(`${at % 100}/${at}.md`, `${at}`);
  assert.equal((await files.list()).length, 10_000);
  let count = 0;
  for await (const batch of files.readAll()) count += batch.length;
  assert.equal(count, 10_000);
});
