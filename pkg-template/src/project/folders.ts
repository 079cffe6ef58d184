/** The folders of the user's computer that were opened: their handles, in a database of their own. */

import { over, result } from "../base/idb-request.js";

const NAME = "copydesk-folders";
const TABLE = "folders";

/** A folder that the user has chosen. */
export interface StoredFolder {
  /** Identifies the folder in what is kept of its files. It has no colon. */
  id: string;
  handle: FileSystemDirectoryHandle;
  /** The time when it was last chosen. */
  used: number;
}

async function withFolders<T>(run: (db: IDBDatabase) => Promise<T>): Promise<T> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id" });
  const db = await result(request);
  // A newer page wants to change the tables.
  db.onversionchange = () => db.close();
  try {
    return await run(db);
  } finally {
    db.close();
  }
}

/** Returns the folders, the one that was chosen last first. */
export async function storedFolders(): Promise<StoredFolder[]> {
  const folders: StoredFolder[] = await withFolders((db) => result(db.transaction(TABLE).objectStore(TABLE).getAll()));
  return folders.sort((a, b) => b.used - a.used);
}

/** Stores a folder that the user has chosen. The same folder keeps its id. */
export async function storeFolder(handle: FileSystemDirectoryHandle): Promise<StoredFolder> {
  for (const known of await storedFolders()) {
    if (await known.handle.isSameEntry(handle)) return putFolder({ ...known, handle });
  }
  return putFolder({ id: `folder-${crypto.randomUUID()}`, handle, used: 0 });
}

/** Stores that a folder is chosen now. */
export async function putFolder(folder: StoredFolder): Promise<StoredFolder> {
  const chosen = { ...folder, used: Date.now() };
  await withFolders((db) => {
    const change = db.transaction(TABLE, "readwrite");
    change.objectStore(TABLE).put(chosen);
    return over(change);
  });
  return chosen;
}
