/** Saves the conversation that is shown, soon after it has changed, and knows the others. */

import { problemOf, type AssistantStorage, type StorageProblem } from "./storage.js";
import { isConversation, type ConversationHeader, type StoredConversation, type StoredDecision } from "./stored.js";

/** Time between the last change and its saving, in milliseconds. */
const DELAY = 300;

export interface SavingHost {
  /** Returns the conversation that is shown. */
  current(): StoredConversation;
  onProblem(problem: StorageProblem | null): void;
  /** The list of conversations is another one. */
  onList(): void;
}

export class Saving {
  #all: readonly StoredConversation[] = [];
  #headers: readonly ConversationHeader[] = [];
  #unsaved = new Set<string>();
  /** True if a stored conversation cannot be read. */
  #hasUnreadable = false;
  #isCurrentChanged = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** True after `pagehide`: from then on the browser aborts requests, and their failures are not those of the storage. */
  #isLeft = false;
  #hide = () => void (document.visibilityState === "hidden" && this.flush());
  #leave = () => {
    void this.flush();
    this.#isLeft = true;
  };
  #return = () => (this.#isLeft = false);

  readonly #storage: AssistantStorage;

  constructor(
    storage: AssistantStorage,
    private host: SavingHost,
  ) {
    this.#storage = storage.forAssistant?.() ?? storage;
    document.addEventListener("visibilitychange", this.#hide);
    addEventListener("pagehide", this.#leave);
    addEventListener("pageshow", this.#return);
  }

  /** All conversations, the newest first. */
  get all(): readonly StoredConversation[] {
    return this.#all;
  }

  get headers(): readonly ConversationHeader[] {
    return this.#headers;
  }

  find(id: string): StoredConversation | undefined {
    return this.#all.find((conversation) => conversation.id === id);
  }

  async load(): Promise<void> {
    try {
      const known = new Set(this.#all.map(({ id }) => id));
      const stored = await this.#storage.load();
      const readable = stored.filter(isConversation);
      this.#setAll([...this.#all, ...readable.filter(({ id }) => !known.has(id))]);
      if (readable.length < stored.length) this.#foundUnreadable();
    } catch (error) {
      this.host.onProblem(problemOf(error));
    }
  }

  /** Leaves out a conversation that cannot be read. What is stored of it stays as it is. */
  leaveOut(id: string): void {
    this.#setAll(this.#all.filter((conversation) => conversation.id !== id));
    this.#unsaved.delete(id);
    this.#foundUnreadable();
  }

  #foundUnreadable(): void {
    this.#hasUnreadable = true;
    this.host.onProblem("unreadable");
  }

  /** Saves the conversation that is shown, soon. */
  changed(): void {
    this.#isCurrentChanged = true;
    this.#timer ??= setTimeout(() => void this.flush(), DELAY);
  }

  /** Sets the decisions of a conversation that is not shown. */
  setDecisions(id: string, decisions: StoredDecision[]): void {
    const stored = this.find(id);
    if (!stored || JSON.stringify(stored.decisions ?? []) === JSON.stringify(decisions)) return;
    this.#remember({ ...stored, decisions });
    this.#timer ??= setTimeout(() => void this.flush(), DELAY);
  }

  /** Saves what is not saved yet. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isCurrentChanged) {
      this.#isCurrentChanged = false;
      const current = this.host.current();
      if (current.runs.length) this.#remember(current);
    }
    const changed = this.#all.filter(({ id }) => this.#unsaved.has(id));
    this.#unsaved.clear();
    if (changed.length) this.#writing = this.#writing.then(() => this.#write(changed));
    return this.#writing;
  }

  async remove(id: string): Promise<void> {
    this.#setAll(this.#all.filter((conversation) => conversation.id !== id));
    this.#unsaved.delete(id);
    try {
      await this.#writing;
      await this.#storage.remove(id);
    } catch (error) {
      this.host.onProblem(problemOf(error));
    }
  }

  dispose(): void {
    void this.flush();
    document.removeEventListener("visibilitychange", this.#hide);
    removeEventListener("pagehide", this.#leave);
    removeEventListener("pageshow", this.#return);
  }

  async #write(conversations: readonly StoredConversation[]): Promise<void> {
    let problem: StorageProblem | null = null;
    for (const conversation of conversations) {
      try {
        await this.#storage.save(conversation);
      } catch (error) {
        problem = problemOf(error);
        this.#unsaved.add(conversation.id);
      }
    }
    if (!this.#isLeft) this.host.onProblem(problem ?? (this.#hasUnreadable ? "unreadable" : null));
  }

  #remember(conversation: StoredConversation): void {
    this.#unsaved.add(conversation.id);
    this.#setAll([conversation, ...this.#all.filter(({ id }) => id !== conversation.id)]);
  }

  #setAll(all: readonly StoredConversation[]): void {
    this.#all = [...all].sort((a, b) => b.changed - a.changed);
    this.#headers = this.#all.map(({ id, title, changed }) => ({ id, title, changed }));
    this.host.onList();
  }
}
