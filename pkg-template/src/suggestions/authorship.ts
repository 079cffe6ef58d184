/** Authorship in the shared document: the Yjs items of accepted text, which are the same for all participants. */

import type { Node } from "@tiptap/pm/model";
import { getState, Item, XmlElement, XmlText, type Doc, type Transaction, type XmlFragment } from "yjs";
import type { AuthorshipCarrier } from "../authorship/carrier.js";
import { joined, type RecordRange, type RecordRanges } from "../authorship/ranges.js";
import { readRecord, storedRecord, type AuthorshipRecord } from "../authorship/record.js";
import { check, members } from "../base/error.js";
import type { SharedCommentsOptions } from "./comments.js";
import { mapOf } from "./stored.js";

export type SharedAuthorshipOptions = SharedCommentsOptions;

/** Items of a client: the clock of the first unit, and their number. */
type Span = [client: number, clock: number, length: number];

/** Returns the authorship of a shared document, for the option `shared` of `Authorship`. */
export function sharedAuthorship(options: SharedAuthorshipOptions): AuthorshipCarrier {
  const { document, field = "default", fragment } = members(options, "options");
  check(!!fragment || typeof document?.getXmlFragment === "function", "document", document, "a Y.Doc");
  return new SharedAuthorship(fragment ?? document!.getXmlFragment(field));
}

class SharedAuthorship implements AuthorshipCarrier {
  readonly isShared = true;
  readonly #fragment: XmlFragment;
  readonly #records;
  readonly #spans;
  /** The record of each stored unit, by client and clock. */
  #known: Map<number, Map<number, string>> | undefined;
  /** The end of the items of this client for which ranges were stored. The author of an item does not change. */
  #placed: { client: number; clock: number };

  constructor(fragment: XmlFragment) {
    this.#fragment = fragment;
    this.#placed = this.#ownEnd();
    this.#records = mapOf(fragment, "authorship");
    this.#spans = mapOf(fragment, "authorship-spans");
    this.#spans.observe(() => (this.#known = undefined));
  }

  records(): ReadonlyMap<string, AuthorshipRecord> {
    const entries = [...this.#records.entries()].map(([id, value]) => [id, readRecord(id, value)] as const);
    return new Map(entries.filter((entry): entry is [string, AuthorshipRecord] => entry[1] !== undefined));
  }

  add(records: readonly AuthorshipRecord[]): void {
    // The editor is within a transaction of its own.
    queueMicrotask(() =>
      this.#transact(() => records.forEach((record) => this.#records.set(record.id, storedRecord(record)))),
    );
  }

  find(doc: Node): RecordRange[] | undefined {
    const units = this.#units(doc);
    if (units.size !== doc.content.size) return undefined;
    const known = this.#stored();
    const found: RecordRange[] = [];
    for (const { client, clock, length, at } of units.items) {
      const clocks = known.get(client);
      for (let unit = 0; clocks && unit < length; unit++) {
        const id = clocks.get(clock + unit);
        if (id) found.push({ from: at + unit, to: at + unit + 1, id });
      }
    }
    return joined(found);
  }

  place(ranges: RecordRanges, doc: Node): void {
    const units = this.#units(doc);
    if (units.size !== doc.content.size) return;
    const known = this.#stored();
    const [own, before] = [this.#ownEnd(), this.#placed];
    const first = before.client === own.client ? before.clock : 0;
    this.#placed = own;
    const added = new Map<string, Span[]>();
    for (const { client, clock, length, at } of units.items.filter(({ client }) => client === own.client))
      for (const { from, to, id } of ranges) {
        // y-tiptap may keep another one of equal letters than was meant.
        const [start, end] = [Math.max(from, at, at + first - clock), Math.min(to, at + length)];
        for (let position = start; position < end; position++) {
          const unit = clock + position - at;
          if (known.get(client)?.has(unit)) continue;
          const spans = added.get(id) ?? [];
          added.set(id, spans);
          const last = spans.at(-1);
          if (last && last[0] === client && last[1] + last[2] === unit) last[2]++;
          else spans.push([client, unit, 1]);
        }
      }
    if (!added.size) return;
    this.#transact(() => {
      for (const [id, spans] of added) this.#spans.set(`${id}/${spans[0]!.join("-")}`, spans);
    });
  }

  observe(changed: () => void): () => void {
    const heard = (_event: unknown, { local }: Transaction) => {
      if (!local) changed();
    };
    for (const map of [this.#records, this.#spans]) map.observe(heard);
    return () => {
      for (const map of [this.#records, this.#spans]) map.unobserve(heard);
    };
  }

  /** Returns the end of the items that this client has made so far. */
  #ownEnd(): { client: number; clock: number } {
    const { clientID: client, store } = this.#fragment.doc as Doc;
    return { client, clock: getState(store, client) };
  }

  #transact(run: () => void): void {
    (this.#fragment.doc as Doc).transact(run, this);
  }

  #stored(): Map<number, Map<number, string>> {
    if (this.#known) return this.#known;
    const known = new Map<number, Map<number, string>>();
    for (const [name, value] of this.#spans.entries()) {
      const [id = ""] = name.split("/");
      for (const span of Array.isArray(value) ? (value as unknown[]) : []) {
        if (!Array.isArray(span) || !span.every((part) => Number.isSafeInteger(part) && part >= 0)) continue;
        const [client = 0, clock = 0, length = 0] = span as number[];
        const clocks = known.get(client) ?? new Map<number, string>();
        known.set(client, clocks);
        for (let unit = 0; unit < Math.min(length, 1_000_000); unit++)
          if (!clocks.has(clock + unit)) clocks.set(clock + unit, id);
      }
    }
    return (this.#known = known);
  }

  /** Returns the Yjs items of the text, with their positions in the document. */
  #units({ type: { schema } }: Node): {
    size: number;
    items: { client: number; clock: number; length: number; at: number }[];
  } {
    const items: { client: number; clock: number; length: number; at: number }[] = [];
    const within = (parent: XmlFragment, start: number): number => {
      let at = start;
      for (const child of parent.toArray() as unknown[]) {
        if (child instanceof XmlText) {
          for (let item = child._start; item; item = item.right) {
            if (!(item instanceof Item) || item.deleted || !item.countable) continue;
            items.push({ client: item.id.client, clock: item.id.clock, length: item.length, at });
            at += item.length;
          }
        } else if (child instanceof XmlElement) {
          if (schema.nodes[child.nodeName]?.isLeaf) {
            const { client, clock } = child._item!.id;
            items.push({ client, clock, length: 1, at });
            at += 1;
          } else at = within(child, at + 1) + 1;
        }
      }
      return at;
    };
    return { size: within(this.#fragment, 0), items };
  }
}
