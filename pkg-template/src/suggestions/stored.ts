/** Storage of suggestions, their places and the decisions about them in maps of the shared document. */

import type { Doc, Map as YMap, XmlFragment, YMapEvent } from "yjs";
import { jsonOf } from "../base/json.js";
import type { Author } from "../types/index.js";
import type { Place, Span } from "./anchors.js";
import {
  digestOf,
  MOST,
  readEntry,
  readPlace,
  readSpans,
  readVerdict,
  VERSION,
  type Entry,
  type IgnoredReason,
  type Verdict,
} from "./entry.js";

/** A stored suggestion that is ignored. */
export interface IgnoredSuggestion {
  id: string;
  reason: IgnoredReason;
}

/** An acceptance that another one of the same suggestion replaces, with the items that it inserted. */
export interface ReplacedAcceptance {
  id: string;
  client: number;
  spans: readonly Span[];
}

export class StoredSuggestions {
  readonly decisions: YMap<unknown>;
  readonly #shared: Doc;
  readonly #root: string | undefined;
  readonly #suggestions: YMap<unknown>;
  readonly #places: YMap<unknown>;
  readonly #spans: YMap<unknown>;
  readonly #entries = new Map<string, Entry>();
  readonly #read = new Map<string, Place>();
  /** The decisions about each suggestion, by the client. */
  readonly #verdicts = new Map<string, Map<number, Verdict>>();
  readonly #ignored = new Map<string, IgnoredReason>();
  readonly #unobserve: (() => void)[] = [];

  /** Calls `changed` after each change of what is stored, by this participant or another, and `placed` with the id of each
   * suggestion whose place was stored. */
  constructor(fragment: XmlFragment, changed: () => void, placed: (id: string) => void) {
    this.#shared = fragment.doc as Doc;
    this.#root = rootNameOf(fragment);
    const map = (part: string) => mapOf(fragment, part);
    this.#suggestions = map("suggestions");
    this.#places = map("places");
    this.decisions = map("decisions");
    this.#spans = map("spans");
    const observe = (observed: YMap<unknown>, read: (key: string) => void) => {
      for (const key of observed.keys()) read(key);
      const heard = ({ keysChanged }: YMapEvent<unknown>) => {
        for (const key of keysChanged) read(key as string);
        changed();
      };
      observed.observe(heard);
      this.#unobserve.push(() => observed.unobserve(heard));
    };
    observe(this.#suggestions, (id) => this.#readEntry(id));
    observe(this.#places, (id) => {
      this.#readPlace(id);
      placed(id);
    });
    observe(this.decisions, (key) => this.#readVerdict(key));
    observe(this.#spans, () => {});
  }

  get ignored(): IgnoredSuggestion[] {
    const surplus = this.#entries.size > MOST ? this.#all().slice(MOST) : [];
    return [
      ...[...this.#ignored].map(([id, reason]) => ({ id: id.slice(0, 100), reason })),
      ...surplus.map(({ id }) => ({ id, reason: "too_many" as const })),
    ];
  }

  /** Returns the suggestions that nobody has decided, the oldest first: not more than the oldest `MOST`. */
  undecided(): Entry[] {
    return this.#all().slice(0, MOST);
  }

  entry(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  place(id: string): Place | undefined {
    return this.#read.get(id);
  }

  isDecided(id: string): boolean {
    return this.#verdicts.has(id);
  }

  /** Returns the digest of the content that was decided or, of a suggestion that nobody has decided, of the content that its
   * content has replaced, or that became a part of another suggestion. */
  basis(id: string): string | undefined {
    const verdicts = [...(this.#verdicts.get(id) ?? [])].sort(([a], [b]) => a - b).map(([, verdict]) => verdict);
    const decided = verdicts.find(({ outcome }) => outcome !== "rejected") ?? verdicts[0];
    if (decided) return decided.of;
    const entry = this.#entries.get(id);
    if (entry) return entry.before;
    for (const { merged } of this.#entries.values()) if (merged && Object.hasOwn(merged, id)) return merged[id];
    return undefined;
  }

  /** Returns the effective decision of each decided suggestion: an acceptance wins over a rejection. */
  outcomes(): { id: string; outcome: Verdict["outcome"] }[] {
    return [...this.#verdicts].map(([id, all]) => {
      const outcomes = [...all].sort(([a], [b]) => a - b).map(([, { outcome }]) => outcome);
      return { id, outcome: outcomes.find((outcome) => outcome !== "rejected") ?? outcomes[0]! };
    });
  }

  /** Returns the acceptances of suggestions that a participant with a lower id has accepted as well. Those whose inserted
   * items have not arrived yet are left out. */
  replaced(): ReplacedAcceptance[] {
    const all = [...this.#verdicts].flatMap(([id, verdicts]) => {
      const clients = [...verdicts].filter(([, { outcome }]) => outcome !== "rejected").map(([client]) => client);
      const others = clients.sort((a, b) => a - b).slice(1);
      return others.map((client) => ({ id, client, spans: readSpans(this.#spans.get(`${id}/${client}`)) }));
    });
    return all.flatMap(({ id, client, spans }) => (spans ? [{ id, client, spans }] : []));
  }

  /** Stores a suggestion. */
  set(id: string, entry: Omit<Entry, "id">, place: Place): void {
    const known = this.#entries.get(id);
    const before = known && digestOf(known.content);
    // That only its place or its links have changed does not change what it followed.
    const followed = before === digestOf(entry.content) ? known?.before : before;
    const { merged: added, ...given } = entry;
    const merged = { ...known?.merged, ...added };
    const stored = {
      v: VERSION,
      ...given,
      ...(followed !== undefined && { before: followed }),
      ...(Object.keys(merged).length && { merged }),
    };
    this.#suggestions.set(id, JSON.parse(jsonOf(stored, "suggestion")));
    this.#readEntry(id);
    this.setPlace(id, place);
  }

  setPlace(id: string, place: Place): void {
    this.#places.set(id, place);
    this.#readPlace(id);
  }

  remove(id: string): void {
    for (const map of [this.#suggestions, this.#places]) map.delete(id);
    this.#entries.delete(id);
    this.#read.delete(id);
  }

  /** Stores a decision of this participant, or that the suggestion is pending again. */
  decide(id: string, outcome: Verdict["outcome"] | "undone", by: Author): void {
    if (outcome === "undone") {
      for (const client of this.#verdicts.get(id)?.keys() ?? []) this.removeDecision(id, client);
      this.#verdicts.delete(id);
      return;
    }
    const key = `${id}/${this.#shared.clientID}`;
    // An earlier acceptance that was undone has left its items. Peers may receive the decision before the new items.
    this.#spans.delete(key);
    const entry = this.#entries.get(id);
    const of = entry && digestOf(entry.content);
    this.decisions.set(key, { v: VERSION, outcome, by, time: Date.now(), ...(of !== undefined && { of }) });
    this.#readVerdict(key);
  }

  /** Stores the items that the acceptance of this participant has inserted. */
  setSpans(id: string, spans: readonly Span[]): void {
    this.#spans.set(`${id}/${this.#shared.clientID}`, spans);
  }

  removeDecision(id: string, client: number): void {
    for (const map of [this.decisions, this.#spans]) map.delete(`${id}/${client}`);
  }

  release(): void {
    for (const end of this.#unobserve) end();
  }

  #all(): Entry[] {
    return [...this.#entries.values()]
      .filter(({ id }) => !this.#verdicts.has(id))
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1));
  }

  #readEntry(id: string): void {
    this.#entries.delete(id);
    this.#ignored.delete(id);
    if (!this.#suggestions.has(id)) return;
    const read = readEntry(id, this.#suggestions.get(id));
    if (typeof read === "string") this.#ignored.set(id, read);
    else this.#entries.set(id, read);
  }

  #readPlace(id: string): void {
    const read = readPlace(this.#places.get(id), this.#root);
    if (read) this.#read.set(id, read);
    else this.#read.delete(id);
  }

  #readVerdict(key: string): void {
    const [, id = "", client] = /^(h\d+)\/(\d+)$/.exec(key) ?? [];
    if (client === undefined) return;
    const read = readVerdict(this.decisions.get(key));
    const all = this.#verdicts.get(id) ?? new Map<number, Verdict>();
    if (read) this.#verdicts.set(id, all.set(Number(client), read));
    else if (all.delete(Number(client)) && !all.size) this.#verdicts.delete(id);
  }
}

/** Returns the name of a fragment; `undefined` if it is within another type. */
export function rootNameOf(fragment: XmlFragment): string | undefined {
  return [...(fragment.doc as Doc).share].find(([, type]) => type === (fragment as unknown))?.[0];
}

/** Returns a map beside a fragment, named after the fragment, or after its Yjs id if it has no name. */
export function mapOf(fragment: XmlFragment, part: string): YMap<unknown> {
  const root = rootNameOf(fragment);
  const id = fragment._item?.id;
  const prefix = root === "default" ? "copydesk" : `copydesk:${root ?? `${id?.client}-${id?.clock}`}`;
  return (fragment.doc as Doc).getMap(`${prefix}:${part}`);
}
