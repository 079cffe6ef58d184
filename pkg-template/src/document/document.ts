/** A document that the wasm parses, reads and changes, with or without an editor. */

import { guarded } from "./calls.js";
import { carrierOf } from "./carrier.js";
import { check, members } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import { withOutcome } from "./outcomes.js";
import { isObject, jsonOf, jsonWithText, plain } from "../base/json.js";
import type {
  Accepted,
  ApplyResult,
  DocUpdate,
  DocUpdateEvent,
  Guards,
  Hunk,
  Line,
  Locale,
  Mode,
  NodeJSON,
  Section,
  UndoneDecision,
  UndoneTurn,
  Version,
  Which,
} from "../types/index.js";
import type { DocumentHandle } from "../wasm/page/copydesk.js";

/** The functions of an editor that the wasm calls. Every method may throw. */
export interface EditorBridge {
  /** Calls `sync` of the handle if the editor has changed since the last call. */
  sync(): void;
  /** Parses HTML with the editor's schema into a JSON array of blocks that may be placed at index `at` of the top
   * level. */
  parse(html: string, at: number): string;
  /** Returns the top-level blocks `start` to `end` (exclusive) as HTML. */
  html(start: number, end: number): string;
  /** Returns a JSON array of top-level blocks as HTML. */
  htmlOf(blocks: string): string;
  /** Applies the changes (a JSON array of `Change`) as one transaction. */
  dispatch(changes: string): void;
  /** Returns true while the user cannot edit: then edits that a model asks for are refused. */
  isReadOnly(): boolean;
  /** Returns the two ends of the selection. */
  selection?(): Uint32Array;
  /** Called when hunks were added, removed or decided, or the mode changed. */
  reviewed?(): void;
}

export interface DocumentOptions {
  /** The language of results and errors, as a language tag. Default: the page's. */
  locale?: Locale;
}

export interface NumberedOptions {
  /** The first line, counted from 1. Default: 1. */
  start?: number;
  /** The last line, included. Default: the last line of the document. */
  end?: number;
  /** `structure` adds Markdown prefixes that show the kind of each line (`## `, `- `, `1. `, `> `, `| `, code
   * fences); the numbers are the same. */
  style?: "plain" | "structure";
  /** The language of the first line, as a language tag. Default: English. */
  locale?: Locale;
}

const utf8 = new TextEncoder();
const handles = new WeakMap<Document, DocumentHandle>();
/** Makes a decision, and records it if the document stays as it is. */
type Recorder = <T>(act: () => T, hunksOf: (result: T) => readonly string[], isUndo: boolean) => T;
const recorders = new WeakMap<Document, Recorder>();
/** Documents whose hunks are being restored. */
const restoring = new WeakSet<Document>();
/** The texts of a section. */
type SectionText = Pick<Section, "title" | "content">;
/** The texts that the last call of `sections` returned, by the keys of the sections. All keys are less than `since`. */
const sectionTexts = new WeakMap<Document, { since: number; texts: Map<number, SectionText> }>();
/** Called when guards were set or removed. */
const guardListeners = new WeakMap<Document, Set<() => void>>();

/**
 * A ProseMirror document. Await `init()` before you create one.
 *
 * Reads and edits refer to the document as the agent sees it: the editor's document with the edits that wait for the
 * user's decision. `editor.getJSON()` returns it without them, `hunks()` the difference.
 */
export class Document {
  private constructor(handle: DocumentHandle) {
    handles.set(this, handle);
  }

  /** Parses HTML as TipTap does with StarterKit, Image, TableKit and TaskList. */
  static fromHTML(html: string, options: DocumentOptions = {}): Document {
    check(typeof html === "string", "html", html, "a string");
    const { locale } = members(options, "options");
    return guarded((wasm) => new Document(wasm.DocumentHandle.fromHTML(html, localeOf(locale))));
  }

  /** Reads a document as `editor.getJSON()` returns it. `schema` is the result of `schemaData` for another schema. A
   * `NaN` or infinite attribute is `null`, as `JSON.stringify` writes it. */
  static fromJSON(json: NodeJSON, schema?: unknown, options: DocumentOptions = {}): Document {
    check(json !== undefined, "json", json, "a document as JSON");
    const { locale } = members(options, "options");
    const data = schema === undefined ? undefined : jsonOf(schema, "schema");
    const text = utf8.encode(jsonOf(json, "json"));
    return guarded((wasm) => new Document(wasm.DocumentHandle.fromJSON(text, data, undefined, localeOf(locale))));
  }

  /** Creates the document of an editor; used by the TipTap extension. */
  static bound(json: NodeJSON, schema: unknown, editor: EditorBridge, locale: Locale): Document {
    const [text, data] = [utf8.encode(jsonOf(json, "json")), jsonOf(schema, "schema")];
    return guarded((wasm) => new Document(wasm.DocumentHandle.fromJSON(text, data, editor, locale)));
  }

  /**
   * Returns the same document as another object, for an agent that is not the editor's own: actions do not find it, and
   * its edits have to comply with these guards besides those of the document. Sections are those of the current
   * document.
   *
   * @internal
   */
  static forAgent(document: Document, guards?: Guards | undefined): Document {
    check(guards == null || isObject(guards), "guards", guards, "an object");
    return guarded(() => new Document(handleOf(document).forAgent(guards ? plain(guards, "guards") : undefined)));
  }

  toHTML(): string {
    return guarded(() => handleOf(this).toHTML());
  }

  toJSON(): NodeJSON {
    return JSON.parse(guarded(() => handleOf(this).toJSON()));
  }

  /** Returns the sections with their content as HTML; an empty array for an empty document. The HTML of sections that have
   * not changed since the last call is reused. */
  sections(): Section[] {
    const known = sectionTexts.get(this);
    const [all, numbers, since] = guarded(() => handleOf(this).sections(known?.since ?? 0)) as [
      string,
      Uint32Array,
      number,
    ];
    const texts = new Map<number, SectionText>();
    const sections: Section[] = [];
    let read = 0;
    const next = (length: number): string => all.slice(read, (read += length));
    for (let at = 0; at < numbers.length; at += 5) {
      const key = numbers[at]!;
      const text = known?.texts.get(key) ?? { title: next(numbers[at + 3]!), content: next(numbers[at + 4]!) };
      texts.set(key, text);
      const { title, content } = text;
      sections.push({ index: sections.length, title, content, from: numbers[at + 1]!, to: numbers[at + 2]! });
    }
    sectionTexts.set(this, { since, texts });
    return sections;
  }

  /** Returns the sections without their content. Cheap at any size. */
  outline(): Omit<Section, "content">[] {
    return guarded(() => handleOf(this).outline());
  }

  lines(): Line[] {
    const [texts, numbers, kinds] = guarded(() => handleOf(this).lines()) as [string, Uint32Array, string[]];
    const lines: Line[] = [];
    let [at, read] = [0, 0];
    const next = () => numbers[at++] as number;
    while (at < numbers.length) {
      const from = next();
      const to = next();
      const text = texts.slice(read, (read += next()));
      const type = kinds[next()] ?? "";
      const path: number[] = [];
      for (let left = next(); left > 0; left--) path.push(next());
      const line: Line = { line: lines.length + 1, from, to, type, text, path };
      const forms = next();
      if (forms > 0) line.atoms = Array.from({ length: forms }, () => ({ offset: next(), length: next() }));
      lines.push(line);
    }
    return lines;
  }

  /**
   * Returns the lines as text, `12: text` each, after a first line that states the total and the version. Long lines
   * are cut with a mark; a line that is requested alone is complete.
   */
  numbered(options: NumberedOptions = {}): string {
    const { start, end, style = "plain", locale } = members(options, "options");
    const isLine = (line: unknown) => line === undefined || (Number.isInteger(line) && Number(line) > 0);
    check(isLine(start), "start", start, "a line number, counted from 1");
    check(isLine(end), "end", end, "a line number, counted from 1");
    check(style === "plain" || style === "structure", "style", style, '"plain" or "structure"');
    return guarded(() => handleOf(this).numbered(start, end, style === "structure", locale && localeOf(locale)));
  }

  /** The version of the document at this moment. */
  get version(): string {
    return guarded(() => handleOf(this).version);
  }

  /** Applies an edit completely or not at all. In review mode it becomes a proposal, and the editor's document does
   * not change. It is a call of the app: a read-only editor is changed by it as well. */
  apply(update: DocUpdate | DocUpdateEvent): ApplyResult {
    check(isObject(update), "update", update, "an object with an operation");
    const [json, text] = jsonWithText(plain(update, "update"), "update");
    return guarded(() => handleOf(this).apply(json, text));
  }

  /** Sets the limits of edits from now on; `null` removes them. Sections are resolved now and tracked when they
   * move. */
  setGuards(guards: Guards | null): void {
    check(guards === null || isObject(guards), "guards", guards, "an object or null");
    const data = plain(guards, "guards") as Guards | null;
    guarded(() => handleOf(this).setGuards(data));
    for (const tell of [...(guardListeners.get(this) ?? [])]) tell();
  }

  /**
   * `auto`: edits are applied at once. `review`: they wait for a decision. After a change to `auto`, pending edits
   * still wait, and so does every new edit until none is pending, because it may depend on them.
   */
  get mode(): Mode {
    return guarded(() => handleOf(this).mode) as Mode;
  }

  set mode(mode: Mode) {
    checkMode(mode);
    guarded(() => handleOf(this).setMode(mode));
  }

  /** Returns the pending hunks in the order of the document. */
  hunks(): Hunk[] {
    return guarded(() => handleOf(this).hunks());
  }

  /**
   * Makes hunks pending again that `hunks()` returned, for instance before the page was loaded again. The document must
   * be the one that they belong to, without pending hunks. They get new ids.
   *
   * @throws CopydeskError `invalid_parameter` or `invalid_document` if they do not belong to the document, which stays
   * as it is.
   */
  restoreHunks(hunks: readonly Hunk[]): void {
    check(Array.isArray(hunks), "hunks", hunks, "the result of `hunks()`");
    restoring.add(this);
    try {
      guarded(() => handleOf(this).restoreHunks(jsonOf(hunks, "hunks")));
    } finally {
      restoring.delete(this);
    }
  }

  /**
   * Returns a revision that changes when hunks are added, removed or changed, and the positions of the hunks from `start`
   * to `end` in their order: eight numbers for each. Used while the user types, because nothing else has to be
   * transferred.
   *
   * @internal
   */
  hunkPlaces(start = 0, end = 0xffffffff): Uint32Array {
    return guarded(() => handleOf(this).hunkPlaces(start, end));
  }

  /**
   * Accepts hunks in one transaction, which is one undo step. Conflicts are left open and counted, except a conflict
   * that is named by `{ hunk }`: then the agent's version is taken.
   */
  accept(which: Which): Accepted {
    const chosen = permitted(this, which);
    return withOutcome(this, () => guarded(() => handleOf(this).accept(chosen)), "accepted");
  }

  /**
   * Decides a conflict: the user's version stays (`mine`), the agent's replaces it (`theirs`), or follows it (`both`).
   */
  resolveHunk(id: string, version: Version): void {
    check(typeof id === "string", "id", id, "the id of a hunk");
    check(["mine", "theirs", "both"].includes(version), "version", version, '"mine", "theirs" or "both"');
    permitted(this, { hunk: id });
    const resolve = () => guarded(() => handleOf(this).resolveHunk(id, version));
    this.#decide(
      () => withOutcome(this, resolve, version === "mine" ? "rejected" : "accepted"),
      () => [id],
    );
  }

  /** Rejects hunks. Returns their ids. */
  reject(which: Which): { hunks: string[] } {
    const chosen = permitted(this, which);
    const hunks = this.#decide(
      () => withOutcome(this, () => guarded(() => handleOf(this).reject(chosen) as string[]), "rejected"),
      (rejected) => rejected,
    );
    return { hunks };
  }

  /**
   * Takes decisions back: the document is what it was before, in one transaction, and the hunks are pending again.
   * Without `which` those of the last decision. What was typed elsewhere stays; hunks whose text was changed since stay
   * decided (`left`).
   */
  undoDecision(which?: Which): UndoneDecision {
    return this.#decide(
      () =>
        guarded(
          () => handleOf(this).undoDecision(which === undefined ? undefined : selection(which)) as UndoneDecision,
        ),
      ({ hunks }) => hunks,
      true,
    );
  }

  #decide<T>(act: () => T, hunksOf: (result: T) => readonly string[], isUndo = false): T {
    const record = recorders.get(this);
    return record ? record(act, hunksOf, isUndo) : act();
  }

  /**
   * Reverts what a turn of the model did: blocks that nobody has changed since become what they were, in one
   * transaction, and pending hunks of the turn are rejected. `turnId` is in `turn_start` events.
   */
  undoTurn(turnId: string): UndoneTurn {
    check(typeof turnId === "string", "turnId", turnId, "the name of a turn");
    return this.#decide(
      () => withOutcome(this, () => guarded(() => handleOf(this).undoTurn(turnId) as UndoneTurn), "rejected"),
      ({ rejected }) => rejected,
    );
  }
}

/** Has the decisions about a document's hunks recorded as steps of an editor's history, or no longer. */
export function recordDecisions(document: Document, record: Recorder | null): void {
  if (record) recorders.set(document, record);
  else recorders.delete(document);
}

/** Returns true while hunks of an earlier page are made pending again. */
export function isRestoring(document: Document): boolean {
  return restoring.has(document);
}

function selection(which: Which): string {
  check(which === "all" || isObject(which), "which", which, '{ hunk }, { hunks }, { toolId }, { turnId } or "all"');
  return jsonOf(plain(which, "which"), "which");
}

/** Returns the part of a selection that the user may decide. */
function permitted(document: Document, which: Which): string {
  const chosen = selection(which);
  const carrier = carrierOf(document);
  return carrier ? selection(carrier.permitted(JSON.parse(chosen) as Which)) : chosen;
}

export function checkMode(mode: Mode): void {
  check(mode === "auto" || mode === "review", "mode", mode, '"auto" or "review"');
}

/** Calls `listener`, which must not throw, whenever guards were set or removed. Returns the function that ends this. */
export function onGuards(document: Document, listener: () => void): () => void {
  const listeners = guardListeners.get(document) ?? new Set();
  guardListeners.set(document, listeners.add(listener));
  return () => void listeners.delete(listener);
}

/** Returns the wasm's handle of a document. */
export function handleOf(document: Document): DocumentHandle {
  const handle = handles.get(document);
  check(handle !== undefined, "document", document, "a Document of copydesk");
  return handle!;
}

// Vue leaves such objects as they are: its proxies have no entry in `handles`.
Object.defineProperty(Document.prototype, "__v_skip", { value: true });
