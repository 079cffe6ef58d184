/** The folders of the user's computer that were opened: their handles, in a database of their own. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";

const NAME = "copydesk-folders";

export interface StoredFolder {
  /** Identifies the folder in what is kept of its files. It has no colon. */
  id: string;
  handle: FileSystemDirectoryHandle;
  /** The time when it was last chosen. */
  used: number;
}

interface Tables extends DBSchema {
  folders: { key: string; value: StoredFolder };
}

async function withFolders<T>(run: (db: IDBPDatabase<Tables>) => Promise<T>): Promise<T> {
  const db = await openDB<Tables>(NAME, 1, {
    upgrade: (fresh) => void fresh.createObjectStore("folders", { keyPath: "id" }),
    // A newer page wants to change the tables.
    blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
  });
  try {
    return await run(db);
  } finally {
    db.close();
  }
}

/** Returns the folders, the one that was chosen last first. */
export async function storedFolders(): Promise<StoredFolder[]> {
  const folders = await withFolders((db) => db.getAll("folders"));
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
  await withFolders((db) => db.put("folders", chosen));
  return chosen;
}
