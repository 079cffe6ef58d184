/** `copydesk/workspace`: trees of text files for an agent and its user. */

import { check } from "./base/error.js";
import { isObject } from "./base/json.js";
import type { DirectoryHandle } from "./base/platform.js";
import type { Workspace } from "./types/index.js";
import { createWorkspace, type WorkspaceOptions } from "./workspace/core.js";
import { DirectoryTree } from "./workspace/directory.js";
import { FolderTree } from "./workspace/folder.js";
import { IndexedDBStorage } from "./workspace/indexed-db.js";
import { MemoryStorage } from "./workspace/memory.js";
import { TreeStorage } from "./workspace/tree-storage.js";

export type { WorkspaceOptions } from "./workspace/core.js";
export { copyFiles, type CopyOptions, type ImportedFiles } from "./workspace/transfer.js";
export { importZip, zipOf, type ImportOptions, type ZipBlob } from "./workspace/zip.js";
export type * from "./types/workspace.js";
export type * from "./types/workspace-host.js";

/** Creates a workspace in memory, with the texts of these files by path. */
export function memoryWorkspace(files: Record<string, string> = {}, options: WorkspaceOptions = {}): Workspace {
  check(isObject(files), "files", files, "an object with texts by path");
  return createWorkspace((locale) => new MemoryStorage(files, locale), options);
}

/** Opens the workspace of this name in the browser's IndexedDB. Tabs that open the same name see each other's changes. */
export function indexedDBWorkspace(name: string, options: WorkspaceOptions = {}): Workspace {
  check(typeof name === "string" && name !== "", "name", name, "a name that is not empty");
  return createWorkspace((locale) => new IndexedDBStorage(name, locale), options);
}

/**
 * Opens a folder: one that the user has chosen (`showDirectoryPicker({ mode: "readwrite" })`), or one of the page's own
 * (`navigator.storage.getDirectory()`). Changes that other programs make are reported to `watch`. The history is kept
 * in the folder `.copydesk` in it.
 */
export function folderWorkspace(handle: DirectoryHandle, options: WorkspaceOptions = {}): Workspace {
  check(handle?.kind === "directory", "handle", handle, "a FileSystemDirectoryHandle");
  return createWorkspace((locale) => new TreeStorage(new FolderTree(handle, locale), locale), options);
}

/**
 * Asks the user again for access to a folder whose handle the app has stored: after a reload browsers forget it. Call
 * it in a click. Returns false if the user refuses.
 */
export async function requestFolderAccess(handle: DirectoryHandle): Promise<boolean> {
  check(handle?.kind === "directory", "handle", handle, "a FileSystemDirectoryHandle");
  // Folders of the page's own need no permission, and other browsers have no other folders.
  const { requestPermission } = handle as { requestPermission?(options: { mode: string }): Promise<PermissionState> };
  const answer = await requestPermission?.call(handle, { mode: "readwrite" });
  return answer === undefined || answer === "granted";
}

/**
 * Opens a directory of the machine, in Node and runtimes like it. Links in it are not followed. The history is kept in
 * the directory `.copydesk` in it.
 */
export function directoryWorkspace(path: string, options: WorkspaceOptions = {}): Workspace {
  check(typeof path === "string" && path !== "", "path", path, "the path of a directory");
  return createWorkspace((locale) => new TreeStorage(new DirectoryTree(path, locale), locale), options);
}
