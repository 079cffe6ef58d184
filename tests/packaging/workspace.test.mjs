// Workspaces in Node: in memory, and in a directory.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { init } from "copydesk";
import { copyFiles, directoryWorkspace, importZip, memoryWorkspace, zipOf } from "copydesk/workspace";
import { cases } from "../workspace/cases.mjs";
import { searchCases } from "../workspace/search-cases.mjs";
import { playRandom } from "../workspace/random.mjs";

const seed = Number(process.env.COPYDESK_SEED ?? Math.floor(Math.random() * 2 ** 31));

const kinds = {
  memory: () => {
    let files;
    // In memory a workspace has its files alone: another one would be empty.
    return { isLasting: false, open: (options) => (files ??= memoryWorkspace({}, { locale: "en", ...options })) };
  },
  directory: (t) => {
    const directory = mkdtempSync(join(tmpdir(), "copydesk-workspace-"));
    const opened = [];
    t.after(async () => {
      for (const files of opened) await files.close();
      rmSync(directory, { recursive: true });
    });
    return {
      isLasting: true,
      directory,
      open(options) {
        opened.push(directoryWorkspace(directory, { locale: "en", ...options }));
        return opened.at(-1);
      },
    };
  },
};

const zips = { copyFiles, importZip, zipOf, other: () => memoryWorkspace({}, { locale: "en" }) };

test("a search before init() names the way out", async () => {
  const files = memoryWorkspace({ "a.md": "a" }, { locale: "en" });
  await assert.rejects(files.search({ pattern: "a" }), ({ code, message }) => code === "not_loaded" && message.includes("init()"));
  assert.equal((await files.read("a.md")).text, "a");
});

test("the files of a workspace in memory follow the rules from the start", async () => {
  const codeOf = (files) => {
    try {
      memoryWorkspace(files, { locale: "en" });
    } catch (error) {
      return error.code;
    }
  };
  const wrong = [{ "../x": "" }, { "a.md": "a\0" }, { "a.md": 5 }, { a: "", "a/b": "" }, { "a/b": "", a: "" }, { "\u00e9": "one", "e\u0301": "two" }, 5];
  const codes = ["invalid_path", "not_text", "invalid_parameter", "invalid_path", "invalid_path", "file_exists", "invalid_parameter"];
  assert.deepEqual(wrong.map(codeOf), codes);
});

for (const [kind, place] of Object.entries(kinds)) {
  for (const [name, run] of Object.entries(searchCases)) {
    test(`${kind}: ${name}`, async (t) => {
      await init();
      const files = place(t);
      const opened = [];
      // Ends the workers.
      t.after(() => Promise.all(opened.map((files) => files.close())));
      await run({ ...files, ...zips, open: (options) => (opened.push(files.open(options)), opened.at(-1)) });
    });
  }

  for (const [name, run] of Object.entries(cases)) test(`${kind}: ${name}`, (t) => run(place(t)));

  test(`${kind}: random operations do what a naive workspace does (COPYDESK_SEED=${seed})`, async (t) => {
    await playRandom(place(t), seed, kind === "memory" ? 3000 : 300);
  });
}
