// The page of workspaces: runs the cases that all kinds have in common.
import "./bench.js";
import * as copydesk from "copydesk";
import { full } from "copydesk/full";
import * as workspace from "copydesk/workspace";
import * as expect from "../../../workspace/expect.mjs";
import { cases } from "../../../workspace/cases.mjs";
import { searchCases } from "../../../workspace/search-cases.mjs";
import { playRandom } from "../../../workspace/random.mjs";

const { folderWorkspace, indexedDBWorkspace, memoryWorkspace } = workspace;
let last = 0;

const folderOf = async (name) => (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });

/** Opens a workspace by its name. */
async function openNamed(kind, name) {
  return kind === "IndexedDB" ? indexedDBWorkspace(name, { locale: "en" }) : folderWorkspace(await folderOf(name), { locale: "en" });
}

/** Returns a place with a workspace of its own. */
async function placeOf(kind) {
  const name = `case-${++last}`;
  let memory;
  if (kind === "memory") return { isLasting: false, open: (options) => (memory ??= memoryWorkspace({}, { locale: "en", ...options })) };
  if (kind === "IndexedDB") return { isLasting: true, open: (options) => indexedDBWorkspace(name, { locale: "en", ...options }) };
  const handle = await folderOf(name);
  return { isLasting: true, handle, open: (options) => folderWorkspace(handle, { locale: "en", ...options }) };
}

Object.assign(window, copydesk, workspace, expect, {
  newIndexWorker: () => new Worker(new URL("./index-worker.js", import.meta.url), { type: "module" }),
  openNamed,
  placeOf,
  runCase: async (kind, name) => {
    const { copyFiles, importZip, zipOf } = workspace;
    await { ...cases, ...searchCases }[name]({ ...(await placeOf(kind)), copyFiles, importZip, zipOf, other: () => memoryWorkspace({}, { locale: "en" }) });
  },
  runRandom: async (kind, seed, count) => playRandom(await placeOf(kind), seed, count),
});

await copydesk.init(undefined, location.search.includes("full") ? full : undefined);
window.ready = true;
