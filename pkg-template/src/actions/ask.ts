/** The command that has the agent work on the selection, and its state. */

import type { CommandProps, Editor, RawCommands } from "@tiptap/core";
import { NodeSelection, Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { agentOf, type ActingAgent } from "../agent/agents.js";
import { guarded, isAllLoaded, notLoaded } from "../document/calls.js";
import { handleOf, type Document } from "../document/document.js";
import { check, CopydeskError, members, toCopydeskError } from "../base/error.js";
import type { PositionRange, RunResult } from "../types/index.js";
import { actionWords } from "./words.js";

/** A request to the agent about a part of the document. */
export interface Ask {
  /** The instruction for the model. */
  instruction: string;
  /** The range that the run may change. Default: the selection. At an empty one the run may write. */
  range?: PositionRange;
  /** A short name of the request for the page. Default: the instruction. */
  label?: string;
  /** True if it fails with `nothing_selected` for an empty range. Default: false. */
  needsSelection?: boolean;
  /**
   * False to apply the edits at once if the document is in mode `auto`. Default: true: they wait for the user's
   * decision.
   */
  review?: boolean;
}

/** The state of the last request of `askAgent`. */
export interface AskState {
  /** `idle` before the first one. `refused` did not start a run. */
  status: "idle" | "running" | "done" | "stopped" | "failed" | "refused";
  instruction: string;
  label: string;
  /** The request as a message of a conversation: its label, and the beginning of the text that it is about. */
  request: string;
  /** The range that the run may change, as it was when the run began. */
  range: PositionRange | null;
  /** Number of edits so far. */
  edits: number;
  /** The model's last answer, after the run. */
  text: string;
  /** The reason why it failed or was refused. */
  error: CopydeskError | null;
  /** Resolves at the end of the run; null without one. */
  result: Promise<RunResult> | null;
}

declare module "@tiptap/core" {
  interface EditorEvents {
    /** The state of a request of `askAgent` changed. */
    askAgent: AskState;
  }

  interface Commands<ReturnType> {
    copydeskAsk: {
      /**
       * Has the agent of this editor work on the selection, or on `range`: the run can change nothing else. False if it
       * cannot start; the event `askAgent` has the reason.
       */
      askAgent: (ask: Ask) => ReturnType;
      /** Stops the run of `askAgent`; false if there is none. */
      stopAgent: () => ReturnType;
    };
  }
}

export const NO_ASK: AskState = {
  status: "idle",
  instruction: "",
  label: "",
  request: "",
  range: null,
  edits: 0,
  text: "",
  error: null,
  result: null,
};

/** The parts of the extension that the commands use. */
export interface AskHost {
  /** @throws CopydeskError if the wasm is not loaded. */
  document: () => Document;
  locale: string | undefined;
  /** The state of the last request. */
  state: AskState;
  /** The agent of the run under way. */
  agent: ActingAgent | undefined;
}

/** The plugin that marks the range of a request, and follows it. */
export const scopeKey = new PluginKey<DecorationSet>("copydeskScope");

export function scopePlugin(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key: scopeKey,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, before) {
        const range = tr.getMeta(scopeKey) as PositionRange | null | undefined;
        if (range === undefined) return before.map(tr.mapping, tr.doc);
        if (!range || range.from === range.to) return DecorationSet.empty;
        return DecorationSet.create(tr.doc, [Decoration.inline(range.from, range.to, { class: "copydesk-scope" })]);
      },
    },
    props: { decorations: (state) => scopeKey.getState(state) },
  });
}

/** Marks a range, or none. */
export function markScope(editor: Editor, range: PositionRange | null): void {
  if (editor.isDestroyed || (!range && scopeKey.getState(editor.state) === DecorationSet.empty)) return;
  editor.view.dispatch(editor.state.tr.setMeta(scopeKey, range).setMeta("addToHistory", false));
}

/** Returns the range that is marked now; null without one. */
export function markedScope(state: EditorState): PositionRange | null {
  const [found] = scopeKey.getState(state)?.find() ?? [];
  return found ? { from: found.from, to: found.to } : null;
}

/** `hostOf` is called when a command runs: commands are added before the editor is there. */
export function askCommands(hostOf: () => AskHost): Partial<RawCommands> {
  return {
    askAgent: (ask) =>
      direct(({ editor }, isMeant) => {
        const host = hostOf();
        const problem = problemOf(editor, host, ask);
        if (isMeant && problem) refuse(editor, host, ask, problem);
        else if (isMeant) start(editor, host, ask);
        return !problem;
      }),
    stopAgent: () =>
      direct((_, isMeant) => {
        const { state, agent } = hostOf();
        if (state.status !== "running") return false;
        if (isMeant) agent?.abort();
        return true;
      }),
  };
}

/** Marks commands whose effect is not a transaction of TipTap's own. */
function direct(run: (props: CommandProps, isMeant: boolean) => boolean) {
  return (props: CommandProps): boolean => {
    // Positions would be those before the other steps.
    if (props.tr.steps.length > 0) return false;
    if (props.dispatch) props.tr.setMeta("preventDispatch", true);
    return run(props, props.dispatch !== undefined);
  };
}

/** Returns why a request cannot start now; null if it can. */
export function problemOf(editor: Editor, host: AskHost, ask: Ask): CopydeskError | null {
  const words = actionWords(host.locale);
  const because = (code: "no_agent" | "busy" | "read_only" | "nothing_selected" | "editor_destroyed") =>
    new CopydeskError({ code, message: words[code], details: {} });
  try {
    if (editor.isDestroyed) return because("editor_destroyed");
    const { instruction, needsSelection } = members(ask, "ask");
    check(
      typeof instruction === "string" && !!instruction.trim(),
      "instruction",
      instruction,
      "a text that is not empty",
    );
    const { from, to } = rangeOf(editor, ask);
    if (!isAllLoaded()) return notLoaded(words.loading);
    const document = host.document();
    const agent = agentOf(document);
    if (!agent) return because("no_agent");
    if (host.state.status === "running" || agent.isRunning) return because("busy");
    if (!editor.isEditable) return because("read_only");
    if (needsSelection && from === to) return because("nothing_selected");
    guarded(() => handleOf(document).checkScope(from, to));
    return null;
  } catch (thrown) {
    const error = toCopydeskError(thrown);
    if (error instanceof CopydeskError) return error;
    throw thrown;
  }
}

/** Returns the range of a request. */
function rangeOf({ state }: Editor, { range }: Ask): PositionRange {
  const { selection, doc } = state;
  if (!range) {
    // Of the cells of a table, all from the first to the last.
    const starts = selection.ranges.map(({ $from }) => $from.pos);
    const ends = selection.ranges.map(({ $to }) => $to.pos);
    return { from: Math.min(...starts), to: Math.max(...ends) };
  }
  const { from, to } = members(range, "range");
  const isPosition = (at: unknown) => Number.isInteger(at) && Number(at) >= 0 && Number(at) <= doc.content.size;
  check(
    isPosition(from) && isPosition(to) && from <= to,
    "range",
    `${from}–${to}`,
    "two positions in the document, the first not above the second",
  );
  return { from, to };
}

/** The most UTF-16 units of a text that a request shows. */
const LONGEST_EXCERPT = 120;

function stateOf({ instruction, label }: Partial<Ask>, rest: Partial<AskState>): AskState {
  const text = String(instruction ?? "");
  const named = label ?? text;
  return { ...NO_ASK, instruction: text, label: named, request: named, ...rest };
}

/** Returns a request with the beginning of the text that it is about. */
function requestAbout(label: string, { doc }: EditorState, range: PositionRange, locale: string | undefined): string {
  const text = doc.textBetween(range.from, range.to, " ").trim();
  const excerpt = text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT - 1)}…` : text;
  return excerpt ? actionWords(locale).about(label, excerpt) : label;
}

function refuse(editor: Editor, host: AskHost, ask: Ask, error: CopydeskError): void {
  const refused = stateOf(ask ?? {}, { status: "refused", error });
  // A run under way is still that of the editor.
  if (host.state.status !== "running") host.state = refused;
  editor.emit("askAgent", refused);
}

function start(editor: Editor, host: AskHost, ask: Ask): void {
  const document = host.document();
  const agent = agentOf(document)!;
  const range = rangeOf(editor, ask);
  const { mode } = document;
  const inReview = ask.review !== false && mode === "auto";
  if (inReview) document.mode = "review";
  const result = agent.prompt(ask.instruction, undefined, { scope: range });
  const set = (change: Partial<AskState>) => {
    host.state = { ...host.state, ...change };
    editor.emit("askAgent", host.state);
  };
  const unsubscribe = agent.subscribe(({ type }) => {
    if (type === "doc_update") set({ edits: host.state.edits + 1 });
  });
  const end = (change: Partial<AskState>) => {
    unsubscribe();
    host.agent = undefined;
    if (!editor.isDestroyed) {
      // Another choice of the user during the run stays.
      if (inReview && document.mode === "review") document.mode = mode;
      markScope(editor, null);
    }
    set(change);
  };
  host.agent = agent;
  const asked = stateOf(ask, { status: "running", range, result });
  host.state = { ...asked, request: requestAbout(asked.label, editor.state, range, host.locale) };
  // Marks a cursor nowhere, and text until the end of the run.
  queueMicrotask(() => host.state.status === "running" && markScope(editor, range));
  editor.emit("askAgent", host.state);
  result.then(
    ({ status, text, error }) => {
      if (status === "error") end({ status: "failed", error: error ? new CopydeskError(error) : null });
      else end({ status: status === "aborted" ? "stopped" : "done", text });
    },
    (thrown: unknown) => end({ status: "failed", error: toCopydeskError(thrown) as CopydeskError }),
  );
}

/** Returns whether a selection is one of text that an action can work on. */
export function hasText({ selection, doc }: EditorState): boolean {
  if (selection.empty || selection instanceof NodeSelection) return false;
  const isCode = selection.ranges.some(({ $from, $to }) => $from.parent.type.spec.code || $to.parent.type.spec.code);
  return !isCode && doc.textBetween(selection.from, selection.to, " ").trim() !== "";
}
