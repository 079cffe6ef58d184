/** Signed requests for approval: the call that is approved is the call that was asked about, and it is approved once. */

import { isObject } from "../base/json.js";
import type { Refusal } from "../languages/en/route.js";
import type { Locale, Message, ToolCall } from "../types/index.js";
import type { ChatRequest } from "./body.js";
import { openCallsIn, type OpenAnswer } from "./conversation.js";
import { routeError } from "./errors.js";
import type { DocAgentRouteOptions } from "./options.js";
import { hex } from "./run-key.js";
import { memoryLog, type RunLog } from "./run-log.js";
import { LogTimeout } from "./timed-log.js";
import type { WaitingEvent } from "./waiting.js";

/** The fewest characters of a secret: as many bytes as HMAC-SHA-256 has. */
export const SHORTEST_SECRET = 32;

/** A day, in milliseconds. */
const APPROVE_WITHIN = 24 * 60 * 60 * 1000;

/** The statements of a signature besides the data that it covers. */
interface Claims {
  /** The time of the request. */
  readonly at: number;
  /** Names the request: the same call may be asked about again. */
  readonly id: string;
  /** The ids of the calls that wait for approval; others of the answer wait for them. */
  readonly calls: readonly string[];
}

/** A request for approval that was answered with this run. */
export interface Answered {
  /** Takes the answer back: the run did not begin. */
  release(): Promise<void>;
}

/** Signs requests for approval with the secret of a route, and checks the answers. */
export class Approvals {
  readonly #secrets: readonly string[];
  readonly #within: number;
  readonly #log: RunLog;
  readonly #locale: Locale;
  #keys: Promise<CryptoKey[]> | undefined;

  /** `options` are checked. Without a log, only this instance knows what was answered. */
  constructor(options: DocAgentRouteOptions, locale: Locale) {
    const { approvalSecret = [], approveWithin = APPROVE_WITHIN, log = memoryLog() } = options;
    this.#secrets = typeof approvalSecret === "string" ? [approvalSecret] : [...approvalSecret];
    this.#within = approveWithin;
    this.#log = log;
    this.#locale = locale;
  }

  /** Returns the signature of a request for approval in a conversation. */
  async sign({ calls, approvals, shown }: Omit<WaitingEvent, "seq">, thread: string | undefined): Promise<string> {
    const claims: Claims = { at: Date.now(), id: crypto.randomUUID(), calls: approvals };
    const text = JSON.stringify(claims);
    const [key] = await this.#imported();
    const code = await crypto.subtle.sign("HMAC", key!, bytesOf(text, thread, { calls, shown }));
    return `${hex(new Uint8Array(code))}${text}`;
  }

  /**
   * Checks the decisions of a request, and marks their request for approval as answered by the claim of its run. A run
   * that continues was in time when it began.
   *
   * @throws RouteError `approval_not_asked`; or errors of the log.
   */
  async answer(
    { decisions, signature, history }: ChatRequest,
    thread: string | undefined,
    { claim: owner, goesOn }: { claim: string; goesOn: boolean },
  ): Promise<Answered | undefined> {
    if (decisions.length === 0) return undefined;
    if (signature === undefined) this.#refuse("unsigned");
    const answer = openCallsIn(history);
    const claims = isUniform(history, answer) ? await this.#verified(signature, thread, answer) : undefined;
    if (!claims || decisions.some(({ toolId }) => !claims.calls.includes(toolId))) this.#refuse("changed");
    if (!goesOn && Date.now() - claims.at > this.#within) this.#refuse("expired");
    const name = `approval ${claims.id}`;
    const release = async () => void (await this.#log.lock(name, { owner, lease: 0 }));
    const isFirst = await this.#log.lock(name, { owner, lease: this.#within }).catch((reason: unknown) => {
      // The answer is refused, and may be sent again.
      if (reason instanceof LogTimeout && !goesOn) reason.answer.then(release).catch(() => {});
      throw reason;
    });
    if (!isFirst) this.#refuse("decided");
    // Its calls may have run.
    if (goesOn) return undefined;
    return { release };
  }

  /** Returns the claims of a signature that this route has made for the calls of an answer. */
  async #verified(signature: string, thread: string | undefined, answer: OpenAnswer): Promise<Claims | undefined> {
    const text = signature.slice(CODE);
    const code = bytesIn(signature.slice(0, CODE));
    const signed = bytesOf(text, thread, answer);
    // WebCrypto compares in constant time.
    for (const key of await this.#imported())
      if (await crypto.subtle.verify("HMAC", key, code, signed)) return JSON.parse(text) as Claims;
    return undefined;
  }

  #imported(): Promise<CryptoKey[]> {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return (this.#keys ??= Promise.all(
      this.#secrets.map((secret) =>
        crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign", "verify"]),
      ),
    ));
  }

  #refuse(reason: Refusal): never {
    throw routeError("approval_not_asked", this.#locale, { reason });
  }
}

/** The length of the code in a signature, in hexadecimal digits. The claims follow. */
const CODE = 64;

/** Returns what is signed. The first member separates it from whatever else an app signs with the same secret. */
function bytesOf(claims: string, thread: string | undefined, { calls, shown }: OpenAnswer): Uint8Array<ArrayBuffer> {
  const asked = calls.map(({ id, name, arguments: input }) => [id, name, input] as const);
  asked.sort(([one], [other]) => (one < other ? -1 : 1));
  return new TextEncoder().encode(canonical(["copydesk-approval-1", claims, thread ?? null, asked, shown]));
}

/** Returns whether each request for approval states what all of them state together: clients get it with each. */
function isUniform(history: readonly Message[], { shown }: OpenAnswer): boolean {
  const after = history.slice(history.findLastIndex(({ role }) => role === "assistant") + 1);
  const all = canonical(shown);
  return after.every((message) => message.role !== "approval" || canonical(message.shown ?? {}) === all);
}

/** Returns whether two calls are the same: their tool and their arguments. */
export function isSameCall(one: ToolCall, other: ToolCall): boolean {
  return canonical([one.id, one.name, one.arguments]) === canonical([other.id, other.name, other.arguments]);
}

/** Returns a value as JSON whose members are in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (!isObject(inner) || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** Returns the bytes of hexadecimal digits; other characters are zeros. */
function bytesIn(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
