/** A lock that processes share through a file, also those of several machines with one disk. */

/** The parts of Node's modules that are used. */
export interface LockFiles {
  open(path: string, flags: string): Promise<{ writeFile(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  readFile(path: string): Promise<Uint8Array>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}
interface Process {
  pid?: number;
  kill?(pid: number, signal: number): boolean;
}

/** The milliseconds that another process may hold a lock while this one waits, if it cannot be seen whether it lives. */
const LONGEST_HOLD = 30_000;
/** The milliseconds between two tries, at most. */
const PAUSE = 12;

/**
 * Runs work while this process has a lock file, which must be in a folder that exists. Waits for the process that has
 * it; the file of one that was killed is removed. `host` is the name of this machine.
 */
export async function withLockFile<T>(fs: LockFiles, file: string, host: string, work: () => Promise<T>): Promise<T> {
  const owner = `${host} ${own().pid ?? 0} ${random()}`;
  await take(fs, file, host, owner);
  try {
    return await work();
  } finally {
    // It is another one's if this process was stopped for so long that it passed for dead.
    if ((await holderOf(fs, file)) === owner) await fs.unlink(file).catch(unless("ENOENT"));
  }
}

async function take(fs: LockFiles, file: string, host: string, owner: string): Promise<void> {
  let seen: string | undefined;
  for (let waited = 0; !(await create(fs, file, owner));) {
    const holder = await holderOf(fs, file);
    if (holder === undefined) continue;
    // Counted by the pauses: after a sleep of the machine the time of day says nothing.
    if (holder !== seen) [seen, waited] = [holder, 0];
    if (isDead(holder, host) || waited > LONGEST_HOLD) await release(fs, file, holder);
    const pause = Math.ceil(Math.random() * PAUSE);
    await new Promise((resolve) => setTimeout(resolve, pause));
    waited += pause;
  }
}

/** Returns false if the file exists. */
async function create(fs: LockFiles, file: string, owner: string): Promise<boolean> {
  const handle = await fs.open(file, "wx").catch(unless("EEXIST"));
  if (!handle) return false;
  try {
    await handle.writeFile(new TextEncoder().encode(owner));
    return true;
  } catch (thrown) {
    await fs.unlink(file).catch(unless("ENOENT"));
    throw thrown;
  } finally {
    await handle.close();
  }
}

/** Removes the lock of a process that is dead. */
async function release(fs: LockFiles, file: string, holder: string): Promise<void> {
  // Of several that wait, one moves it.
  const aside = `${file}-${random()}`;
  try {
    await fs.rename(file, aside);
  } catch (thrown) {
    return unless("ENOENT")(thrown);
  }
  // Another one has done the same, and has the lock by now.
  if ((await holderOf(fs, aside)) !== holder) return fs.rename(aside, file);
  await fs.unlink(aside).catch(unless("ENOENT"));
}

/** Returns the owner of a lock file; an empty text if it has not written its name yet, undefined without a file. */
async function holderOf(fs: LockFiles, file: string): Promise<string | undefined> {
  const bytes = await fs.readFile(file).catch(unless("ENOENT"));
  return bytes && new TextDecoder().decode(bytes);
}

function isDead(holder: string, host: string): boolean {
  const [machine, pid] = holder.split(" ");
  const { kill } = own();
  if (machine !== host || !kill || !Number(pid)) return false;
  try {
    kill.call(own(), Number(pid), 0);
    return false;
  } catch (thrown) {
    return (thrown as { code?: string }).code === "ESRCH";
  }
}

function own(): Process {
  return (globalThis as { process?: Process }).process ?? {};
}

function random(): string {
  return globalThis.crypto.getRandomValues(new Uint32Array(2)).join("-");
}

/** Returns a handler that returns nothing for failures with a code, and throws others. */
function unless(expected: string): (thrown: unknown) => undefined {
  return (thrown) => {
    if ((thrown as { code?: unknown } | null)?.code !== expected) throw thrown;
    return undefined;
  };
}
