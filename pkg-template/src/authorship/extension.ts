/** The TipTap extension that keeps which text of a document agents wrote. */

import { Extension, type Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { DecorationSet } from "@tiptap/pm/view";
import type { Agent } from "../agent/agent.js";
import { check } from "../base/error.js";
import { isObject } from "../base/json.js";
import { rootOf, sharedOf } from "../document/shared-origin.js";
import { readAuthor } from "../suggestions/entry.js";
import type { AgentEvent, Author, Hunk } from "../types/index.js";
import { asStored, pageAuthorship, type AuthorshipCarrier, type StoredAuthorship } from "./carrier.js";
import { authoredDecorations } from "./decorations.js";
import {
  joined,
  mapOver,
  remember,
  returned,
  shiftedOver,
  unitsIn,
  withRanges,
  type KnownBlock,
  type RecordRange,
  type RecordRanges,
} from "./ranges.js";
import type { AuthoredRange, AuthorshipRecord } from "./record.js";
import { disclosureIn, type Disclosure } from "./summary.js";
import { movingSteps, writtenOver, type InsertingStep } from "./written.js";

export interface AuthorshipOptions {
  /** The authorship of the room: `sharedAuthorship` of `copydesk/suggestions`. Without it, it is that of this page. */
  shared: AuthorshipCarrier | null;
  /** Authorship of this page that was stored with the document: `editor.storage.authorship.stored`. */
  stored: StoredAuthorship | null;
  /** The person at this editor, who accepts text. */
  user: Omit<Author, "kind">;
  /** Draws the text of agents in the editor, by `copydesk/review.css`. Default: false. */
  shown: boolean;
}

export interface AuthorshipStorage {
  /** The ranges in the document, in its order. */
  readonly ranges: readonly AuthoredRange[];
  /** Authorship of this page, to be stored with the document. */
  readonly stored: StoredAuthorship;
  /** The authors of the document, by characters. */
  readonly disclosure: Disclosure;
  /** Changes the person at this editor. */
  setUser(user: Omit<Author, "kind">): void;
  /** True if the text of agents is drawn. */
  readonly shown: boolean;
  setShown(shown: boolean): void;
}

declare module "@tiptap/core" {
  interface Storage {
    authorship: AuthorshipStorage;
  }
}

/** The origin of an edit, as far as its hunk does not have it. */
interface EditOrigin {
  agent: Author;
  provider?: string;
  turn?: string;
  sources: readonly string[];
}

interface OwnStorage extends AuthorshipStorage {
  host: EditorAuthorship;
}

interface State {
  ranges: RecordRanges;
  known: readonly KnownBlock[];
  shown: boolean;
}

/** A change of the plugin's state: stored ranges, or whether they are drawn. */
interface Change {
  ranges?: RecordRanges;
  shown?: boolean;
}

const key = new PluginKey<State>("copydeskAuthorship");

/** Add it to the editor's extensions beside `Copydesk`. */
export const Authorship = Extension.create<AuthorshipOptions, OwnStorage>({
  name: "authorship",

  addOptions() {
    return { shared: null, stored: null, user: { name: "" }, shown: false };
  },

  addStorage() {
    return {} as OwnStorage;
  },

  onBeforeCreate() {
    const { editor, options, storage } = this;
    const host = new EditorAuthorship(editor, options);
    storage.host = host;
    storage.setUser = (user) => host.setUser(user);
    storage.setShown = (shown) => host.setShown(shown);
    Object.defineProperties(storage, {
      ranges: { configurable: true, get: () => host.ranges },
      stored: { configurable: true, get: () => host.stored },
      disclosure: { configurable: true, get: () => disclosureIn(editor.state.doc, host.ranges) },
      shown: { configurable: true, get: () => host.shown },
    });
  },

  onDestroy() {
    this.storage.host.release();
  },

  addProseMirrorPlugins() {
    const { host } = this.storage;
    return [
      new Plugin<State>({
        key,
        state: {
          init: (_, { doc }) => ({ ranges: host.carrier.find(doc) ?? [], known: [], shown: host.shown }),
          apply: (transaction, before) => host.apply(transaction, before),
        },
        props: { decorations: (state) => host.decorations(state) },
      }),
    ];
  },
});

/** Returns the ranges of accepted text of agents in an editor, in the order of the document. */
export function authorshipOf(editor: Editor): readonly AuthoredRange[] {
  return editor.storage.authorship?.ranges ?? [];
}

/**
 * Tells what an agent knows about its edits: the turn, and the URLs that it has read. `about` is the model and its provider.
 * Without a name, the agent is the author of the suggestions of this page.
 * Returns the function that ends this.
 */
export function followAuthor(
  editor: Editor,
  agent: Pick<Agent, "subscribe">,
  about: { name?: string; id?: string; model?: string; provider?: string } = {},
): () => void {
  check(typeof agent?.subscribe === "function", "agent", agent, "an Agent");
  const { host } = editor.storage.authorship as OwnStorage;
  return host.follow(agent, about);
}

class EditorAuthorship {
  readonly carrier: AuthorshipCarrier;
  readonly #editor: Editor;
  readonly #unobserve: () => void;
  readonly #ends = new Set<() => void>();
  readonly #origins = new Map<string, EditOrigin>();
  /** The call of an agent that runs now. */
  #running: string | undefined;
  #user: Author;
  #isPlanned = false;
  #isReleased = false;
  #shown: boolean;
  #drawn: { of: State; doc: Node; decorations: DecorationSet } | undefined;

  constructor(editor: Editor, { shared, stored, user, shown }: AuthorshipOptions) {
    const isCarrier = shared === null || typeof shared?.observe === "function";
    check(isCarrier, "shared", shared, "the result of sharedAuthorship of copydesk/suggestions");
    check(typeof shown === "boolean", "shown", shown, "true or false");
    this.#editor = editor;
    this.#shown = shown;
    this.carrier = shared ?? pageAuthorship(stored);
    this.#user = personOf(user);
    this.#unobserve = this.carrier.observe(() => this.#plan(false));
  }

  setUser(user: Omit<Author, "kind">): void {
    this.#user = personOf(user);
  }

  get ranges(): AuthoredRange[] {
    const records = this.carrier.records();
    return this.#state.ranges.flatMap(({ from, to, id }) => {
      const record = records.get(id);
      if (!record) return [];
      const { id: _, ...known } = record;
      return [{ ...known, from, to }];
    });
  }

  get stored(): StoredAuthorship {
    return asStored(this.carrier.records(), this.#state.ranges);
  }

  get #state(): State {
    const { state } = this.#editor;
    return key.getState(state) ?? { ranges: this.carrier.find(state.doc) ?? [], known: [], shown: this.#shown };
  }

  get shown(): boolean {
    return this.#shown;
  }

  setShown(shown: boolean): void {
    check(typeof shown === "boolean", "shown", shown, "true or false");
    this.#shown = shown;
    if (this.#editor.isDestroyed) return;
    const change: Change = { shown };
    this.#editor.view.dispatch(this.#editor.state.tr.setMeta(key, change).setMeta("addToHistory", false));
  }

  /** Returns the decorations of the text of agents, the same ones until it changes. */
  decorations(state: EditorState): DecorationSet {
    const of = key.getState(state);
    if (!of?.shown || !of.ranges.length) return DecorationSet.empty;
    if (this.#drawn?.of !== of || this.#drawn.doc !== state.doc)
      this.#drawn = {
        of,
        doc: state.doc,
        decorations: authoredDecorations(state.doc, of.ranges, this.carrier.records()),
      };
    return this.#drawn.decorations;
  }

  release(): void {
    this.#isReleased = true;
    this.#unobserve();
    for (const end of [...this.#ends]) end();
  }

  follow(
    agent: Pick<Agent, "subscribe">,
    { provider, ...given }: Parameters<typeof followAuthor>[2] & object,
  ): () => void {
    const suggesting = () => this.#editor.storage.suggestions?.agentAuthor;
    const author = () => readAuthor({ ...suggesting(), ...given, kind: "agent" })!;
    let turn: string | undefined;
    let sources: string[] = [];
    const end = agent.subscribe((event: AgentEvent) => {
      if (event.type === "agent_start") sources = [];
      else if (event.type === "turn_start") turn = event.turnId;
      else if (event.type === "tool_use") {
        const known = { ...(provider !== undefined && { provider }), ...(turn !== undefined && { turn }) };
        this.#origins.set(event.toolId, { agent: author(), ...known, sources: [...sources] });
        this.#running = event.toolId;
      } else if (event.type === "tool_result") {
        if (this.#running === event.toolId) this.#running = undefined;
        if (!event.isError) sources = [...new Set([...sources, ...urlsIn(event.content)])];
      }
    });
    const stop = () => {
      this.#ends.delete(stop);
      end();
    };
    this.#ends.add(stop);
    return stop;
  }

  /** Follows the ranges over a transaction. */
  apply(transaction: Transaction, before: State): State {
    const change = transaction.getMeta(key) as Change | undefined;
    if (change) return { ...before, ...change, ranges: change.ranges ? joined(change.ranges) : before.ranges };
    if (!transaction.docChanged) return before;
    const { shown } = before;
    const known = remember(before.known, transaction.before, transaction.doc, before.ranges);
    const shared = sharedOf(transaction);
    const isHistory = rootOf(transaction).getMeta("history$") !== undefined || shared?.isUndoRedoOperation === true;
    if (shared?.isChangeOrigin && !isHistory) {
      const found = this.carrier.find(transaction.doc);
      this.#plan(false);
      if (found) return { ranges: found, known, shown };
      const kept = shiftedOver(before.ranges, transaction.before, transaction.doc);
      return { ranges: returned(kept, known, transaction.before, transaction.doc), known, shown };
    }
    const isOwnEdit = transaction.getMeta("copydesk") === true && !isHistory;
    const edits = isOwnEdit ? this.#edits(transaction) : [];
    let ranges: RecordRanges = before.ranges;
    const isReplaced = shared?.isChangeOrigin === true;
    if (isReplaced) ranges = shiftedOver(ranges, transaction.before, transaction.doc);
    else for (const map of transaction.mapping.maps) ranges = mapOver(ranges, map);
    if (isHistory || (isOwnEdit && !edits.length)) {
      // Steps may replace blocks by the same ones.
      const kept = shiftedOver(before.ranges, transaction.before, transaction.doc);
      ranges = returned(withRanges(ranges, kept), known, transaction.before, transaction.doc);
    } else if (edits.length) ranges = this.#written(transaction, before.ranges, edits);
    else if (transaction.getMeta("paste") || /paste|drop/.test(String(transaction.getMeta("uiEvent"))))
      ranges = this.#moved(transaction, before, ranges);
    else if (!isReplaced) ranges = this.#written(transaction, before.ranges, movingSteps(transaction, before.ranges));
    this.#plan(true);
    return { ranges: joined(ranges), known, shown };
  }

  /** Returns the steps of a transaction of copydesk that bring text of agents, with what is known about it. */
  #edits(transaction: Transaction): { step: number; record: AuthorshipRecord }[] {
    const hunks = this.#hunks();
    const made = new Map<string, AuthorshipRecord>();
    return transaction.steps.flatMap((step, index) => {
      if (!(step instanceof ReplaceStep) || !step.slice.size) return [];
      const size = step.slice.size;
      const hunk = hunks.find(
        ({ from, to, proposedFrom, proposedTo }) =>
          proposedTo - proposedFrom === size && step.to === to && (step.from === from || step.from === to),
      );
      const tool = hunk ? hunk.toolIds.at(-1) : this.#running;
      const origin = tool === undefined ? undefined : this.#origins.get(tool);
      if (hunk ? hunk.author?.kind === "person" || (!hunk.toolIds.length && !hunk.author) : !origin) return [];
      const agent = { ...(origin?.agent ?? { kind: "agent", name: "" }), ...named(hunk?.author) } as Author;
      const turn = hunk?.turnIds.at(-1) ?? origin?.turn;
      const by = JSON.stringify([agent, turn, origin?.sources]);
      const record = made.get(by) ?? {
        id: `a${crypto.randomUUID()}`,
        agent,
        ...(origin?.provider !== undefined && { provider: origin.provider }),
        ...(turn !== undefined && { turn }),
        time: Date.now(),
        ...(hunk && { acceptedBy: this.#user }),
        sources: origin?.sources ?? [],
      };
      made.set(by, record);
      return [{ step: index, record }];
    });
  }

  #hunks(): Hunk[] {
    try {
      return this.#editor.storage.copydesk.document.hunks();
    } catch {
      // The document cannot be read: then nothing is pending either.
      return [];
    }
  }

  /** Gives new words of agents to them. Words that were there before an edit keep their author, also if it moves them. */
  #written(transaction: Transaction, before: RecordRanges, inserting: readonly InsertingStep[]): RecordRange[] {
    const { ranges, records } = writtenOver(transaction, before, inserting);
    if (records.length) this.carrier.add(records);
    return ranges;
  }

  /** Gives pasted text of agents to them. */
  #moved(transaction: Transaction, before: State, mapped: RecordRanges): RecordRange[] {
    const sources: { doc: Node; ranges: RecordRanges }[] = [
      { doc: transaction.before, ranges: before.ranges },
      ...before.known.toReversed().map(({ block, ranges }) => ({
        doc: block,
        ranges: ranges.map((range) => ({ ...range, from: range.from - 1, to: range.to - 1 })),
      })),
    ];
    let ranges: RecordRanges = mapped;
    transaction.mapping.maps.forEach((map, index) =>
      map.forEach((_from, _to, from, to) => {
        const rest = transaction.mapping.slice(index + 1);
        const units = unitsIn(transaction.doc, rest.map(from, -1), rest.map(to, 1));
        const text = units.map(({ unit }) => unit).join("");
        for (const { doc, ranges: then } of text.trim() ? sources : []) {
          const known = unitsIn(doc, 0, doc.content.size);
          const at = known
            .map(({ unit }) => unit)
            .join("")
            .indexOf(text);
          if (at < 0) continue;
          const made = units.flatMap(({ at: position }, unit): RecordRange[] => {
            const was = known[at + unit]!.at;
            const author = then.find((range) => range.from <= was && was < range.to);
            return author ? [{ from: position, to: position + 1, id: author.id }] : [];
          });
          ranges = withRanges(ranges, joined(made));
          return;
        }
      }),
    );
    return [...ranges];
  }

  /** Stores the ranges of this page, or takes over those of others, after the current task has changed the document. */
  #plan(isOwn: boolean): void {
    if (!this.carrier.isShared) return;
    this.#isPlanned ||= isOwn;
    queueMicrotask(() => {
      if (this.#isReleased || this.#editor.isDestroyed) return;
      const { doc, tr } = this.#editor.state;
      if (this.#isPlanned) {
        this.#isPlanned = false;
        this.carrier.place(this.#state.ranges, doc);
      }
      const found = this.carrier.find(doc);
      if (!found || JSON.stringify(found) === JSON.stringify(this.#state.ranges)) return;
      const change: Change = { ranges: found };
      this.#editor.view.dispatch(tr.setMeta(key, change).setMeta("addToHistory", false));
    });
  }
}

function personOf(user: unknown): Author {
  const author = readAuthor({ ...(user as object), kind: "person" });
  check(typeof (user as Author | null)?.name === "string", "user", user, "an object with a name");
  return author!;
}

/** Returns an author without an empty name. */
function named(author: Author | undefined): Partial<Author> {
  if (!author) return {};
  const { name, ...rest } = author;
  return name ? author : rest;
}

/** Returns the URLs of fields with the name `url` in a result. */
function urlsIn(content: unknown): string[] {
  const found: string[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > 6 || found.length >= 20) return;
    if (Array.isArray(value)) for (const one of value) visit(one, depth + 1);
    else if (isObject(value))
      for (const [name, one] of Object.entries(value))
        if (name === "url" && typeof one === "string" && /^https?:/.test(one)) found.push(one);
        else visit(one, depth + 1);
  };
  visit(content, 0);
  return found.slice(0, 20);
}
