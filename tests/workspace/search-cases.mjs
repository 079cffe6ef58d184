// Searches and checks of a workspace, in Node and in pages. `init()` has been awaited.

import { zipSync } from "fflate";
import { failure, same } from "./expect.mjs";

const BOOK = {
  "chapters/ch001.md": "# One\n\n第1天，下雨。[SETUP:umbrella]\nShe counts: 3 cups.\n",
  "chapters/ch002.md": "# Two\r\n\r\n第3天，晴。[REF:mystery-box]\r\n12 cups\r\nend",
  "notes/other.txt": "\ufeffcups\nCUPS\nno",
  "empty.md": "",
};

/** Writes a book into a workspace. */
async function filled(open, options) {
  const files = open(options);
  for (const [path, text] of Object.entries(BOOK)) await files.write(path, text);
  return files;
}

/** Changes a zip file: its files of a size state another one. */
function stating(zip, size, stated) {
  const view = new DataView(zip.buffer);
  for (let at = 0; at < zip.length - 4; at++) {
    const sign = view.getUint32(at, true);
    const field = sign === 0x04034b50 ? 22 : sign === 0x02014b50 ? 24 : undefined;
    if (field !== undefined && view.getUint32(at + field, true) === size) view.setUint32(at + field, stated, true);
  }
  return zip;
}

const places = ({ matches }) => matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);

export const searchCases = {
  async "a literal and a regular expression find the same lines with the same surroundings"({ open }) {
    const files = await filled(open);
    const both = async (pattern, more = {}) => {
      const literal = await files.search({ pattern, ...more });
      const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      same(await files.search({ pattern: escaped, regex: true, ...more }), literal, pattern);
      return literal;
    };
    const cups = await both("cups");
    same(cups, {
      matches: [
        { path: "chapters/ch001.md", line: 4, text: "She counts: 3 cups.", before: ["", "第1天，下雨。[SETUP:umbrella]"], after: [] },
        { path: "chapters/ch002.md", line: 4, text: "12 cups", before: ["", "第3天，晴。[REF:mystery-box]"], after: ["end"] },
        { path: "notes/other.txt", line: 1, text: "cups", before: [], after: ["CUPS", "no"] },
        { path: "notes/other.txt", line: 2, text: "CUPS", before: ["cups"], after: ["no"] },
      ],
      isCut: false,
    });
    same((await both("cups", { caseSensitive: true })).matches.length, 3);
    same(places(await both("cups", { limit: 2 })), ["chapters/ch001.md:4: She counts: 3 cups.", "chapters/ch002.md:4: 12 cups"]);
    same((await both("cups", { limit: 2 })).isCut, true);
    same((await both("cups", { limit: 4 })).isCut, false);
    same(places(await both("cups", { paths: ["notes/other.txt", "none.md", "chapters/ch001.md"], limit: 9 })).map((place) => place.split(":")[0]), ["notes/other.txt", "notes/other.txt", "chapters/ch001.md"]);
    same((await both("cups", { paths: [] })).matches, []);
    for (const pattern of ["e", "第", "no", "#", "Ω", "天，晴"]) await both(pattern);
    // A long line is cut to the part around the match.
    await files.write("long.md", `${"文🍵 ".repeat(400)}needle${" x".repeat(400)}\n${"y".repeat(301)}\nneedle ${"z".repeat(299)}`);
    await both("needle");
    await both("y");
  },

  async "regular expressions are those of JavaScript over lines"({ open }) {
    const files = await filled(open);
    const lines = async (pattern, more) => places(await files.search({ pattern, regex: true, ...more }));
    same(await lines("^\\d+ cups$"), ["chapters/ch002.md:4: 12 cups"]);
    same(await lines("^第(\\d)天.+\\p{Lu}{3}:"), ["chapters/ch001.md:3: 第1天，下雨。[SETUP:umbrella]", "chapters/ch002.md:3: 第3天，晴。[REF:mystery-box]"]);
    // A match over several lines counts for the line in which it begins.
    same(await lines("Two\\s+第3天"), ["chapters/ch002.md:1: # Two"]);
    same((await lines("^", { limit: 100 })).length, 4 + 5 + 3);
    same(await lines("end(?!.)"), ["chapters/ch002.md:5: end"]);
    // Valid without the flag u only.
    same(await lines("\\-box"), ["chapters/ch002.md:3: 第3天，晴。[REF:mystery-box]"]);
    const { message, details } = await failure(files.search({ pattern: "(cups", regex: true }), "invalid_pattern");
    // Without the flag `u` this would be a text.
    await failure(files.search({ pattern: "\\p{Han}", regex: true }), "invalid_pattern");
    same((await files.search({ pattern: "\\p{Script=Han}", regex: true })).matches.length > 0, true);
    same([details.pattern, message.startsWith("(cups is not a valid regular expression: ")], ["(cups", true]);
    for (const query of [{ pattern: "" }, { pattern: 5 }, { pattern: "a", limit: 0 }, { pattern: "a", paths: "a.md" }, null]) {
      await failure(files.search(query), "invalid_parameter");
    }
    await failure(files.check("grammar"), "invalid_parameter");
  },

  async "a search that would never end is stopped, and the next one works"({ open }) {
    const files = await filled(open);
    await files.write("trap.md", `${"a".repeat(40)}!`);
    const slow = files.search({ pattern: "(a+)+$", regex: true });
    const queued = files.search({ pattern: "12" });
    const { message, details } = await failure(slow, "search_timeout");
    same([details, message.includes("(a+)+$")], [{ pattern: "(a+)+$", ms: 2000 }, true]);
    same(places(await queued), ["chapters/ch002.md:4: 12 cups"]);
    await files.remove("trap.md");
    same(places(await files.search({ pattern: "(a+)+$", regex: true })), []);
  },

  async "a search sees the changes before it"({ open }) {
    const files = await filled(open);
    const found = async (pattern, regex) => places(await files.search({ pattern, regex }));
    same(await found("fresh", false), []);
    for (let at = 0; at < 5; at++) {
      await files.write("a.md", `fresh ${at}`);
      same(await found("fresh", at % 2 === 0), [`a.md:1: fresh ${at}`]);
    }
    await files.rename("a.md", "b.md");
    same(await found("fresh", true), ["b.md:1: fresh 4"]);
    await files.remove("b.md");
    same(await found("fresh", false), []);
    same(await found("fresh", true), []);
  },

  async "the checks of a story find what is wrong, in the language that is asked for"({ open }) {
    const files = await filled(open, { locale: "zh-CN" });
    const timeline = await files.check("timeline");
    same(timeline.errors.map(({ file, line, message }) => [file, line, message]), [["chapters/ch002.md", 3, "第2章时间线跳跃：第1天 → 第3天"]]);
    const references = await files.check("references");
    same(references.errors.map(({ message }) => message), ["第2章引用 [REF:mystery-box] 不存在"]);
    same(references.warnings.map(({ message }) => message), ["伏笔 [SETUP:umbrella] 未被引用"]);
    await files.write("chapters/ch002.md", "第2天\n[REF:umbrella]\n");
    same((await files.check("timeline")).errors, []);
    same(await files.check("references", "en"), { errors: [], warnings: [] });
  },

  async "the first search tells how many files were read, and later ones and checks read none"({ open }) {
    const files = await filled(open);
    // More than one batch, in their number and in their size.
    for (let at = 0; at < 20; at++) await files.write(`more/${at}.md`, "茶".repeat(30_000));
    const told = [];
    const progress = (read, all) => told.push([read, all]);
    await files.search({ pattern: "cups", progress });
    same(told.at(-1), [24, 24]);
    same(told.length > 1 && told.every(([read, all], at) => all === 24 && (at === 0 || read > told[at - 1][0])), true, JSON.stringify(told));
    const before = told.length;
    await files.check("timeline", "en", { progress });
    await files.search({ pattern: "cups", regex: true, progress });
    same(told.length, before);
    await failure(files.search({ pattern: "a", progress: 5 }), "invalid_parameter");
    await failure(files.check("timeline", "en", { progress: 5 }), "invalid_parameter");
  },

  async "a closed workspace searches no more"({ open }) {
    const files = await filled(open);
    const under = files.search({ pattern: "(a+)+$", regex: true }).then(
      () => "found",
      ({ code }) => code,
    );
    await files.close();
    same(["found", "disposed"].includes(await under), true);
    await failure(files.search({ pattern: "a" }), "disposed");
    await failure(files.check("timeline"), "disposed");
  },

  async "a zip file brings the files back"({ open, other, importZip, zipOf }) {
    const files = await filled(open);
    const large = Array.from({ length: 30_000 }, (_, at) => `line ${at} 文`).join("\n");
    await files.write("large.md", large);
    const zip = await zipOf(files);
    same(zip.size < large.length / 2, true);
    const target = other();
    const first = await importZip(target, zip);
    const paths = [...Object.keys(BOOK), "large.md"].sort();
    same([first.written.sort(), first.skipped], [paths, []]);
    for (const path of paths) same((await target.read(path)).version, (await files.read(path)).version);
    await target.write("empty.md", "mine");
    const second = await importZip(target, zip, { locale: "en" });
    same([second.written, second.skipped.map(({ code }) => code)], [[], paths.map(() => "file_exists")]);
    same((await target.read("empty.md")).text, "mine");
    same((await importZip(target, await zip.arrayBuffer(), { overwrite: true })).written.sort(), paths);
    same((await target.versions("empty.md")).length, 3);
    await failure(importZip(target, new Blob(["no zip"])), "invalid_parameter");
    // What is no path, no text or too large is left out and named.
    const bad = zipSync({
      "../../x": [new Uint8Array([1])],
      "/etc/x": [new Uint8Array([1])],
      "con.md": [new Uint8Array([1])],
      "folder/": [new Uint8Array()],
      "folder/ok.md": [new TextEncoder().encode("ok 🍵")],
      "picture.png": [new Uint8Array([0x89, 0xff])],
      "bomb.md": [new Uint8Array(30 * 1024 * 1024)],
    });
    const third = await importZip(target, bad, { locale: "en" });
    same(third.written, ["folder/ok.md"]);
    same(third.skipped.map(({ path, code }) => [path, code]), [["../../x", "invalid_path"], ["/etc/x", "invalid_path"], ["con.md", "invalid_path"], ["picture.png", "not_text"], ["bomb.md", "file_too_large"]]);
    // Many programs write UTF-8 without the flag for it, which is in two places of each entry.
    const names = ["第一章/雨.md", "caf\u00e9.md", "plain.md", "\u00e9.md"];
    const flagged = zipSync(Object.fromEntries(names.map((name) => [name, [new Uint8Array([0x78])]])));
    const unflagged = flagged.slice();
    const signs = { "PK\x03\x04": 7, "PK\x01\x02": 9 };
    const text = String.fromCharCode(...unflagged);
    for (const [sign, flags] of Object.entries(signs)) {
      for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) unflagged[at + flags] &= ~8;
    }
    for (const zip of [flagged, unflagged]) same((await importZip(other(), zip)).written.sort(), [...names].sort());
    // The end of a zip has its directory.
    await failure(importZip(other(), zip.slice(0, zip.size - 9000), { locale: "en" }), "zip_damaged");
    // Of a damaged one each file is right, or named.
    const whole = { "a.md": "Day 1 ".repeat(40), "b/c.md": "hello world", "d.md": "" };
    const entry = (text) => [new TextEncoder().encode(text), { level: text.length > 99 ? 6 : 0 }];
    const small = zipSync(Object.fromEntries(Object.entries(whole).map(([path, text]) => [path, entry(text)])));
    for (let at = 4; at < small.length; at++) {
      const damaged = small.slice();
      damaged[at] ^= 1 << (at % 8);
      const place = other();
      const outcome = await importZip(place, damaged).catch(({ code }) => ({ code }));
      if (outcome.code) {
        same(outcome.code, "zip_damaged", `byte ${at}`);
        continue;
      }
      const { written, skipped } = outcome;
      for (const path of written) same((await place.read(path)).text, whole[path], `byte ${at}`);
      // Damage in a name changes the name that is reported.
      same(written.length + skipped.length, Object.keys(whole).length, `byte ${at}`);
    }
  },

  async "instructions come with a zip file or a folder only if the user has agreed to them by name"({ other, importZip, copyFiles }) {
    const names = ["AGENTS.md", "agents.md", "AGENTS\u200d.md", "\uff21GENTS.md", ".rules/a.md", ".rules/deep/b.md", "SKILL.md", "notes/x/SKILL.md", "notes/x/skill.MD"];
    const plain = ["CLAUDE.md", "notes/AGENTS.md", "notes/rules/a.md", "notes/x/README.md", "notes/myskill.md"];
    const bytes = (all) => zipSync(Object.fromEntries(all.map((name) => [name, [new TextEncoder().encode(`text of ${name}`)]])));
    const zip = bytes([...names, ...plain]);
    const paths = async (files) => (await files.list()).map(({ path }) => path);
    const target = other();
    const { written, skipped } = await importZip(target, zip, { locale: "en", overwrite: true });
    same([written, skipped.map(({ path, code }) => [path, code])], [plain, names.map((path) => [path, "instruction_skipped"])]);
    same(await paths(target), [...plain].sort());
    for (const { path, message } of skipped) same(message.includes(path), true, message);
    // A file that the user has written is not replaced either.
    await target.write("AGENTS.md", "mine");
    await importZip(target, zip, { overwrite: true });
    same((await target.read("AGENTS.md")).text, "mine");
    same((await importZip(target, zip, { instructions: ["notes/x/SKILL.md"] })).written, ["notes/x/SKILL.md"]);
    same((await importZip(other(), zip, { instructions: true })).written, [...names, ...plain]);
    const sources = await importZip(other(), zip, { instructionPaths: ["Notes/X"] });
    same(sources.written, plain.filter((path) => path !== "notes/x/README.md"));
    // The same for files of another workspace, such as a folder of the disk.
    const from = other();
    for (const path of ["AGENTS.md", ".rules/a.md", "notes/x/SKILL.md", "a.md", "b.md"]) await from.write(path, `text of ${path}`);
    const to = other();
    await to.write("a.md", "mine");
    await to.write("b.md", "text of b.md");
    const copied = await copyFiles(from, to, { locale: "en" });
    const left = [[".rules/a.md", "instruction_skipped"], ["AGENTS.md", "instruction_skipped"], ["a.md", "file_exists"], ["notes/x/SKILL.md", "instruction_skipped"]];
    same([copied.written, copied.skipped.map(({ path, code }) => [path, code]).sort()], [[], left]);
    same((await copyFiles(from, to, { instructions: ["AGENTS.md"], overwrite: true })).written.sort(), ["AGENTS.md", "a.md", "b.md"]);
    for (const wrong of [{ instructions: "AGENTS.md" }, { instructions: [1] }, { instructionPaths: "x" }, { maxBytes: 0 }, { overwrite: "yes" }]) await failure(importZip(other(), zip, wrong), "invalid_parameter");
  },

  async "a zip file inflates to no more than the limit and than it says"({ other, importZip }) {
    const text = (length) => [new TextEncoder().encode("a".repeat(length))];
    // Nothing is written of files that are too large together, or too many.
    const many = zipSync(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, text(1_000_000)])));
    const place = other();
    const { message, details } = await failure(importZip(place, many, { maxBytes: 20_000_000, locale: "en" }), "zip_too_large");
    same([details.size, details.limit, await place.list()], [30_000_000, 20_000_000, []]);
    same(message.includes("30000000 bytes"), true);
    // As of 30 files of 9 MB, which take seconds to pack.
    const bomb = stating(zipSync(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.md`, text(9_000)]))), 9_000, 9_000_000);
    same((await failure(importZip(place, bomb), "zip_too_large")).details.size, 270_000_000);
    const crowd = zipSync(Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`${at}`, [new Uint8Array(), { level: 0 }]])));
    await failure(importZip(place, crowd), "zip_too_large");
    same(await place.list(), []);
    // One that states a smaller size is given up while it inflates; the others are read.
    const liar = stating(zipSync({ "liar.md": text(5_000_000), "good.md": text(10) }), 5_000_000, 100);
    const outcome = await importZip(place, liar);
    same([outcome.written, outcome.skipped.map(({ path, code }) => [path, code])], [["good.md"], [["liar.md", "zip_damaged"]]]);
    // Entries that share their data, by which a small file stands for a huge one.
    const twice = zipSync({ "a.md": text(3000), "b.md": text(3000) });
    const shared = new DataView(twice.buffer);
    const centrals = [];
    for (let at = 0; at < twice.length - 4; at++) if (shared.getUint32(at, true) === 0x02014b50) centrals.push(at);
    shared.setUint32(centrals[1] + 42, shared.getUint32(centrals[0] + 42, true), true);
    same((await importZip(place, twice)).skipped.map(({ code }) => code), ["zip_damaged"]);
  },

  async "names of a zip file in GBK are read"({ other, importZip }) {
    // "第一章.md" in GBK, as Chinese versions of Windows write it.
    const gbk = [0xb5, 0xda, 0xd2, 0xbb, 0xd5, 0xc2, 0x2e, 0x6d, 0x64];
    const zip = zipSync({ "\u00b5\u00da\u00d2\u00bb\u00d5\u00c2.md": [new Uint8Array([0x78])] });
    // fflate writes the name in UTF-8 twice. Only these bytes are replaced: the time of day has bytes like them.
    const utf8 = [...new TextEncoder().encode("\u00b5\u00da\u00d2\u00bb\u00d5\u00c2.md")];
    const bytes = [];
    for (let at = 0; at < zip.length; at++) {
      if (utf8.every((byte, offset) => zip[at + offset] === byte)) {
        bytes.push(...gbk);
        at += utf8.length - 1;
      } else bytes.push(zip[at]);
    }
    const file = new Uint8Array(bytes);
    const view = new DataView(file.buffer);
    const find = (sign) => bytes.findIndex((_, at) => at + 4 <= bytes.length && view.getUint32(at, true) === sign);
    const [local, central, end] = [find(0x04034b50), find(0x02014b50), find(0x06054b50)];
    for (const [at, flags, length] of [[local, 6, 26], [central, 8, 28]]) {
      view.setUint16(at + flags, view.getUint16(at + flags, true) & ~0x800, true);
      view.setUint16(at + length, gbk.length, true);
    }
    view.setUint32(end + 12, end - central, true);
    view.setUint32(end + 16, central, true);
    for (const locale of ["en", "zh-CN"]) same((await importZip(other(), file, { locale })).written, ["第一章.md"]);
  },
};

