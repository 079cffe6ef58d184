// Workspaces in Node: in memory, and in a directory.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { directoryWorkspace, memoryWorkspace } from "copydesk/workspace";
import { cases } from "../workspace/cases.mjs";
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

for (const [kind, place] of Object.entries(kinds)) {
  for (const [name, run] of Object.entries(cases)) test(`${kind}: ${name}`, (t) => run(place(t)));

  test(`${kind}: random operations do what a naive workspace does (COPYDESK_SEED=${seed})`, async (t) => {
    await playRandom(place(t), seed, kind === "memory" ? 3000 : 300);
  });
}
