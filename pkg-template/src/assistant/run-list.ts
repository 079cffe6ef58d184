/** The runs of a conversation: their record, and what is shown of each. */

import type { Editor } from "@tiptap/core";
import type { Agent, Hunk } from "copydesk";
import { byCall } from "./changes.js";
import { ConversationRecord } from "./conversation-record.js";
import type { ShownDecision } from "./decisions.js";
import { RunRecorder, type Run, type RunUsage, type ToolCallState } from "./run.js";
import { titlesOf } from "./sections.js";
import type { AssistantOptions } from "./state.js";
import type { StoredRun } from "./stored.js";
import type { ServerTool } from "./tool-names.js";

export interface RunListHost extends Pick<AssistantOptions, "setup" | "costs"> {
  readonly editor: Editor;
  readonly agent: Agent;
  /** Returns the tool of a server that the model calls by a name, as the settings are now. */
  findServerTool: (name: string) => ServerTool | null;
}

export class RunList {
  #record = new ConversationRecord();
  #recorders: RunRecorder[] = [];
  /** Calls with pending changes. */
  #withPending = new Set<string>();
  /** The tools that were looked up while the runs of a stored conversation are shown. */
  #lookups: Map<string, ServerTool | null> | undefined;

  constructor(private host: RunListHost) {}

  /** The record of the conversation. */
  get record(): ConversationRecord {
    return this.#record;
  }

  get recorders(): readonly RunRecorder[] {
    return this.#recorders;
  }

  get last(): RunRecorder | undefined {
    return this.#recorders.at(-1);
  }

  /** Shows the runs of another conversation. */
  reset(record: ConversationRecord): void {
    this.#record = record;
    this.#recorders = [];
    this.#withPending.clear();
    this.#lookups = new Map();
    for (const run of record.runs) this.addPast(run);
    this.#lookups = undefined;
  }

  /** Removes the runs from one on, and returns the ids of their calls. */
  removeFrom(index: number): Set<string> {
    this.#record.runs.splice(index);
    return new Set(this.#recorders.splice(index).flatMap((run) => run.calls().map(({ toolId }) => toolId)));
  }

  /** Adds a finished run with its events. */
  addPast(stored: StoredRun): void {
    const recorder = this.add(stored, true);
    for (const event of stored.events) {
      if (event.type === "agent_start" && !recorder.run.isRunning) recorder.resume(true);
      recorder.handle(event);
    }
  }

  add(stored: StoredRun, isPast: boolean): RunRecorder {
    const { host } = this;
    const recorder: RunRecorder = new RunRecorder(
      stored,
      {
        titles: (toolId) => ((stored.titles ??= {})[toolId] ??= titlesOf(host.editor)),
        serverTool: (name) => this.#serverToolOf(stored, name),
        setup: () => (recorder.run.isPast ? stored.setup : (stored.setup ??= host.setup?.())),
        usage: (turnIds) => this.#usage(turnIds),
        attachedLater: (index) => stored.attachedLater?.[index] ?? [],
      },
      isPast,
    );
    this.#recorders.push(recorder);
    return recorder;
  }

  /** Returns a call of the conversation, with the changes of this task. */
  call(toolId: string): ToolCallState | undefined {
    for (const recorder of this.#recorders.toReversed()) {
      const found = recorder.call(toolId);
      if (found) return found;
    }
    return undefined;
  }

  /** Changes what is shown of a call. */
  updateCall(toolId: string, change: Partial<ToolCallState>): void {
    for (const recorder of this.#recorders) recorder.updateCall(toolId, change);
  }

  /** Returns the tool of a server that the model calls by a name; null for other tools. */
  serverTool(name: string): ServerTool | null {
    const known = this.#record.runs.findLast(({ serverTools }) => serverTools?.[name])?.serverTools?.[name];
    return known ?? this.host.findServerTool(name);
  }

  #serverToolOf(run: StoredRun, name: string): ServerTool | null {
    const found = run.serverTools?.[name] ?? this.#lookup(name);
    if (found) (run.serverTools ??= {})[name] = found;
    return found;
  }

  /** Looks a tool up once for all runs of a conversation. */
  #lookup(name: string): ServerTool | null {
    const known = this.#lookups?.get(name);
    if (known !== undefined) return known;
    const found = this.serverTool(name);
    this.#lookups?.set(name, found);
    return found;
  }

  #usage(turnIds: readonly string[]): RunUsage | undefined {
    const costs = this.host.costs?.() ?? "exact";
    if (costs === "none") return undefined;
    const turns = this.host.agent.ledger.turns.filter(({ turnId }) => turnIds.includes(turnId));
    const cost = turns.reduce<number | null>(
      (sum, turn) => (sum === null || turn.cost === null ? null : sum + turn.cost),
      0,
    );
    const tokens = turns.reduce((sum, { usage }) => sum + usage.totalTokens, 0);
    return { tokens, cost, isEstimated: costs === "estimated" };
  }

  /** Shows the decisions that hold. */
  showDecisions(standing: readonly ShownDecision[]): void {
    for (const recorder of this.#recorders)
      for (const { toolId, decisions } of recorder.calls()) {
        const own = standing.filter((decision) => decision.toolId === toolId);
        if (!own.length && !decisions.length) continue;
        const change = own.length === decisions.length ? {} : { isFinal: false };
        recorder.updateCall(toolId, { decisions: own, ...change });
      }
  }

  /** Shows the pending changes of each call. */
  showPending(hunks: readonly Hunk[]): void {
    const pending = byCall(hunks);
    const affected = new Set([...this.#withPending, ...pending.keys()]);
    this.#withPending = new Set(pending.keys());
    for (const recorder of this.#recorders)
      for (const call of recorder.calls()) {
        if (!affected.has(call.toolId)) continue;
        const now = pending.get(call.toolId) ?? [];
        const isSame =
          now.length === call.pending.length &&
          now.every(({ id, newText }, at) => id === call.pending[at]!.id && newText === call.pending[at]!.newText);
        if (isSame && (call.hasRange || !now.length)) continue;
        recorder.updateCall(call.toolId, { pending: now, hasRange: call.hasRange || now.length > 0 });
      }
  }

  /** Returns the runs as they are shown, or `before` if nothing has changed. */
  shown(before: readonly Run[], isWorking: boolean): readonly Run[] {
    const runs = this.#recorders.map((recorder, at) => {
      const canEdit = this.#record.runs[at]?.start !== undefined && !isWorking;
      if (recorder.run.canEdit !== canEdit) recorder.set({ canEdit });
      return recorder.run;
    });
    const isSame = runs.length === before.length && runs.every((run, at) => run === before[at]);
    return isSame ? before : runs;
  }
}
