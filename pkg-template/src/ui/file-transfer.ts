/** Copying files between a workspace, zip files and folders of the user's disk. */

import type { ImportedFiles } from "../workspace/transfer.js";
import type { SkippedFile } from "../types/workspace-host.js";
import type { Workspace } from "../types/workspace.js";

/** The part of the File System Access API that is used. */
type FolderPicker = (options: { mode: "read" | "readwrite" }) => Promise<FileSystemDirectoryHandle>;

/** The consent of the user: to replace files, and to import instructions, by their paths. */
export interface Consent {
  overwrite: boolean;
  instructions: readonly string[];
}

/** Loaded when files are copied first. */
const workspaces = () => import("../workspace.js");

/** Returns the folder that the user picks, null if the user picks none, and undefined where browsers cannot open one. */
export async function pickFolder(mode: "read" | "readwrite"): Promise<FileSystemDirectoryHandle | null | undefined> {
  const { showDirectoryPicker } = window as { showDirectoryPicker?: FolderPicker };
  if (!showDirectoryPicker) return undefined;
  try {
    return await showDirectoryPicker.call(window, { mode });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return null;
    throw error;
  }
}

/** Returns the zip file that the user picks; never resolves if the user picks none. */
export function pickZip(): Promise<File> {
  return new Promise((resolve) => {
    const input = Object.assign(document.createElement("input"), { type: "file", accept: ".zip,application/zip" });
    input.addEventListener("change", () => {
      const [file] = input.files ?? [];
      if (file) resolve(file);
    });
    input.click();
  });
}

/** Copies the files of a zip file into a workspace. */
export async function importZipFile(workspace: Workspace, zip: Blob, consent: Consent): Promise<ImportedFiles> {
  const { importZip } = await workspaces();
  return importZip(workspace, zip, consent);
}

/** Copies the files of a folder into a workspace. */
export async function importFolder(
  workspace: Workspace,
  handle: FileSystemDirectoryHandle,
  consent: Consent,
): Promise<ImportedFiles> {
  const { copyFiles, folderWorkspace } = await workspaces();
  const folder = folderWorkspace(handle);
  try {
    return await copyFiles(folder, workspace, consent);
  } finally {
    await folder.close();
  }
}

/** Copies the files of a workspace into a folder: also instructions, which are the user's own. */
export async function exportFolder(
  workspace: Workspace,
  handle: FileSystemDirectoryHandle,
  { overwrite }: Consent,
): Promise<ImportedFiles> {
  const { copyFiles, folderWorkspace } = await workspaces();
  const folder = folderWorkspace(handle);
  try {
    return await copyFiles(workspace, folder, { overwrite, instructions: true });
  } finally {
    await folder.close();
  }
}

/** Saves a workspace as a zip file. Returns the files that are not in it. */
export async function saveZip(workspace: Workspace): Promise<SkippedFile[]> {
  const { zipOf } = await workspaces();
  const zip = await zipOf(workspace);
  const url = URL.createObjectURL(zip);
  Object.assign(document.createElement("a"), { href: url, download: `${workspace.name}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return zip.skipped;
}
