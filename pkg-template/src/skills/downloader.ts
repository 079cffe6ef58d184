/** Requests within limits: of bytes, of time, and to the server that was named. */

import { joined } from "../base/bytes.js";
import { isObject } from "../base/json.js";
import type { FetchLike } from "../types/index.js";
import { Problem, withoutEnd, type Reason } from "./problem.js";

export interface Request {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: Uint8Array<ArrayBuffer> | undefined;
  /** Statuses that mean that something is missing, beside 404 and 410. */
  missing?: number[];
  /** Returned instead of a failure if it is missing. */
  ifMissing?: Problem | undefined;
}

export interface Downloaded {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  headers: Headers;
  url: string;
}

const BYTES: Reason = ({ units }) => units.bytes;
/** The most bytes of a list of files; they do not count as content. */
const LARGEST_LIST = 10_000_000;
const MOST_REDIRECTS = 5;

/** Downloads for one load of a source. */
export class Downloader {
  /** The source, in messages. */
  readonly origin: string;
  readonly signal: AbortSignal;
  /** The bytes that may still be downloaded. */
  left: number;
  /** The bytes that may still be unpacked from what was downloaded. */
  #unpackedLeft: number;
  readonly #fetch: FetchLike;
  readonly #limits: { bytes: number; ms: number };

  constructor(origin: string, fetch: FetchLike, limits: { bytes: number; ms: number }) {
    this.origin = origin;
    this.#fetch = fetch;
    this.#limits = limits;
    this.left = this.#unpackedLeft = limits.bytes;
    this.signal = AbortSignal.timeout(limits.ms);
  }

  /** Returns content, which counts towards the limit. */
  async content(url: string, request: Request = {}): Promise<Downloaded> {
    const response = await this.#request(url, request);
    const bytes = await this.#bytes(response, this.left, (count) => (this.left -= count));
    return this.#downloaded(response, url, bytes);
  }

  /** Returns the data of an API, which must be an object or a list. */
  async json(url: string, request: Request = {}): Promise<unknown> {
    const response = await this.#request(url, request);
    const bytes = await this.#bytes(response, LARGEST_LIST, () => {});
    try {
      const data = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
      if (isObject(data)) return data;
    } catch {
      // It is not JSON: reported below.
    }
    const reason: Reason = ({ reasons }) => reasons.notJSON(new URL(url).host);
    throw new Problem("skill_unreachable", { origin: this.origin, reason });
  }

  /** Counts a file that was unpacked from a compressed download. Fails above the limit, which is that of downloads. */
  unpacked(path: string, size: number): void {
    if (size > this.#unpackedLeft) throw this.tooLarge(path);
    this.#unpackedLeft -= size;
  }

  /** The failure of content that is larger than what is left. */
  tooLarge(what: string | Reason = ({ things }) => things.content, limit = this.#limits.bytes): Problem {
    return new Problem("skill_too_large", { origin: this.origin, what, limit, unit: BYTES });
  }

  async #request(url: string, request: Request): Promise<Response> {
    const response = await this.#redirected(url, request);
    if (response.ok) return response;
    void response.body?.cancel().catch(() => {});
    throw this.#refused(response, url, request);
  }

  /** Follows redirects within the server only. */
  async #redirected(first: string, { method = "GET", headers, body }: Request): Promise<Response> {
    const { origin } = new URL(first);
    const init = { method, credentials: "omit", signal: this.signal } satisfies RequestInit;
    const all = { ...init, ...(headers && { headers }), ...(body && { body }) };
    let url = first;
    for (let count = 0; count <= MOST_REDIRECTS; count++) {
      const response = await this.#sent(url, { ...all, redirect: "manual" });
      if (response.type === "opaqueredirect") {
        // Pages do not see where it leads before they follow it.
        const followed = await this.#sent(url, { ...all, redirect: "follow" });
        if (new URL(followed.url).origin === origin) return followed;
        void followed.body?.cancel().catch(() => {});
        throw this.#elsewhere(followed.url);
      }
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      void response.body?.cancel().catch(() => {});
      if (!URL.canParse(location, url)) throw this.#elsewhere(url);
      const next = new URL(location, url);
      if (next.origin !== origin) throw this.#elsewhere(next.href);
      url = next.href;
    }
    const reason: Reason = ({ reasons }) => reasons.redirects;
    throw new Problem("skill_unreachable", { origin: this.origin, reason });
  }

  async #sent(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch (thrown) {
      throw this.#timeout(thrown) ?? (await this.#unreachable(url, thrown));
    }
  }

  async #bytes(response: Response, limit: number, count: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
    const stated = Number(response.headers.get("content-length") ?? 0);
    const chunks: Uint8Array[] = [];
    let size = 0;
    const reader = response.body?.getReader();
    if (!reader) return joined([]);
    try {
      while (stated <= limit) {
        const { done, value } = await reader.read();
        if (done) return joined(chunks);
        size += value.length;
        if (size > limit) break;
        count(value.length);
        chunks.push(value);
      }
    } catch (thrown) {
      throw this.#timeout(thrown) ?? (await this.#unreachable(response.url, thrown));
    }
    // The download ends here.
    void reader.cancel().catch(() => {});
    throw this.tooLarge(undefined, limit === LARGEST_LIST ? LARGEST_LIST : this.#limits.bytes);
  }

  #downloaded(response: Response, url: string, bytes: Uint8Array<ArrayBuffer>): Downloaded {
    const type = response.headers.get("content-type") ?? "";
    return { bytes, type, headers: response.headers, url: response.url || url };
  }

  #timeout(cause: unknown): Problem | undefined {
    const details = { origin: this.origin, ms: this.#limits.ms };
    return this.signal.aborted ? new Problem("skill_timeout", details, { cause }) : undefined;
  }

  /** A failed request of a page does not say whether the server is down, or answers without CORS headers. */
  async #unreachable(url: string, cause: unknown): Promise<Problem> {
    const { host, origin } = new URL(url);
    const page = (globalThis as { location?: { origin?: string } }).location?.origin;
    if (page && page !== origin && page !== "null") {
      try {
        await this.#fetch(url, { mode: "no-cors", credentials: "omit", signal: this.signal });
        return new Problem("skill_cors", { origin: this.origin, host }, { cause });
      } catch {
        // The server is down: reported below.
      }
    }
    const reason: Reason = ({ reasons }) => reasons.noAnswer(host);
    return new Problem("skill_unreachable", { origin: this.origin, reason }, { cause });
  }

  #refused({ status, statusText, headers }: Response, url: string, { missing = [], ifMissing }: Request): Problem {
    const { host } = new URL(url);
    const details = { origin: this.origin, host, status };
    const isSpent = headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after");
    if (status === 429 || (status === 403 && isSpent)) return new Problem("skill_rate_limited", details);
    if (status === 401 || status === 403) return new Problem("skill_denied", details);
    if ([404, 410, ...missing].includes(status)) return ifMissing ?? new Problem("skill_not_found", details);
    const answer = withoutEnd(`${status} ${statusText}`);
    const reason: Reason = ({ reasons }) => reasons.answered(host, answer);
    return new Problem("skill_unreachable", { ...details, reason });
  }

  #elsewhere(url: string): Problem {
    return new Problem("skill_redirected", { origin: this.origin, to: new URL(url).origin });
  }
}
