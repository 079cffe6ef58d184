/** Copying files between a workspace, zip files and folders of the user's disk. */
import { folderWorkspace, importZip, zipOf, type ImportedFiles, type Workspace } from "copydesk/workspace";

/** The part of the File System Access API that is used. */
type FolderPicker = (options: { mode: "read" | "readwrite" }) => Promise<FileSystemDirectoryHandle>;

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

export function importZipFile(workspace: Workspace, zip: Blob, overwrite: boolean): Promise<ImportedFiles> {
  return importZip(workspace, zip, { overwrite });
}

/** Copies the files of a folder into a workspace. */
export async function importFolder(
  workspace: Workspace,
  handle: FileSystemDirectoryHandle,
  overwrite: boolean,
): Promise<ImportedFiles> {
  const folder = folderWorkspace(handle);
  try {
    return await copy(folder, workspace, overwrite);
  } finally {
    await folder.close();
  }
}

/** Copies the files of a workspace into a folder. */
export async function exportFolder(
  workspace: Workspace,
  handle: FileSystemDirectoryHandle,
  overwrite: boolean,
): Promise<ImportedFiles> {
  const folder = folderWorkspace(handle);
  try {
    return await copy(workspace, folder, overwrite);
  } finally {
    await folder.close();
  }
}

/** Saves a workspace as a zip file. */
export async function saveZip(workspace: Workspace): Promise<void> {
  const url = URL.createObjectURL(await zipOf(workspace));
  Object.assign(document.createElement("a"), { href: url, download: `${workspace.name}.zip` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copies all texts. A file that exists with another text is skipped unless `overwrite`; its versions stay. */
async function copy(from: Workspace, to: Workspace, overwrite: boolean): Promise<ImportedFiles> {
  const result: ImportedFiles = { written: [], skipped: [] };
  for await (const files of from.readAll()) {
    for (const { path, text } of files) {
      try {
        await to.write(path, text, overwrite ? {} : { expected: null });
        result.written.push(path);
      } catch (error) {
        const { code = "", message = String(error) } = error as { code?: string; message?: string };
        // Without these the other files cannot be written either.
        if (["storage_full", "permission_denied", "disposed", ""].includes(code)) throw error;
        const isSame = code === "file_exists" && (await to.read(path)).text === text;
        if (!isSame) result.skipped.push({ path, code, message });
      }
    }
  }
  return result;
}
