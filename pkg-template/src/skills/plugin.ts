/** The plugin: the sources of an app, and the skills that each of its agents gets from them. */

import { check, reportError } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type {
  FetchLike,
  FoundSkill,
  Locale,
  PluginConnection,
  PluginHost,
  SkillCache,
  SkillsOptions,
  SkillSource,
  SkillSourceState,
  SkillsPlugin,
} from "../types/index.js";
import { indexedDBCache, memoryCache } from "./cache.js";
import { Connection } from "./connection.js";
import { Forges } from "./forges.js";
import { problemIn } from "./problem.js";
import { RemoteSkills, type RemoteLimits } from "./remote-skills.js";
import type { Remote } from "./remote.js";
import { Repository } from "./repository.js";
import { isTrusted, placeOf, withoutCredentials, type Configured } from "./source.js";
import { SourceLoad } from "./source-load.js";

/** The time of a load, in times that a request waits. */
const LOAD_TIMES = 4;

export class Skills implements SkillsPlugin {
  readonly name = "skills";
  readonly timeoutMs: number;
  readonly maxFiles: number;
  readonly #cache: SkillCache;
  readonly #limits: RemoteLimits;
  readonly #forges: Forges;
  readonly #corsProxy: string | undefined;
  readonly #locale: Locale | undefined;
  readonly #repositories = new Map<string, Repository>();
  readonly #connections = new Set<Connection>();
  readonly #listeners = new Set<() => void>();
  #sources: Configured[] = [];
  /** The loads of remote sources by their id. Those that are disabled stay. */
  #loads = new Map<string, { key: string; load: SourceLoad }>();

  constructor(list: SkillSource[], options: SkillsOptions) {
    const positive = (name: "maxBytes" | "maxFiles" | "timeoutMs", byDefault: number) => {
      const value = options[name] ?? byDefault;
      check(typeof value === "number" && value > 0, name, value, "a positive number");
      return value;
    };
    this.timeoutMs = positive("timeoutMs", 15_000);
    this.maxFiles = positive("maxFiles", 200);
    const fetch: FetchLike = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
    const ms = this.timeoutMs * LOAD_TIMES;
    this.#limits = { fetch, maxBytes: positive("maxBytes", 10_000_000), maxFiles: this.maxFiles, ms };
    this.#cache =
      options.cache ?? ((globalThis as { indexedDB?: IDBFactory }).indexedDB ? indexedDBCache() : memoryCache());
    for (const forge of options.forges ?? []) {
      const { type, url } = forge;
      check(
        ["github", "gitlab", "gitea", "bitbucket"].includes(type),
        "forges.type",
        type,
        "github, gitlab, gitea or bitbucket",
      );
      for (const given of [url, forge.api ?? url, forge.raw ?? url])
        check(typeof given === "string" && /^https?:/.test(given) && URL.canParse(given), "forges.url", given, "a URL");
    }
    this.#forges = new Forges(options.forges ?? []);
    const { corsProxy } = options;
    check(corsProxy === undefined || URL.canParse(corsProxy), "corsProxy", corsProxy, "a URL");
    this.#corsProxy = corsProxy;
    this.#locale = options.locale === undefined ? undefined : localeOf(options.locale);
    this.configure(list);
  }

  configure(list: SkillSource[]): void {
    check(Array.isArray(list), "list", list, "a list of sources");
    const sources = list.map((given, at): Configured => {
      const source = { ...given };
      const name = `list[${at}]`;
      check(typeof source.id === "string" && source.id !== "", `${name}.id`, source.id, "a text that is not empty");
      check(list.findIndex(({ id }) => id === source.id) === at, `${name}.id`, source.id, "unique");
      const place = placeOf(source, name, this.#forges, this.#corsProxy);
      const key =
        "remote" in place ? JSON.stringify([Repository.keyOf(place.remote), place.remote.path]) : place.workspacePath;
      return { source, place, key };
    });
    this.#sources = sources;
    const before = this.#loads;
    this.#loads = new Map();
    for (const { source, place, key } of sources) {
      if (!("remote" in place)) continue;
      const old = before.get(source.id);
      if (old?.key === key) this.#loads.set(source.id, old);
      else if (source.enabled !== false) this.#loads.set(source.id, { key, load: this.#loadOf(place.remote) });
    }
    for (const [id, old] of before) if (this.#loads.get(id) !== old) old.load.close();
    this.#changed();
  }

  get list(): SkillSourceState[] {
    const locale = this.#locale ?? localeOf(undefined);
    return this.#sources.map((configured) => {
      const { source, place } = configured;
      const { id, enabled } = source;
      const load = this.#load(id);
      const origin = "remote" in place ? place.remote.origin : place.workspacePath || "/";
      const state = enabled === false ? "disabled" : (load?.state ?? "loading");
      const trusted = isTrusted(configured);
      return {
        id,
        source: withoutCredentials(source.source),
        state,
        skills: (load?.loaded.skills ?? []).map((skill): FoundSkill => ({ ...skill, trusted })),
        origin,
        ...(load?.loaded.commit && { commit: load.loaded.commit }),
        isStored: load?.isStored ?? false,
        ...(load?.error && { error: problemIn(load.error, locale) }),
        warnings: (load?.loaded.warnings ?? []).map((warning) => problemIn(warning, locale)),
      };
    });
  }

  subscribe(listener: () => void): () => void {
    // Of one function several subscriptions are possible.
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  async refresh(id: string): Promise<void> {
    const source = this.#known(id);
    if (source.enabled === false) return;
    const loads = this.#loadsOf(id);
    await Promise.all(loads.map((load) => load.refresh()));
  }

  async removeFromCache(id: string): Promise<void> {
    this.#known(id);
    await Promise.all(this.#loadsOf(id).map((load) => load.reader.removeStored()));
    for (const load of this.#loadsOf(id)) load.isStored = false;
    this.#changed();
  }

  connect(host: PluginHost): PluginConnection {
    const connection = new Connection(host, this, {
      load: (id) => this.#loads.get(id)?.load,
      changed: () => this.#notify(),
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    // A server has one plugin for all its runs: a failure must not stay until it is started again.
    for (const { load } of this.#loads.values()) load.retry();
    connection.update(this.#sources);
    return connection;
  }

  /** The load of a source: for a path in the workspace that of the first agent. */
  #load(id: string): SourceLoad | undefined {
    return this.#loadsOf(id)[0];
  }

  #loadsOf(id: string): SourceLoad[] {
    const remote = this.#loads.get(id)?.load;
    const local = [...this.#connections].map((connection) => connection.localLoad(id));
    return [remote, ...local].filter((load) => load !== undefined);
  }

  #known(id: string): SkillSource {
    const found = this.#sources.find(({ source }) => source.id === id);
    check(found !== undefined, "id", id, `one of ${this.#sources.map(({ source }) => source.id).join(", ") || "none"}`);
    return found!.source;
  }

  #loadOf(remote: Remote): SourceLoad {
    const key = Repository.keyOf(remote);
    let repository = this.#repositories.get(key);
    if (!repository) this.#repositories.set(key, (repository = new Repository(remote, this.#cache)));
    return new SourceLoad(new RemoteSkills(remote, repository, this.#limits), () => this.#changed());
  }

  #changed(): void {
    for (const connection of this.#connections) connection.update(this.#sources);
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (thrown) {
        reportError(thrown);
      }
    }
  }
}
