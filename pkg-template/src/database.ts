/** Promises for the requests of IndexedDB. */

/** Opens a database; `create` makes the stores of a new one. */
export async function openDatabase(name: string, create: (database: IDBDatabase) => void): Promise<IDBDatabase> {
  if (!globalThis.indexedDB) throw new Error("there is no IndexedDB here");
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => create(request.result);
  return result(request);
}

/** Returns the result of a request. */
export function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is complete. */
export function over(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // Also after an error of a request.
    transaction.onabort = () => reject(transaction.error);
  });
}
