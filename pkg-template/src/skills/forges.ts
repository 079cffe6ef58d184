/** Forges: servers with repositories that answer for single files, without git. */

import { isObject } from "../base/json.js";
import type { Forge } from "../types/index.js";
import type { Downloader, Request } from "./downloader.js";
import { Problem, type Reason } from "./problem.js";
import { COMMIT, decoded, MOST_ENTRIES, type Remote, type TreeEntry } from "./remote.js";

/** A forge with all its URLs, without a slash at their end. */
interface Server {
  type: Forge["type"];
  url: string;
  api: string;
  raw: string;
}

/** A repository, or a folder in it, as a URL names it. */
interface Place {
  /** The path of the repository on its server. */
  repository: string;
  ref: string;
  path: string;
}

/** The requests of one kind of forge. */
interface Kind {
  api(url: string): string;
  /** Reads the parts of a URL's path. */
  place(parts: string[]): Place | undefined;
  commit(server: Server, repository: string, ref: string, get: Get): Promise<unknown>;
  tree(server: Server, repository: string, commit: string, get: Get): AsyncIterable<Listed[]>;
  file(server: Server, repository: string, commit: string, path: string): string;
}

type Data = Record<string, unknown>;
type Get = (url: string, request?: Request) => Promise<Data>;

/** An unchecked entry of an answer. */
interface Listed {
  path: unknown;
  kind: TreeEntry["kind"] | undefined;
  size?: unknown;
}

/** The forges that are known without configuration. */
const KNOWN: Forge[] = [
  {
    type: "github",
    url: "https://github.com",
    api: "https://api.github.com",
    raw: "https://raw.githubusercontent.com",
  },
  { type: "gitlab", url: "https://gitlab.com" },
  { type: "gitea", url: "https://codeberg.org" },
  { type: "gitea", url: "https://gitea.com" },
  { type: "bitbucket", url: "https://bitbucket.org", api: "https://api.bitbucket.org/2.0" },
];

/** Pages of a list that are read. */
const MOST_PAGES = 200;

const encode = encodeURIComponent;
const encodePath = (path: string) => path.split("/").map(encode).join("/");
const data = (value: unknown): Data => (isObject(value) ? (value as Data) : {});
const list = (value: unknown): Data[] => (Array.isArray(value) ? value.map(data) : []);

/** The kinds of entries of git's trees, by their mode. */
function kindOf(mode: unknown): TreeEntry["kind"] | undefined {
  if (mode === "120000") return "link";
  if (mode === "160000") return "submodule";
  return typeof mode === "string" && mode.startsWith("100") ? "file" : undefined;
}

const KINDS: Record<Forge["type"], Kind> = {
  github: {
    api: (url) => `${url}/api/v3`,
    place: ([owner, name, view, ref, ...path]) =>
      placeOf([owner, name], ["tree", "blob", "raw"].includes(view!), ref, path),
    async commit({ api }, repository, ref, get) {
      // A reference that does not exist is 422.
      return (await get(`${api}/repos/${repository}/commits/${encode(ref || "HEAD")}`, { missing: [422] })).sha;
    },
    async *tree({ api }, repository, commit, get) {
      const { tree } = await get(`${api}/repos/${repository}/git/trees/${commit}?recursive=1`);
      yield list(tree).map(({ path, mode, size }) => ({ path, kind: kindOf(mode), size }));
    },
    file: ({ raw }, repository, commit, path) => `${raw}/${repository}/${commit}/${encodePath(path)}`,
  },
  gitlab: {
    api: (url) => `${url}/api/v4`,
    place(parts) {
      const dash = parts.indexOf("-");
      if (dash < 0) return placeOf(parts, false, undefined, []);
      const [view, ref, ...path] = parts.slice(dash + 1);
      return placeOf(parts.slice(0, dash), ["tree", "blob", "raw"].includes(view!), ref, path);
    },
    async commit({ api }, repository, ref, get) {
      return (await get(`${api}/projects/${encode(repository)}/repository/commits/${encode(ref || "HEAD")}`)).id;
    },
    async *tree({ api }, repository, commit, get) {
      const url = `${api}/projects/${encode(repository)}/repository/tree?recursive=true&per_page=100&ref=${commit}`;
      for (let page = 1; page <= MOST_PAGES; page++) {
        const entries = list(await get(`${url}&page=${page}`));
        yield entries.map(({ path, mode }) => ({ path, kind: kindOf(mode) }));
        if (entries.length < 100) return;
      }
    },
    file: ({ api }, repository, commit, path) =>
      `${api}/projects/${encode(repository)}/repository/files/${encode(path)}/raw?ref=${commit}`,
  },
  gitea: {
    api: (url) => `${url}/api/v1`,
    place: ([owner, name, view, kind, ref, ...path]) =>
      placeOf([owner, name], ["src", "raw"].includes(view!) && ["branch", "tag", "commit"].includes(kind!), ref, path),
    async commit({ api }, repository, ref, get) {
      const only = "limit=1&stat=false&verification=false&files=false";
      const found = await get(`${api}/repos/${repository}/commits?${only}${ref && `&sha=${encode(ref)}`}`);
      return list(found)[0]?.sha;
    },
    async *tree({ api }, repository, commit, get) {
      const url = `${api}/repos/${repository}/git/trees/${commit}?recursive=true&per_page=1000`;
      for (let page = 1; page <= MOST_PAGES; page++) {
        const { tree, truncated } = await get(`${url}&page=${page}`);
        const entries = list(tree);
        yield entries.map(({ path, mode, size }) => ({ path, kind: kindOf(mode), size }));
        if (truncated !== true || !entries.length) return;
      }
    },
    file: ({ api }, repository, commit, path) => `${api}/repos/${repository}/raw/${encodePath(path)}?ref=${commit}`,
  },
  bitbucket: {
    api: (url) => `${url}/api/2.0`,
    place: ([owner, name, view, ref, ...path]) => placeOf([owner, name], ["src", "raw"].includes(view!), ref, path),
    async commit({ api }, repository, ref, get) {
      const url = `${api}/repositories/${repository}`;
      const branch = ref || data((await get(url)).mainbranch).name;
      return (await get(`${url}/commit/${encode(String(branch))}`)).hash;
    },
    async *tree({ api }, repository, commit, get) {
      let url = `${api}/repositories/${repository}/src/${commit}/?max_depth=10&pagelen=100`;
      for (let page = 1; page <= MOST_PAGES; page++) {
        const { values, next } = await get(url);
        yield list(values).map(({ type, path, size, attributes }) => {
          const marks = Array.isArray(attributes) ? (attributes as unknown[]) : [];
          const other = marks.includes("link") ? "link" : marks.includes("subrepository") ? "submodule" : "file";
          return { path, kind: type === "commit_file" ? other : undefined, size };
        });
        if (typeof next !== "string" || !URL.canParse(next) || new URL(next).origin !== new URL(url).origin) return;
        url = next;
      }
    },
    file: ({ api }, repository, commit, path) => `${api}/repositories/${repository}/src/${commit}/${encodePath(path)}`,
  },
};

function placeOf(repository: (string | undefined)[], hasRef: boolean, ref: string | undefined, path: string[]) {
  if (repository.length < 2 || !repository.every(Boolean)) return undefined;
  const name = repository.join("/").replace(/\.git$/, "");
  return { repository: name, ref: (hasRef && ref) || "", path: hasRef ? path.join("/") : "" };
}

/** The forges of an app, before the known ones. */
export class Forges {
  readonly #servers: Server[];

  constructor(own: Forge[]) {
    const cut = (url: string) => url.replace(/\/+$/, "");
    this.#servers = [...own, ...KNOWN].map(({ type, url, api, raw }) => {
      const base = cut(url);
      return { type, url: base, api: cut(api ?? KINDS[type].api(base)), raw: cut(raw ?? `${base}/raw`) };
    });
  }

  /**
   * Returns the repository that a URL is in; undefined if it is of no forge, null if it names no repository of one.
   * `ref` and `path` are added to those of the URL.
   */
  remote(url: URL, ref: string | undefined, path: (inUrl: string) => string): Remote | undefined | null {
    const full = `${url.origin}${url.pathname}`;
    for (const server of this.#servers) {
      // GitHub's own servers give files below the URL of repositories.
      const bases = server.type === "github" ? [server.raw, server.url] : [server.url];
      const base = bases.find((base) => full.startsWith(`${base}/`));
      if (!base) continue;
      const parts = full
        .slice(base.length + 1)
        .split("/")
        .filter(Boolean)
        .map(decoded);
      if (base !== server.url) {
        // Files as they are: the reference is between the repository and the path.
        const [owner, name, ...rest] = parts;
        const from = rest[0] === "refs" ? 2 : 0;
        parts.splice(0, parts.length, owner ?? "", name ?? "", "raw", ...rest.slice(from));
      }
      const place = KINDS[server.type].place(parts);
      if (!place) return null;
      return new ForgeRemote(server, { ...place, ref: ref ?? place.ref, path: path(place.path) });
    }
    return undefined;
  }
}

class ForgeRemote implements Remote {
  readonly origin: string;
  readonly ref: string;
  readonly path: string;
  readonly name: string;
  readonly hasCommits = true;
  readonly #server: Server;
  readonly #repository: string;

  constructor(server: Server, { repository, ref, path }: Place) {
    this.#server = server;
    // Parts of the path may hold any character.
    this.#repository = encodePath(repository);
    this.origin = `${server.url}/${this.#repository}`;
    this.ref = ref;
    this.path = path;
    this.name = repository.split("/").at(-1)!;
  }

  async commit(downloader: Downloader): Promise<string> {
    const { origin, ref } = this;
    if (COMMIT.test(ref)) return ref;
    const ifMissing = ref ? new Problem("skill_ref_not_found", { origin, ref }) : undefined;
    const get: Get = async (url, request) => data(await downloader.json(url, { ...request, ifMissing }));
    const commit = await KINDS[this.#server.type].commit(this.#server, this.#name, ref, get);
    if (typeof commit === "string" && COMMIT.test(commit)) return commit;
    if (ifMissing) throw ifMissing;
    const reason: Reason = ({ reasons }) => reasons.noCommit;
    throw new Problem("skill_unreachable", { origin, reason });
  }

  async tree(commit: string, downloader: Downloader): Promise<TreeEntry[]> {
    const get: Get = async (url, request) => (await downloader.json(url, request)) as Data;
    const tree: TreeEntry[] = [];
    for await (const page of KINDS[this.#server.type].tree(this.#server, this.#name, commit, get)) {
      for (const { path, kind, size } of page) {
        if (typeof path !== "string" || !kind) continue;
        tree.push({ path, kind, ...(typeof size === "number" && { size }) });
      }
      if (tree.length > MOST_ENTRIES) throw manyEntries(this.origin);
    }
    return tree;
  }

  async file(commit: string, path: string, downloader: Downloader): Promise<Uint8Array<ArrayBuffer>> {
    const url = KINDS[this.#server.type].file(this.#server, this.#name, commit, path);
    return (await downloader.content(url)).bytes;
  }

  /** GitLab's API takes the path as one part of a URL, and encodes it itself. */
  get #name(): string {
    return this.#server.type === "gitlab" ? decoded(this.#repository) : this.#repository;
  }
}

/** The failure of a repository with too many files. */
export function manyEntries(origin: string): Problem {
  const what: Reason = ({ things }) => things.files;
  const unit: Reason = ({ units }) => units.entries;
  return new Problem("skill_too_large", { origin, what, limit: MOST_ENTRIES, unit });
}
