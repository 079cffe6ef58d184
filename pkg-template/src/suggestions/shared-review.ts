/**
 * The hunks of a document as suggestions in its Yjs document.
 *
 * The pending hunks of each page are computed from the stored suggestions and the document, so that all pages have the
 * same. A page stores what it proposes and decides (`reviewed`), and the places of suggestions after its own changes
 * (`followed`).
 */

import type { Doc, Map as YMap } from "yjs";
import { guarded } from "../document/calls.js";
import type { Carrier } from "../document/carrier.js";
import type { ChangedRange } from "../document/changed-ranges.js";
import { handleOf } from "../document/document.js";
import { CopydeskError } from "../base/error.js";
import { jsonOf } from "../base/json.js";
import type { Author, Hunk, NodeJSON, Which } from "../types/index.js";
import { Anchors, placeOf, type Anchor, type Place } from "./anchors.js";
import { Decisions, type DecisionsOptions } from "./decisions.js";
import { digestOf, type Entry, type Suggestion } from "./entry.js";
import { placesIn, WaitingPlaces, type HunkPlace } from "./following.js";
import { continued } from "./own-suggestions.js";
import { StoredSuggestions, type IgnoredSuggestion } from "./stored.js";

export interface SharedReviewOptions extends DecisionsOptions {
  mayDecide: (suggestion: Suggestion) => boolean;
  /** The text of the error for a decision that is not permitted. */
  refusal: (count: number) => string;
  /** Called when the hunks have changed for another reason than a call of this page. */
  changed: () => void;
  /** Called when suggestions of peers are ignored that were not before. */
  ignored: (found: readonly IgnoredSuggestion[]) => void;
}

export type { Suggestion } from "./entry.js";

type Known = Hunk & Pick<Suggestion, "original">;
type Waiting = { id: string; reason: "excluded" | "void" | "invalid" };

const STATES = { excluded: "waiting", void: "void", invalid: "orphaned" } as const;
const NOBODY: Author = { kind: "person", name: "" };

export class SharedReview implements Carrier {
  readonly #options: SharedReviewOptions;
  readonly #shared: Doc;
  readonly #stored: StoredSuggestions;
  readonly #decisions: Decisions;
  #states = new Map<string, Suggestion["state"]>();
  /** The ids of the pending hunks, in the order of the document. */
  #order: string[] = [];
  /** The pending hunks as this page has read or stored them last. What differs from them was changed here. */
  #known = new Map<string, Known>();
  /** New places of suggestions that are not stored yet. */
  readonly #moved = new Map<string, Place>();
  readonly #waiting = new WaitingPlaces();
  #revision = -1;
  /** True if the stored suggestions have changed since they were adopted. */
  #isStale = true;
  /** True if the document has changed since suggestions were found not to be pending. */
  #isDoubtful = false;
  #isAdopting = false;
  /** True while suggestions of the user are made: each continues the one before it. */
  #isJoining = false;
  /** The elements of the fragment after the last change. */
  #elements: readonly unknown[];
  #isScheduled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True while the observers of a Yjs transaction are called. */
  #isObserving = false;
  readonly #observing = () => void (this.#isObserving = true);
  readonly #observed = () => void (this.#isObserving = false);
  #isReleased = false;

  constructor(options: SharedReviewOptions) {
    this.#options = options;
    const { fragment } = options;
    this.#shared = fragment.doc as Doc;
    this.#elements = fragment.toArray();
    const changed = () => {
      this.#isStale = true;
      this.#schedule();
    };
    this.#shared.on("beforeAllTransactions", this.#observing);
    this.#shared.on("afterAllTransactions", this.#observed);
    this.#stored = new StoredSuggestions(fragment, changed, (id) => this.#moved.delete(id));
    this.#decisions = new Decisions(options, this.#stored);
    // Changes that were restored from elsewhere are shared, unless the room has some already.
    const earlier = this.#stored.undecided().length ? [] : options.document.hunks();
    const random = crypto.getRandomValues(new Uint32Array(2));
    // The low bits count the hunks of this page.
    guarded(() => this.#handle.shareHunks(random[0]! >>> 1, (random[1]! & 0xffe00000) >>> 0));
    this.#adopt();
    if (!earlier.length) return;
    options.document.restoreHunks(earlier);
    this.#publish();
  }

  get #handle() {
    return handleOf(this.#options.document);
  }

  /** The map of decisions, for the history that has them as steps. */
  get decisions(): YMap<unknown> {
    return this.#stored.decisions;
  }

  /** Returns all suggestions that nobody has decided, in the order in which they were made. */
  list(): Suggestion[] {
    return this.#stored.undecided().map((entry) => this.#suggestion(entry));
  }

  /** Returns the stored suggestions that cannot be read. */
  get ignored(): IgnoredSuggestion[] {
    return this.#stored.ignored;
  }

  /** Updates the pending hunks, and stores new places of suggestions. */
  settle(): void {
    if (this.#isReleased) return;
    this.#decisions.repair();
    if (this.#isStale || this.#isDoubtful) this.#adopt();
    this.#storeMoved();
  }

  /** Runs a call that makes suggestions of the user. What continues a suggestion of the user becomes a part of it. */
  suggest(run: () => void): void {
    this.#isJoining = true;
    try {
      run();
    } finally {
      this.#isJoining = false;
    }
    if (this.#isStale) this.#adopt();
  }

  /** Returns the digest of the content that was decided, or that the content of an undecided suggestion has replaced. */
  basis(id: string): string | undefined {
    return this.#stored.basis(id);
  }

  /** Stores a decided suggestion with the content that was decided: what its author has typed in it meanwhile becomes another
   * one, and would be there twice if the decision was undone. */
  keepDecided(id: string, content: readonly NodeJSON[]): void {
    const [entry, place] = [this.#stored.entry(id), this.#stored.place(id)];
    if (!entry || !place || !this.#stored.isDecided(id)) return;
    this.#shared.transact(() => this.#stored.set(id, { ...entry, content: [...content] }, place), this);
  }

  release(): void {
    this.#isReleased = true;
    clearTimeout(this.#timer);
    this.#shared.off("beforeAllTransactions", this.#observing);
    this.#shared.off("afterAllTransactions", this.#observed);
    this.#stored.release();
  }

  followed(ranges: readonly ChangedRange[], isLocal: boolean): void {
    const isRearranged = this.#hasOtherElements();
    if (this.#decisions.isStoring) return;
    if (this.#revisionNow() === this.#revision && !this.#isStale) {
      const places = isRearranged
        ? this.#certainPlaces()
        : placesIn(ranges, this.#options.content(), this.#order, this.#handle);
      places.push(...this.#waitingPlaces());
      if (places.length) this.#followMoves(places, isLocal);
      this.#isDoubtful = [...this.#states.values()].some((state) => state !== "pending");
      if (this.#isDoubtful) this.#settleLater(200);
      return;
    }
    this.#followMoves([...this.#certainPlaces(), ...this.#waitingPlaces()], isLocal);
    this.#isStale = true;
    // While a transaction is observed, a part of what it has stored may not have been read.
    if (isLocal || !this.#isObserving) this.#adopt();
    else this.#schedule();
  }

  reviewed(): void {
    if (this.#isAdopting || this.#isReleased) return;
    this.#decisions.store();
    this.#publish();
  }

  dispatching(dispatch: () => void): void {
    this.#decisions.storeWith(dispatch);
  }

  permitted(which: Which): Which {
    const hunks = this.#options.document.hunks();
    const isMeant = ({ id, toolIds, turnIds }: Hunk) =>
      which === "all" ||
      ("hunk" in which && which.hunk === id) ||
      ("hunks" in which && which.hunks.includes(id)) ||
      ("toolId" in which && toolIds.includes(which.toolId)) ||
      ("turnId" in which && turnIds.includes(which.turnId));
    const chosen = hunks.filter(isMeant);
    const may = new Map(hunks.map(({ id }) => [id, this.mayDecide(id)]));
    const permitted = chosen.filter(({ id, linked }) => [id, ...linked].every((one) => may.get(one) !== false));
    if (permitted.length === chosen.length) return which;
    if (!permitted.length) {
      const message = this.#options.refusal(chosen.length);
      throw new CopydeskError({ code: "not_permitted", message, details: { hunks: chosen.map(({ id }) => id) } });
    }
    return { hunks: permitted.map(({ id }) => id) };
  }

  outcome(toolIds: readonly string[]): "accepted" | "rejected" | undefined {
    const isMeant = ({ id }: { id: string }) => this.#stored.entry(id)?.toolIds.some((one) => toolIds.includes(one));
    const outcomes = this.#stored.outcomes().filter(isMeant);
    if (!outcomes.length) return undefined;
    return outcomes.some(({ outcome }) => outcome !== "rejected") ? "accepted" : "rejected";
  }

  mayDecide(id: string): boolean {
    const entry = this.#stored.entry(id);
    return !entry || this.#options.mayDecide(this.#suggestion(entry));
  }

  // Reading

  #suggestion({ id, author, time, instruction, content, original, linked }: Entry): Suggestion {
    return {
      id,
      state: this.#states.get(id) ?? "orphaned",
      author: author ?? NOBODY,
      time,
      content,
      original,
      linked,
      ...(instruction === undefined ? {} : { instruction }),
    };
  }

  /** Replaces the pending hunks by the stored suggestions. */
  #adopt(): void {
    const { document, fragment, content } = this.#options;
    if (this.#isAdopting || this.#decisions.isStoring) return;
    this.#isAdopting = true;
    // An acceptance moves its text before this page knows that it is decided: the place of before counts when it is undone.
    for (const id of [...this.#moved.keys()]) if (this.#stored.isDecided(id)) this.#moved.delete(id);
    try {
      guarded(() => this.#handle.hunkPlaces(0, 0));
      const anchors = new Anchors(fragment, content());
      if (anchors.size !== content().content.size) return;
      this.#isStale = this.#isDoubtful = false;
      const states = new Map<string, Suggestion["state"]>();
      const hunks = this.#stored.undecided().flatMap((entry) => {
        const place = this.#moved.get(entry.id) ?? this.#stored.place(entry.id);
        const from = place && anchors.position(place.from, true);
        const to = place && anchors.position(place.to, true);
        if (from === undefined || to === undefined) {
          states.set(entry.id, "orphaned");
          return [];
        }
        states.set(entry.id, "pending");
        return [{ ...entry, from, to: Math.max(from, to) }];
      });
      const before = this.#revisionNow();
      this.#adoptTogether(hunks, states);
      this.#states = states;
      this.#keepWaiting(anchors, hunks);
      this.#known.clear();
      this.#remember(document.hunks());
      // Other pages do not find text that the undo of this page has restored.
      for (const { id, from, to } of hunks) if (this.#differs(anchors, id, from, to)) this.#move(anchors, id, from, to);
      if (this.#moved.size) this.#schedule();
      if (before !== this.#revision) this.#options.changed();
    } finally {
      this.#isAdopting = false;
    }
  }

  /** Makes hunks pending, unless they exclude each other. Those that are decided together wait for one another: a part of
   * a split would have its text twice. */
  #adoptTogether(
    hunks: readonly (Entry & { from: number; to: number })[],
    states: Map<string, Suggestion["state"]>,
  ): void {
    const decided = this.#stored.outcomes();
    for (;;) {
      const left = hunks.filter(({ id }) => states.get(id) === "pending");
      const shared = jsonOf({ hunks: left, decided }, "suggestions");
      const waiting = guarded(() => this.#handle.adoptHunks(shared)) as Waiting[];
      for (const { id, reason } of waiting) states.set(id, STATES[reason]);
      const isApart = (id: string) => states.get(id) === "waiting" || states.get(id) === "orphaned";
      const partners = left.filter(({ id, linked }) => states.get(id) === "pending" && linked.some(isApart));
      if (!partners.length) return;
      for (const { id } of partners) states.set(id, "waiting");
    }
  }

  /** Keeps the places of the suggestions that are not pending, for the next change. */
  #keepWaiting(anchors: Anchors, hunks: readonly HunkPlace[]): void {
    const isFound = (anchor: Anchor) => anchors.isPresent(anchor, true);
    const waiting = hunks.filter(({ id }) => {
      const place = this.#states.get(id) === "pending" ? undefined : (this.#moved.get(id) ?? this.#stored.place(id));
      return place && isFound(place.from) && isFound(place.to);
    });
    this.#waiting.reset(this.#options.content(), waiting);
  }

  // Following

  /** Records new places of suggestions whose anchors were deleted: an editor that splits a paragraph deletes the characters
   * behind and inserts them again. */
  #followMoves(hunks: readonly HunkPlace[], isLocal: boolean): void {
    const { fragment, content } = this.#options;
    const anchors = new Anchors(fragment, content());
    // The editor has not stored its change yet.
    if (anchors.size !== content().content.size) {
      this.#isStale = true;
      return this.#schedule();
    }
    const before = this.#moved.size;
    for (const { id, from, to } of hunks) if (this.#differs(anchors, id, from, to)) this.#move(anchors, id, from, to);
    if (this.#moved.size === before) return;
    if (isLocal) this.#schedule();
    // The page that made the change stores them, unless it is without copydesk.
    else this.#settleLater(500 + Math.random() * 2000);
  }

  /** Returns true if the fragment has other elements than at the last call. The text of unchanged blocks may be in other
   * elements then: a split at the start of a paragraph empties its element, and inserts another one with the text. */
  #hasOtherElements(): boolean {
    const before = this.#elements;
    this.#elements = this.#options.fragment.toArray();
    return before.length !== this.#elements.length || before.some((element, at) => element !== this.#elements[at]);
  }

  /** Returns the pending hunks but for conflicts: the range of one includes what was inserted, and its stored place is the
   * right one. */
  #certainPlaces(): HunkPlace[] {
    return this.#options.document.hunks().filter(({ id, conflict }) => !conflict && this.#stored.place(id));
  }

  /** Returns the places of suggestions that are not pending, and whose text was deleted and is elsewhere. */
  #waitingPlaces(): HunkPlace[] {
    const places = this.#waiting.follow(this.#options.content());
    if (!places.length) return [];
    const anchors = new Anchors(this.#options.fragment, this.#options.content());
    const isKept = (anchor: Anchor) => anchors.isPresent(anchor, false);
    return places.filter(({ id, from, to }) => {
      const place = this.#moved.get(id) ?? this.#stored.place(id);
      return place && !(from < to && isKept(place.from) && isKept(place.to));
    });
  }

  /** Returns true if other pages would find a suggestion elsewhere. */
  #differs(anchors: Anchors, id: string, from: number, to: number): boolean {
    const place = this.#moved.get(id) ?? this.#stored.place(id);
    return !place || anchors.position(place.from, false) !== from || anchors.position(place.to, false) !== to;
  }

  #move(anchors: Anchors, id: string, from: number, to: number): void {
    const place = placeOf(anchors, from, to);
    if (place) this.#moved.set(id, place);
  }

  // Storing

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#settleQuietly();
      const found = this.#stored.ignored.filter(({ id }) => !this.#told.has(id));
      for (const { id } of found) this.#told.add(id);
      if (found.length && !this.#isReleased) this.#options.ignored(found);
    });
  }

  #settleQuietly(): void {
    try {
      this.settle();
    } catch (thrown) {
      // The editor was destroyed meanwhile, or its document cannot be read: the next call throws the same error.
      if (!(thrown instanceof CopydeskError)) throw thrown;
    }
  }

  /** Settles after a pause in milliseconds, unless that is planned already. */
  #settleLater(pause: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#settleQuietly();
    }, pause);
  }

  readonly #told = new Set<string>();

  #storeMoved(): void {
    const moved = [...this.#moved].filter(([id]) => this.#stored.entry(id) && !this.#stored.isDecided(id));
    this.#moved.clear();
    if (!moved.length) return;
    this.#shared.transact(() => {
      for (const [id, place] of moved) this.#stored.setPlace(id, place);
    }, this);
  }

  /** Stores the hunks that are new or that this page has changed. What others have stored meanwhile is left as it is. */
  #publish(): void {
    const { document, fragment, content } = this.#options;
    const anchors = new Anchors(fragment, content());
    const hunks = this.#isJoining ? this.#continued(document.hunks(), anchors) : document.hunks();
    const gone = this.#goneBut(hunks);
    const changed = hunks.filter((hunk) => this.#isChanged(hunk));
    const moved = hunks.filter(({ id, from, to }) => this.#stored.entry(id) && this.#differs(anchors, id, from, to));
    this.#remember(hunks);
    for (const { id } of hunks) this.#states.set(id, "pending");
    if (!gone.length && !changed.length && !moved.length) return;
    const entries = gone.flatMap((id) => this.#stored.entry(id) ?? []);
    const merged = Object.fromEntries(entries.map(({ id, content }) => [id, digestOf(content)]));
    this.#shared.transact(() => {
      for (const { id, from, to } of moved) {
        const place = placeOf(anchors, from, to);
        if (place) this.#stored.setPlace(id, place);
      }
      for (const hunk of changed) this.#storeHunk(hunk, anchors, merged);
      // A later edit has merged them into its own hunks.
      for (const id of gone) this.#stored.remove(id);
    }, this);
  }

  /** Returns the ids of the hunks of before that nobody has decided and that are not among those. */
  #goneBut(hunks: readonly Hunk[]): string[] {
    const present = new Set(hunks.map(({ id }) => id));
    return this.#order.filter((id) => !present.has(id) && !this.#stored.isDecided(id));
  }

  /** Returns the hunks of the wasm, those of this user that continue a suggestion as parts of it. If they are others than those of
   * the wasm, these are stale from then on. */
  #continued(hunks: readonly Hunk[], anchors: Anchors): Hunk[] {
    const { content, user } = this.#options;
    const gone = this.#goneBut(hunks).flatMap((id) => {
      const [hunk, place] = [this.#known.get(id), this.#moved.get(id) ?? this.#stored.place(id)];
      const from = place && anchors.position(place.from, false);
      const to = place && anchors.position(place.to, false);
      return !hunk || from === undefined || to === undefined ? [] : [{ ...hunk, from, to }];
    });
    const isStored = ({ id }: Hunk) => this.#stored.entry(id) !== undefined;
    const made = continued(hunks, { schema: content().type.schema, user: user(), isStored, gone });
    // The wasm has others.
    if (made.some(({ id }, at) => id !== hunks[at]?.id) || made.length < hunks.length) this.#isStale = true;
    return made;
  }

  #remember(hunks: readonly Hunk[]): void {
    this.#order = hunks.map(({ id }) => id);
    this.#revision = this.#revisionNow();
    this.#known = new Map(hunks.map((hunk) => [hunk.id, { ...hunk, original: this.#replacedBy(hunk) }]));
  }

  #isChanged(hunk: Hunk): boolean {
    const last = this.#known.get(hunk.id) ?? this.#stored.entry(hunk.id);
    return !last || formOf(last) !== formOf({ ...hunk, original: this.#replacedBy(hunk) });
  }

  /** Returns the content that a hunk replaces: of a conflict that of before. */
  #replacedBy({ id, conflict, from, to }: Hunk): NodeJSON[] {
    const last = conflict ? (this.#known.get(id) ?? this.#stored.entry(id)) : undefined;
    if (last) return [...last.original];
    if (from >= to) return [];
    const start = this.#options.content().resolve(from);
    const offset = start.start();
    return (start.parent.content.cut(from - offset, to - offset).toJSON() ?? []) as NodeJSON[];
  }

  #storeHunk(hunk: Hunk, anchors: Anchors, merged: Record<string, string>): void {
    const { id, content, linked, toolIds, instruction, from, to } = hunk;
    const place = placeOf(anchors, from, to);
    if (!place) return;
    const known = this.#stored.entry(id);
    const author = hunk.author ?? known?.author ?? this.#options.user();
    const time = known?.time ?? Date.now();
    const original = this.#replacedBy(hunk);
    const entry = { content: [...content], original, linked, toolIds, author, time, merged };
    this.#stored.set(id, { ...entry, ...(instruction !== undefined && { instruction }) }, place);
  }

  #revisionNow(): number {
    return guarded(() => this.#handle.hunkPlaces(0, 0))[0] ?? 0;
  }
}

function formOf({ content, linked, original }: Pick<Known, "content" | "linked" | "original">): string {
  return JSON.stringify([content, [...linked].sort(), original]);
}
