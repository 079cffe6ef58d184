/** The search services of a route, from an object, a URL, or a file. */

import { isObject } from "../base/json.js";
import { readFile } from "../loading/local-file.js";
import type { Logger, Services } from "../types/index.js";

/** One service with its key. */
export interface ServiceConfig {
  /** `tavily`, `searxng` or `wikipedia`; for images `unsplash` or `openverse`. */
  type: string;
  apiKey?: string;
  baseUrl?: string;
}

interface ServiceEntry {
  id: string;
  type: string;
  /** They take turns, run by run. */
  apiKeys?: string[];
  baseUrl?: string;
}

/** The content of `search-service-configs.json`. */
export interface SearchServiceConfigs {
  defaultServiceId?: string;
  searchServices: ServiceEntry[];
}

/** The content of `image-service-configs.json`. */
export interface ImageServiceConfigs {
  defaultServiceId?: string;
  imageServices: ServiceEntry[];
}

/** A service, the content of a configuration file, or the URL or path of one. */
export type ServiceSource<Configs> = ServiceConfig | Configs | URL | string;

/** A service as `GET …/config` describes it. */
export type DescribedService = { type: string; apiKey: string } | { type: string; configured: boolean };

interface Kind<S extends { provider: string } = { provider: string }> {
  readonly list: "searchServices" | "imageServices";
  /** The services that an agent takes, with the field that each needs. */
  readonly needs: Readonly<Record<S["provider"], "apiKey" | "baseUrl" | undefined>>;
  /** The service without a configuration. */
  readonly free: string;
  /** The provider whose tool answers that it has no key. */
  readonly keyed: string;
}

const SEARCH: Kind<NonNullable<Services["web"]>> = {
  list: "searchServices",
  needs: { tavily: "apiKey", searxng: "baseUrl", wikipedia: undefined },
  free: "wikipedia",
  keyed: "tavily",
};
const IMAGES: Kind<NonNullable<Services["images"]>> = {
  list: "imageServices",
  needs: { unsplash: "apiKey", openverse: undefined },
  free: "openverse",
  keyed: "unsplash",
};

/** A service whose configuration was read: `keys` is empty for one without keys. */
interface Loaded {
  readonly type: string;
  readonly keys: readonly string[];
  readonly baseUrl?: string;
  readonly isConfigured: boolean;
}

/** The sources of a route's services. */
type Sources = { search?: ServiceSource<SearchServiceConfigs>; image?: ServiceSource<ImageServiceConfigs> };

/** The time in milliseconds to load a configuration from a URL. */
const LOAD_TIMEOUT = 10_000;

/** The services of a route. Files are read at each request, so what has changed in them, and what failed, counts no longer. */
export class ServiceConfigs {
  readonly #given: Sources;
  readonly #fallback: Services;
  readonly #logger: Logger | undefined;
  /** By the list: the services that were read last, and the last failure that was reported. */
  readonly #last = new Map<Kind["list"], Loaded>();
  readonly #reported = new Map<Kind["list"], string>();
  #turn = 0;

  /** `fallback` are services as an agent takes them; a source takes the place of one. */
  constructor(given: Sources, fallback: Services | undefined, logger: Logger | undefined) {
    this.#given = given;
    this.#fallback = fallback ?? {};
    this.#logger = logger;
  }

  /** Returns the services for the next run. */
  async next(): Promise<Services> {
    const { search, image } = await this.#loaded();
    const turn = this.#turn++;
    return {
      ...this.#fallback,
      ...(search && { web: serviceOf(search, turn) as NonNullable<Services["web"]> }),
      ...(image && { images: serviceOf(image, turn) as NonNullable<Services["images"]> }),
    };
  }

  /** Returns the answer of `GET …/config`. */
  async describe(exposeKeys: boolean): Promise<{ searchService: DescribedService; imageService: DescribedService }> {
    const { search, image } = await this.#loaded();
    const { web, images } = this.#fallback;
    return {
      searchService: described(search ?? ofAgent(web, SEARCH), exposeKeys),
      imageService: described(image ?? ofAgent(images, IMAGES), exposeKeys),
    };
  }

  async #loaded(): Promise<{ search: Loaded | undefined; image: Loaded | undefined }> {
    const search = await this.#load(this.#given.search, SEARCH);
    return { search, image: await this.#load(this.#given.image, IMAGES) };
  }

  async #load(source: ServiceSource<object> | undefined, kind: Kind): Promise<Loaded | undefined> {
    if (source === undefined) return undefined;
    const file = typeof source === "string" || source instanceof URL ? String(source) : undefined;
    try {
      const loaded = chosen(file === undefined ? source : JSON.parse(await textOf(file)), kind);
      this.#last.set(kind.list, loaded);
      this.#reported.delete(kind.list);
      return loaded;
    } catch (thrown) {
      const last = this.#last.get(kind.list);
      this.#report(file ?? kind.list, kind, thrown instanceof Error ? thrown.message : String(thrown), !!last);
      return last ?? { type: kind.keyed, keys: [], isConfigured: false };
    }
  }

  /** Reports a failure once, not at each request. */
  #report(name: string, { list }: Kind, reason: string, hasLast: boolean): void {
    if (this.#reported.get(list) === reason) return;
    this.#reported.set(list, reason);
    const instead = hasLast ? "The one that was read before is used." : "Its tool answers that it is not configured.";
    const message = `The configuration ${name} cannot be used: ${reason}. ${instead}`;
    const warn = this.#logger?.warning ?? ((text: string) => console.warn(`copydesk: ${text}`));
    warn(message, { file: name, reason });
  }
}

/** Returns the text of a file: a URL, or a path of this machine. */
async function textOf(file: string): Promise<string> {
  if (/^https?:/i.test(file)) {
    const response = await fetch(file, { signal: AbortSignal.timeout(LOAD_TIMEOUT) });
    if (!response.ok) throw new Error(`it responded with status ${response.status}`);
    return response.text();
  }
  return new TextDecoder().decode(await readFile(/^file:/i.test(file) ? file : fileUrlOf(file)));
}

/** A path may be relative to the working directory, as `node:fs` reads it, and may contain `#` and `%`. */
function fileUrlOf(path: string): string {
  const { process } = globalThis as { process?: { cwd(): string } };
  const slashed = path.replace(/\\/g, "/");
  const isAbsolute = /^(?:\/|[a-z]:\/)/i.test(slashed);
  const base = isAbsolute || !process ? "" : `${process.cwd().replace(/\\/g, "/")}/`;
  const escaped = `${base}${slashed}`.replace(/[%#?]/g, encodeURIComponent);
  return new URL(escaped.startsWith("/") ? `file://${escaped}` : `file:///${escaped}`).href;
}

/** Returns the default service of a configuration, or the first one. Throws with the reason if there is none. */
function chosen(config: unknown, { list, needs }: Kind): Loaded {
  if (!isObject(config)) throw new Error("it is not an object");
  let entry: Partial<ServiceEntry> & { apiKey?: unknown };
  if ("type" in config) entry = config as Partial<ServiceEntry>;
  else {
    const entries: unknown = (config as Record<string, unknown>)[list];
    if (!Array.isArray(entries) || !entries.length) throw new Error(`${list} is not a list with a service`);
    const { defaultServiceId } = config as { defaultServiceId?: unknown };
    entry = defaultServiceId == null ? entries[0] : entries.find((one) => one?.id === defaultServiceId);
    if (!isObject(entry)) throw new Error(`${list} has no service with the id ${JSON.stringify(defaultServiceId)}`);
  }
  const { type = "", apiKeys, apiKey, baseUrl } = entry;
  const valid = Object.keys(needs);
  if (!valid.includes(type))
    throw new Error(`the type is ${JSON.stringify(type)}; it must be one of ${valid.join(", ")}`);
  const isKey = (key: unknown): key is string => typeof key === "string" && key !== "";
  const keys = [...(Array.isArray(apiKeys) ? apiKeys : []), apiKey].filter(isKey);
  if (needs[type] === "baseUrl" && !baseUrl) throw new Error(`${type} needs a baseUrl`);
  if (needs[type] === "apiKey" && !keys.length && !baseUrl) throw new Error(`${type} has no key in apiKeys`);
  return { type, keys, ...(typeof baseUrl === "string" && { baseUrl }), isConfigured: true };
}

function serviceOf({ type, keys, baseUrl, isConfigured }: Loaded, turn: number): object {
  const apiKey = keys[turn % keys.length] ?? "";
  const needs: Kind["needs"] = { ...SEARCH.needs, ...IMAGES.needs };
  const needsKey = needs[type] === "apiKey";
  return { provider: type, ...((needsKey || !isConfigured) && { apiKey }), ...(baseUrl && { baseUrl }) };
}

function ofAgent(service: Services["web"] | Services["images"], { free }: Kind): Loaded {
  if (!service) return { type: free, keys: [], isConfigured: true };
  const keys = "apiKey" in service ? [service.apiKey] : [];
  return { type: service.provider, keys, isConfigured: !("apiKey" in service) || service.apiKey !== "" };
}

function described({ type, keys, isConfigured }: Loaded, exposeKeys: boolean): DescribedService {
  return exposeKeys ? { type, apiKey: keys[0] ?? "" } : { type, configured: isConfigured };
}
