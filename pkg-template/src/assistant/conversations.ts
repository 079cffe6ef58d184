/** The conversation that is shown, among those that are stored, with the user's decisions about its changes. */

import type { AgentEvent } from "copydesk";
import { addEvent, ConversationRecord, hasCall } from "./conversation-record.js";
import type { Decisions } from "./decisions.js";
import type { RunList } from "./run-list.js";
import type { Saving } from "./saving.js";
import type { AgentSession } from "./session.js";
import type { AssistantState } from "./state.js";
import type { StoredConversation } from "./stored.js";

export interface ConversationsHost {
  readonly runs: RunList;
  readonly session: AgentSession;
  readonly decisions: Decisions;
  readonly saving: Saving;
  readonly isDisposed: boolean;
  set(change: Partial<AssistantState>): void;
  /** Puts the runs into the state. */
  draw(): void;
  /** Updates the pending changes of each call. */
  updatePending(): void;
  /** Stops the run under way, and resolves at its end. */
  settle(): Promise<void>;
  /** Called before another conversation is shown. */
  clear(): void;
}

export class Conversations {
  constructor(private host: ConversationsHost) {}

  /** Shows the conversation that was stored last, or the one with an id; null for none. */
  async restore(wanted: string | null | undefined): Promise<void> {
    const { saving, runs } = this.host;
    await saving.load();
    const id = wanted === undefined ? saving.headers[0]?.id : wanted;
    const stored = id ? saving.find(id) : undefined;
    // The user may have begun another one meanwhile.
    if (stored && !this.host.isDisposed && !runs.record.runs.length) this.#show(stored);
  }

  /** Begins a conversation. The one that was shown stays in the list. */
  async begin(): Promise<void> {
    await this.#leave();
    this.host.session.begin();
    this.#replace(new ConversationRecord());
    this.changed();
  }

  /** Shows a stored conversation. */
  async open(id: string): Promise<void> {
    if (id === this.host.runs.record.id) return;
    await this.#leave();
    const stored = this.host.saving.find(id);
    if (!stored) return;
    this.#show(stored);
    this.changed();
  }

  async remove(id: string): Promise<void> {
    if (id === this.host.runs.record.id) await this.begin();
    await this.host.saving.remove(id);
  }

  /** Begins a conversation with runs that are over. */
  async showRuns(given: readonly { prompt: string; events: readonly AgentEvent[] }[]): Promise<void> {
    await this.begin();
    const { runs } = this.host;
    for (const { prompt, events } of given) {
      const stored = runs.record.begin(prompt);
      for (const event of events) addEvent(stored, event);
      stored.ended = true;
      runs.addPast(stored);
    }
    this.changed();
    this.host.draw();
  }

  /** Returns the conversation that is shown, as it is stored. */
  stored(): StoredConversation {
    const { runs, session, decisions } = this.host;
    return runs.record.stored(session.messages, decisions.stored(runs.record.id));
  }

  /** Saves the conversation that is shown, soon. */
  changed(): void {
    const { runs, saving } = this.host;
    if (runs.record.runs.length) saving.changed();
    this.host.set({ conversation: runs.record.header });
  }

  /** Returns the conversation with a call: the one that is shown, or a stored one. */
  withCall(toolId: string): string | undefined {
    const { runs, saving, decisions } = this.host;
    if (runs.call(toolId)) return runs.record.id;
    const stored = saving.all.find((other) => other.id !== runs.record.id && hasCall(other, toolId));
    if (stored) decisions.restore(stored.id, stored.decisions ?? []);
    return stored?.id;
  }

  /** Shows the decisions that hold, and saves them. */
  showDecisions(saves = true): void {
    const { runs, saving, decisions } = this.host;
    runs.showDecisions(decisions.standing(runs.record.id));
    this.host.draw();
    if (!saves) return;
    for (const id of decisions.conversations) if (id !== runs.record.id) saving.setDecisions(id, decisions.stored(id));
    this.changed();
  }

  /** Shows a stored conversation, which the model continues. A run that had not ended can be continued. */
  #show(stored: StoredConversation): void {
    const { runs, session, decisions, saving } = this.host;
    try {
      session.begin(stored.messages);
      this.#replace(new ConversationRecord(stored));
    } catch (error) {
      // Another version or another program has stored it.
      console.warn(error);
      saving.leaveOut(stored.id);
      session.begin([]);
      this.#replace(new ConversationRecord());
      return;
    }
    const last = stored.runs.at(-1);
    if (last && !last.ended) runs.last?.interrupt();
    else runs.last?.offerAgain();
    decisions.restore(stored.id, stored.decisions ?? []);
    this.showDecisions(false);
    this.host.updatePending();
  }

  /** Shows a conversation in place of another. */
  #replace(record: ConversationRecord): void {
    this.host.runs.reset(record);
    this.host.clear();
    this.host.set({ conversation: record.header });
    this.host.draw();
  }

  async #leave(): Promise<void> {
    await this.host.settle();
    await this.host.saving.flush();
  }
}
