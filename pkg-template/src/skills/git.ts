/** Repositories of any git server, by isomorphic-git, which is loaded with the first one. */

import { joined } from "../base/bytes.js";
import type { Downloader } from "./downloader.js";
import { manyEntries } from "./forges.js";
import { memoryFs } from "./memory-fs.js";
import { Problem, withoutEnd } from "./problem.js";
import { COMMIT, MOST_ENTRIES, type Remote, type TreeEntry } from "./remote.js";

type Git = typeof import("isomorphic-git");
type HttpClient = import("isomorphic-git").HttpClient;

const DIR = "/";

/** Folders within each other; git itself has no limit. */
const DEEPEST = 64;

export class GitRemote implements Remote {
  readonly origin: string;
  readonly ref: string;
  readonly path: string;
  readonly name: string;
  readonly hasCommits = true;
  readonly #url: string;
  readonly #corsProxy: string | undefined;
  /** The files of the commit that was fetched last, until they are stored. */
  #clone: { commit: string; files: Promise<Clone> } | undefined;

  constructor(url: URL, ref: string, path: string, corsProxy: string | undefined) {
    this.#url = url.href;
    this.origin = `${url.origin}${url.pathname}`;
    this.ref = ref;
    this.path = path;
    this.name = (url.pathname.split("/").filter(Boolean).at(-1) ?? "").replace(/\.git$/, "");
    this.#corsProxy = corsProxy;
  }

  async commit(downloader: Downloader): Promise<string> {
    const { origin, ref } = this;
    if (COMMIT.test(ref)) return ref;
    const git = await loadGit(origin);
    const refs = await this.#run(() =>
      git.listServerRefs({
        http: clientOf(downloader),
        ...this.#server,
        // The newer protocol needs a header that CORS has to allow.
        protocolVersion: 1,
        peelTags: true,
      }),
    );
    const names = ref ? [ref, `refs/heads/${ref}`, `refs/tags/${ref}`] : ["HEAD"];
    const found = names.map((name) => refs.find((one) => one.ref === name)).find(Boolean);
    if (found) return found.peeled ?? found.oid;
    throw ref
      ? new Problem("skill_ref_not_found", { origin, ref })
      : new Problem("skill_missing", { origin, path: "" });
  }

  async tree(commit: string, downloader: Downloader): Promise<TreeEntry[]> {
    const clone = await this.#cloned(commit, downloader);
    return this.#run(() => clone.tree());
  }

  async file(commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>> {
    const clone = await this.#cloned(commit, downloader);
    const bytes = await this.#run(() => clone.file(path));
    downloader.unpacked(path, bytes.length);
    return bytes;
  }

  release(): void {
    this.#clone = undefined;
  }

  get #server() {
    return { url: this.#url, ...(this.#corsProxy && { corsProxy: this.#corsProxy }) };
  }

  #cloned(commit: string, downloader: Downloader): Promise<Clone> {
    if (this.#clone?.commit === commit) return this.#clone.files;
    const files = this.#fetched(commit, downloader);
    this.#clone = { commit, files };
    files.catch(() => this.release());
    return files;
  }

  async #fetched(commit: string, downloader: Downloader): Promise<Clone> {
    const git = await loadGit(this.origin);
    const fs = memoryFs();
    return this.#run(async () => {
      await git.init({ fs, dir: DIR });
      await git.addRemote({ fs, dir: DIR, remote: "origin", url: this.#url });
      const http = clientOf(downloader);
      const only = { depth: 1, singleBranch: true, tags: false };
      await git.fetch({ fs, http, dir: DIR, ...this.#server, ref: commit, remoteRef: commit, ...only });
      return new Clone(git, fs, commit, this.origin);
    });
  }

  /** Runs calls of isomorphic-git; its errors are those of an answer that is not git's. */
  async #run<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (thrown) {
      if (thrown instanceof Problem) throw thrown;
      const reason = withoutEnd(thrown instanceof Error ? thrown.message : String(thrown));
      throw new Problem("skill_not_git", { origin: this.origin, reason }, { cause: thrown });
    }
  }
}

/** One commit without its history. */
class Clone {
  readonly #git: Git;
  readonly #fs: ReturnType<typeof memoryFs>;
  readonly #commit: string;
  readonly #origin: string;
  readonly #cache = {};
  /** The files by their paths. */
  #files: Promise<{ entries: TreeEntry[]; oids: Map<string, string> }> | undefined;

  constructor(git: Git, fs: ReturnType<typeof memoryFs>, commit: string, origin: string) {
    this.#git = git;
    this.#fs = fs;
    this.#commit = commit;
    this.#origin = origin;
  }

  async tree(): Promise<TreeEntry[]> {
    return (await this.#listed()).entries;
  }

  async file(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const oid = (await this.#listed()).oids.get(path);
    if (oid === undefined) throw new Problem("skill_not_found", { origin: this.#origin });
    const { blob } = await this.#git.readBlob({ fs: this.#fs, dir: DIR, oid, cache: this.#cache });
    // A part of the pack would keep all of it.
    return Uint8Array.from(blob);
  }

  #listed() {
    return (this.#files ??= this.#list());
  }

  async #list() {
    const [fs, dir, cache] = [this.#fs, DIR, this.#cache];
    const { commit } = await this.#git.readCommit({ fs, dir, oid: this.#commit, cache });
    const entries: TreeEntry[] = [];
    const oids = new Map<string, string>();
    const folders = [{ oid: commit.tree, folder: "", depth: 0 }];
    for (let next = folders.pop(); next; next = folders.pop()) {
      // Not by `readTree`: a name that it does not accept would make the whole repository unreadable.
      const { object } = await this.#git.readObject({ fs, dir, oid: next.oid, format: "content", cache });
      for (const { mode, name, oid } of entriesIn(object as Uint8Array)) {
        const path = next.folder + name;
        const isTree = mode === "40000" || mode === "040000";
        if (isTree && next.depth < DEEPEST) folders.push({ oid, folder: `${path}/`, depth: next.depth + 1 });
        if (isTree) continue;
        const kind = mode === "160000" ? "submodule" : mode === "120000" ? "link" : "file";
        entries.push({ path, kind });
        if (kind === "file") oids.set(path, oid);
      }
      if (entries.length + folders.length > MOST_ENTRIES) throw manyEntries(this.#origin);
    }
    return { entries, oids };
  }
}

/** Returns the entries of a tree object: each is its mode, a space, its name, a NUL and the 20 bytes of its hash. */
function* entriesIn(tree: Uint8Array): Iterable<{ mode: string; name: string; oid: string }> {
  const decoder = new TextDecoder();
  for (let at = 0; at < tree.length;) {
    const [space, end] = [tree.indexOf(0x20, at), tree.indexOf(0, at)];
    if (space < 0 || end < space || end + 21 > tree.length) throw new Error("a tree object is damaged");
    const hash = Array.from(tree.subarray(end + 1, end + 21), (byte) => byte.toString(16).padStart(2, "0")).join("");
    yield {
      mode: decoder.decode(tree.subarray(at, space)),
      name: decoder.decode(tree.subarray(space + 1, end)),
      oid: hash,
    };
    at = end + 21;
  }
}

/** Requests of isomorphic-git within the limits of a load. */
function clientOf(downloader: Downloader): HttpClient {
  return {
    async request({ url, method = "GET", headers = {}, body }) {
      const chunks: Uint8Array[] = [];
      if (body) for await (const chunk of body) chunks.push(chunk);
      const content = body ? joined(chunks) : undefined;
      const answer = await downloader.content(url, { method, headers, body: content });
      return {
        url: answer.url,
        method,
        headers: Object.fromEntries(answer.headers),
        body: chunksOf(answer.bytes),
        statusCode: 200,
        statusMessage: "OK",
      };
    },
  };
}

async function* chunksOf(bytes: Uint8Array<ArrayBuffer>): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

async function loadGit(origin: string): Promise<Git> {
  let name = "buffer";
  try {
    // isomorphic-git expects Node's global in pages, too.
    const global = globalThis as { Buffer?: unknown };
    global.Buffer ??= (await import("buffer/index.js")).Buffer;
    name = "isomorphic-git";
    const loaded: Git & { default?: Git } = await import("isomorphic-git");
    return loaded.default ?? loaded;
  } catch (cause) {
    const reason = withoutEnd(cause instanceof Error ? cause.message : String(cause));
    throw new Problem("skill_library_missing", { origin, name, reason }, { cause });
  }
}
