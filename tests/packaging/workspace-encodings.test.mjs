// Files of a directory in other encodings than UTF-8: they are read, searched, and written back as they were. The bytes here
// were made with Python's codecs.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { init } from "copydesk";
import { copyFiles, importZip, memoryWorkspace, zipOf } from "copydesk/workspace";
import { randomFrom } from "../oracle/random.mjs";
import { failure } from "../workspace/expect.mjs";
import { workspaceIn } from "../workspace/temporary.mjs";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => Buffer.from(text, "hex");

/** A text in each encoding. */
const TEXTS = {
  gbk: ["第一章\r\n她走了，很远。", "b5dad2bbd5c20d0acbfdd7dfc1cba3acbadcd4b6a1a3"],
  "gbk, traditional": ["這是一個關於燈塔的故事，他們說夜裡沒有人敢上去。", "df40cac7d2bb8280ea50ecb69ff4cbfeb5c4b9cacac2a3accbfb8283d566d2b9d1659b5dd3d0c8cbb8d2c9cfc8a5a1a3"],
  gb18030: ["她喝了茶，🍵。", "cbfdbac8c1cbb2e8a3ac9439bb35a1a3"],
  "utf-16le": ["夜深了\r\nTea 🍵", "fffe1c59f16d864e0d000a0054006500610020003cd875df"],
  "utf-16be": ["夜深了\r\nTea 🍵", "feff591c6df14e86000d000a0054006500610020d83cdf75"],
};
const encodingOf = (name) => name.split(",")[0];

/** Texts in encodings that cannot be told from Chinese by their bytes alone, and a damaged one. */
const OTHERS = {
  "big5.txt": "b36fac4fa440add3c3f6a9f3bf4fb6f0aabaac47a8c6a141a54cadccbba1a95db8cca853a6b3a448b4b1a457a568a143",
  "korean.txt": "b5eeb4ebbfa120b0fcc7d120c0ccbedfb1e2c0ccb4d92e20b9e3bfa1b4c220bec6b9abb5b520bfc3b6f3b0a1c1f620becabed2b4d9b0ed20b1d7b5e9c0ba20b8bbc7dfb4d92e",
  "japanese-sjis.txt": "82b182ea82cd939491e482c982c282a282c482cc95a88cea82c582a082e9814296e982c982cd924e82e0936f82e782c882a982c182bd82c694de82e782cd8cbe82c182bd8142",
  "japanese-euc.txt": "a4b3a4eca4cfc5f4c2e6a4cba4c4a4a4a4c6a4cecaaab8eca4c7a4a2a4eba1a3cceba4cba4cfc3afa4e2c5d0a4e9a4caa4aba4c3a4bfa4c8c8e0a4e9a4cfb8c0a4c3a4bfa1a3",
  "russian-koi8.txt": "fcd4cf20d2c1d3d3cbc1da20cf20cdc1d1cbc52e20eecfded8c020cec9cbd4cf20cec520d0cfc4cec9cdc1ccd3d120cec1d7c5d2c82e",
  "russian-1251.txt": "ddf2ee20f0e0f1f1eae0e720ee20ece0ffeae52e20cdeef7fcfe20ede8eaf2ee20ede520efeee4ede8ece0ebf1ff20ede0e2e5f0f52e",
  "german.txt": "4dfc6c6c657220fc626572204bf66c6e3a2066fc72206772f6df6572652048e4757365722c20e02063f474e9206427e974e92e",
  "thai.txt": "b9d5e8a4d7cde0c3d7e8cda7c3d2c7a2cda7bbc3d0c0d2a4d2c3",
  "damaged-utf8.txt": "e8bf99e698afe4b880e4aae585b3e4ba8ee781afe5a194e79a84e69585e4ba8befbc8ce4bb96e4bbace8afb4e5a49ce9878ce6b2a1e69c89e4babae695a2e4b88ae58ebbe38082",
  "half-utf16.txt": "fffe1c59f1",
  "lone-surrogate.txt": "fffe3cd84100",
};

test("a text is read in its encoding, and written back in it with its byte order mark", async (t) => {
  const { files, put, stored } = workspaceIn(t);
  for (const [name, [text, content]] of Object.entries(TEXTS)) {
    const path = `${name}.txt`;
    put(path, bytes(content));
    const read = await files.read(path);
    assert.deepEqual([read.text, read.encoding], [text, encodingOf(name)], name);
    // The version is that of the text, in whatever encoding.
    assert.equal((await files.write(`copy-${path}`, text)).version, read.version);
    assert.equal((await files.read(`copy-${path}`)).encoding, undefined);
    await files.write(path, `${text}茶`, { expected: read.version });
    assert.equal((await files.read(path)).text, `${text}茶`);
    assert.ok(hex(stored(path)).startsWith(content), name);
    await files.write(path, text);
    assert.equal(hex(stored(path)), content, name);
  }
});

test("a changed, renamed, removed and restored file keeps its encoding", async (t) => {
  const { files, put, stored } = workspaceIn(t);
  for (const [name, [text, content]] of Object.entries(TEXTS)) {
    put("a.txt", bytes(content));
    await files.rename("a.txt", "b.txt");
    assert.equal(hex(stored("b.txt")), content, name);
    await files.write("b.txt", "茶");
    await files.remove("b.txt");
    const versions = await files.versions("b.txt");
    const first = versions.findLast(({ size }) => size === Buffer.byteLength(text));
    assert.equal(first.encoding, encodingOf(name));
    await files.restore("b.txt", first.id);
    assert.equal(hex(stored("b.txt")), content, name);
    await files.remove("b.txt");
    rmSync(join(files.name, ".copydesk"), { recursive: true });
  }
});

test("characters that an encoding does not have are refused before anything is written", async (t) => {
  const { files, put, stored } = workspaceIn(t);
  const [text, content] = TEXTS.gbk;
  put("a.txt", bytes(content));
  const { message, details } = await failure(files.write("a.txt", `${text} 🍵 茶 🍵 ☕`), "not_encodable");
  assert.deepEqual(details, { path: "a.txt", encoding: "gbk", characters: "🍵 ☕" });
  assert.equal(message, "a.txt was not written: gbk, its encoding, does not have 🍵 ☕. Replace these characters. The user can save it as UTF-8 first.");
  assert.deepEqual([hex(stored("a.txt")), await files.versions("a.txt")], [content, []]);
  // The way out, also for an unchanged text.
  await files.write("a.txt", text, { encoding: "utf-8" });
  assert.equal(stored("a.txt").toString(), text);
  await files.write("a.txt", `${text}🍵`);
  await files.write("a.txt", text, { encoding: "gb18030" });
  assert.equal(hex(stored("a.txt")), content);
  // One of four bytes makes the file GB 18030, and U+E5E5 has no bytes in it.
  put("b.txt", bytes(TEXTS.gb18030[1]));
  await files.write("b.txt", `${TEXTS.gb18030[0]}🍵`);
  await failure(files.write("b.txt", "\ue5e5"), "not_encodable");
  await failure(files.write("b.txt", "x", { encoding: "latin1" }), "invalid_parameter");
  // Bytes that a table reads and would write in another way stay: the one of the euro sign in code page 936.
  put("c.txt", bytes(`${content}80`));
  assert.equal((await files.read("c.txt")).text, `${text}€`);
  await failure(files.write("c.txt", `${text}€!`), "not_encodable");
  assert.equal(hex(stored("c.txt")), `${content}80`);
  // A text that would be too large to be read again.
  put("d.txt", bytes(TEXTS["utf-16le"][1]));
  await failure(files.write("d.txt", "x".repeat(6_000_000)), "file_too_large");
  assert.equal(hex(stored("d.txt")), TEXTS["utf-16le"][1]);
});

test(`an edit of a word changes its bytes only, in every encoding (SEED=${SEED})`, async (t) => {
  const { files, put, stored } = workspaceIn(t);
  const random = randomFrom(SEED);
  const words = ["的", "一", "她走了", "，", "。\r\n", "tea", "夜深了", "在这里", "“", "”", " ", "\n", "龘", "鎔"];
  const wide = [...words, "🍵", "𠀀", "é", "ω", "\u0300"];
  for (let run = 0; run < 60; run++) {
    const encoding = random.pick(["utf-8", "utf-16le", "utf-16be", "gbk", "gb18030"]);
    const some = () => random.times(20, 60, () => random.pick(encoding === "gbk" ? words : wide)).join("");
    const [before, old, after] = [`是的，这里。${some()}`, "他", `${some()}在这里。${encoding === "gb18030" ? "🍵" : ""}`];
    await files.write("a.txt", before + old + after, { encoding });
    const first = stored("a.txt");
    await files.write("a.txt", `${before}她们${after}`);
    const second = stored("a.txt");
    const [from, to] = [commonStart(first, second), commonEnd(first, second)];
    const width = { "utf-8": 3 }[encoding] ?? 2;
    assert.equal(second.length - first.length, width, encoding);
    assert.ok(from + to >= first.length - width, encoding);
    assert.equal((await files.read("a.txt")).encoding ?? "utf-8", encoding);
    rmSync(join(files.name, ".copydesk"), { recursive: true });
  }
});

function commonStart(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function commonEnd(one, other) {
  let at = 0;
  while (at < one.length && one.at(-1 - at) === other.at(-1 - at)) at++;
  return at;
}

test("texts in unknown encodings and broken ones are named, and neither read nor replaced", async (t) => {
  await init();
  const { files, put, stored } = workspaceIn(t);
  for (const [path, content] of Object.entries(OTHERS)) {
    put(path, bytes(content));
    for (const call of [files.read(path), files.write(path, "x"), files.remove(path)]) await failure(call, "not_text");
    assert.equal(hex(stored(path)), content);
  }
  const { matches, skipped } = await files.search({ pattern: "x" });
  assert.deepEqual(matches, []);
  assert.deepEqual(skipped.files.map(({ path, code }) => [path, code]), Object.keys(OTHERS).sort().map((path) => [path, "not_text"]));
  assert.equal(skipped.count, skipped.files.length);
});

test("a search finds texts in every encoding, by literals and regular expressions", async (t) => {
  await init();
  const { files, put } = workspaceIn(t);
  for (const [name, [, content]] of Object.entries(TEXTS)) put(`${name}.txt`, bytes(content));
  for (const regex of [false, true]) {
    const { matches, skipped } = await files.search({ pattern: "。", regex });
    assert.deepEqual(matches.map(({ path, line }) => [path, line]), [["gb18030.txt", 1], ["gbk, traditional.txt", 1], ["gbk.txt", 2]]);
    assert.equal(skipped, undefined);
  }
});

test("zip files and copies keep the encodings", async (t) => {
  const [from, to, copy] = [workspaceIn(t), workspaceIn(t), workspaceIn(t)];
  for (const [name, [, content]] of Object.entries(TEXTS)) from.put(`${name}.txt`, bytes(content));
  const zip = await zipOf(from.files);
  assert.deepEqual(zip.skipped, []);
  assert.equal((await importZip(to.files, zip)).written.length, 5);
  assert.equal((await copyFiles(from.files, copy.files)).written.length, 5);
  // Places without encodings have the texts.
  const memory = memoryWorkspace();
  await importZip(memory, zip);
  for (const [name, [text, content]] of Object.entries(TEXTS)) {
    for (const { stored } of [to, copy]) assert.equal(hex(stored(`${name}.txt`)), content, name);
    assert.equal((await memory.read(`${name}.txt`)).text, text);
  }
});
