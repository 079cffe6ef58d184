/** A lock that processes share through a file, also those of several machines with one disk. */

/** The parts of Node's modules that are used. */
export interface LockFiles {
  open(path: string, flags: string): Promise<{ writeFile(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  readFile(path: string): Promise<Uint8Array>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}
interface Process {
  pid?: number;
  kill?(pid: number, signal: number): boolean;
}

/** The milliseconds that another process may hold a lock while this one waits, if it cannot be seen whether it lives. */
const LONGEST_HOLD = 30_000;
/** The same for a file without the name of its owner, which a process writes at once after creating it. */
const LONGEST_UNNAMED = 200;
/** The milliseconds between two tries, at most. */
const PAUSE = 12;
/** Failures of links on disks that do not have them. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL", "EACCES"];

/**
 * Runs work while this process has a lock file, which must be in a folder that exists. Waits for the process that has
 * it; the file of one that was killed is removed. `host` is the name of this machine.
 */
export async function withLockFile<T>(fs: LockFiles, file: string, host: string, work: () => Promise<T>): Promise<T> {
  const { pid = 0 } = own();
  const { started } = await stateOf(fs, pid);
  const owner = `${host} ${pid} ${random()} ${started ?? ""}`;
  await take(fs, file, host, owner);
  try {
    return await work();
  } finally {
    // It is another one's if this process was stopped for so long that it passed for dead.
    if ((await holderOf(fs, file)) === owner) await fs.unlink(file).catch(unless("ENOENT"));
  }
}

async function take(fs: LockFiles, file: string, host: string, owner: string): Promise<void> {
  const named = `${file}-${random()}`;
  await write(fs, named, owner);
  try {
    let seen: string | undefined;
    for (let waited = 0; !(await create(fs, file, named, owner));) {
      const holder = await holderOf(fs, file);
      if (holder === undefined) continue;
      // Counted by the pauses: after a sleep of the machine the time of day says nothing.
      if (holder !== seen) [seen, waited] = [holder, 0];
      const longest = holder.split(" ").length > 2 ? LONGEST_HOLD : LONGEST_UNNAMED;
      if (waited > longest || (await isDead(fs, holder, host))) await release(fs, file, holder);
      const pause = Math.ceil(Math.random() * PAUSE);
      await new Promise((resolve) => setTimeout(resolve, pause));
      waited += pause;
    }
  } finally {
    await fs.unlink(named).catch(unless("ENOENT"));
  }
}

/** Creates the lock with the name of its owner in one step, where the disk has links. Returns false if it exists. */
async function create(fs: LockFiles, file: string, named: string, owner: string): Promise<boolean> {
  try {
    await fs.link(named, file);
    return true;
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code === "EEXIST") return false;
    if (!WITHOUT_LINKS.includes(code ?? "")) throw thrown;
    return write(fs, file, owner).then(
      () => true,
      (failed: unknown) => unless("EEXIST")(failed) ?? false,
    );
  }
}

/** Writes a file that does not exist. */
async function write(fs: LockFiles, file: string, text: string): Promise<void> {
  const handle = await fs.open(file, "wx");
  try {
    await handle.writeFile(new TextEncoder().encode(text));
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

/** Returns true if the owner of a lock was a process of this machine that has ended, also if another one has its id. */
async function isDead(fs: LockFiles, holder: string, host: string): Promise<boolean> {
  const [machine, id, , started] = holder.split(" ");
  const { kill } = own();
  const pid = Number(id);
  if (machine !== host || !kill || !pid) return false;
  try {
    kill.call(own(), pid, 0);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === "ESRCH") return true;
  }
  const now = await stateOf(fs, pid);
  return now.hasEnded || (!!started && now.started !== undefined && now.started !== started);
}

/** Returns when a process began, and true for one that has ended and waits for its parent; on Linux only. */
async function stateOf(fs: LockFiles, pid: number): Promise<{ started?: string; hasEnded: boolean }> {
  try {
    const stat = new TextDecoder().decode(await fs.readFile(`/proc/${pid}/stat`));
    // proc(5): the name of the program may contain spaces and brackets.
    const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { ...(fields[18] && { started: fields[18] }), hasEnded: "ZX".includes(state) };
  } catch {
    // Another system, or one that hides its processes.
    return { hasEnded: false };
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
