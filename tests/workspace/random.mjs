// Random operations on a workspace, compared with a naive one of maps.

import { same } from "./expect.mjs";

const PATHS = ["a", "a/b.md", "a/b.md/c", "a/c.md", "d/e/f.md", "d/e", "caf\u00e9.md", "😀/文.md", "d/g.md"];

/** mulberry32 */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The slow and obvious workspace: outcomes are results, or codes of errors. */
class Naive {
  files = new Map();
  history = new Map();

  isFree(path) {
    return ![...this.files.keys()].some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`));
  }

  record(path, text) {
    this.history.set(path, [...(this.history.get(path) ?? []), text]);
  }

  write(path, text, expected) {
    const old = this.files.get(path);
    if (expected === null && old !== undefined) return "file_exists";
    if (typeof expected === "object" && expected && expected.text !== old) return "file_changed";
    if (old === text) return "written";
    if (old === undefined && !this.isFree(path)) return "invalid_path";
    this.files.set(path, text);
    this.record(path, text);
    return old === undefined ? "created" : "written";
  }

  remove(path) {
    if (!this.files.delete(path)) return "file_not_found";
    this.record(path, null);
    return "removed";
  }

  rename(from, to) {
    const text = this.files.get(from);
    if (text === undefined) return "file_not_found";
    if (from === to) return "renamed";
    const outcome = this.write(to, text, null);
    if (outcome !== "created") return outcome;
    this.remove(from);
    return "renamed";
  }
}

/** Plays `count` operations. The error of a difference names the seed. */
export async function playRandom({ open, isLasting }, seed, count) {
  const random = generator(seed);
  const pick = (from) => from[Math.floor(random() * from.length)];
  const naive = new Naive();
  let files = open();
  const log = [];
  const outcomeOf = (promise, name) => promise.then(name, (error) => error.code ?? `${error.stack}`);
  try {
    for (let at = 0; at < count; at++) {
      const path = pick(PATHS);
      const kind = random();
      let actual;
      let expected;
      if (kind < 0.5) {
        const text = pick(["", "one", "two 🍵", `${at}\n`.repeat(Math.floor(random() * 500))]);
        const given = pick([undefined, undefined, null, { text: naive.files.get(path) }, { text: "stale" }]);
        const version = typeof given === "object" && given ? await versionOf(files, path, given.text, naive) : given;
        log.push(`write ${path} ${text.length} ${JSON.stringify(given)?.slice(0, 40)}`);
        actual = await outcomeOf(files.write(path, text, { expected: version }), ({ created }) => (created ? "created" : "written"));
        expected = naive.write(path, text, given && typeof given === "object" && given.text === undefined ? { text: "stale" } : given);
      } else if (kind < 0.65) {
        log.push(`remove ${path}`);
        actual = await outcomeOf(files.remove(path), () => "removed");
        expected = naive.remove(path);
      } else if (kind < 0.8) {
        const to = pick(PATHS);
        log.push(`rename ${path} ${to}`);
        actual = await outcomeOf(files.rename(path, to), () => "renamed");
        expected = naive.rename(path, to);
      } else if (kind < 0.9) {
        const versions = await files.versions(path);
        const chosen = pick(versions);
        if (!chosen || chosen.removed) continue;
        const text = await files.readVersion(path, chosen.id);
        log.push(`restore ${path} ${chosen.id}`);
        actual = await outcomeOf(files.restore(path, chosen.id), ({ created }) => (created ? "created" : "written"));
        expected = naive.write(path, text);
      } else if (isLasting) {
        log.push("reopen");
        await files.close();
        files = open();
      }
      same(actual, expected, log.at(-1));
      if (random() < 0.2) await compare(files, naive, path);
    }
    for (const path of PATHS) await compare(files, naive, path);
  } catch (error) {
    throw new Error(`seed ${seed}, after ${log.slice(-12).join("; ")}: ${error.stack}`);
  }
}

async function versionOf(files, path, text, naive) {
  if (text === undefined || naive.files.get(path) !== text) return "0000000000000000";
  return (await files.read(path)).version;
}

async function compare(files, naive, path) {
  const listed = (await files.list()).map(({ path }) => path);
  same(listed, [...naive.files.keys()].sort());
  const text = await files.read(path).then((file) => file.text, ({ code }) => (code === "file_not_found" ? null : code));
  same(text, naive.files.get(path) ?? null, path);
  const texts = [];
  for (const { id, removed } of await files.versions(path)) texts.push(removed ? null : await files.readVersion(path, id));
  same(texts.reverse(), naive.history.get(path) ?? [], `history of ${path}`);
}
