// The page of workspaces: runs the cases that all kinds have in common.
import * as copydesk from "copydesk";
import * as workspace from "copydesk/workspace";
import * as expect from "../../../workspace/expect.mjs";
import { cases } from "../../../workspace/cases.mjs";
import { playRandom } from "../../../workspace/random.mjs";

const { folderWorkspace, indexedDBWorkspace, memoryWorkspace } = workspace;
let last = 0;

/** Returns a place with a workspace of its own. */
async function placeOf(kind) {
  const name = `case-${++last}`;
  let memory;
  if (kind === "memory") return { isLasting: false, open: (options) => (memory ??= memoryWorkspace({}, { locale: "en", ...options })) };
  if (kind === "IndexedDB") return { isLasting: true, open: (options) => indexedDBWorkspace(name, { locale: "en", ...options }) };
  const handle = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  return { isLasting: true, handle, open: (options) => folderWorkspace(handle, { locale: "en", ...options }) };
}

Object.assign(window, copydesk, workspace, expect, {
  placeOf,
  runCase: async (kind, name) => cases[name](await placeOf(kind)),
  runRandom: async (kind, seed, count) => playRandom(await placeOf(kind), seed, count),
  ready: true,
});
