/** The agent of a conversation: created when it is needed, and again for another conversation. */

import type { Agent, AgentEvent, Message, RunResult } from "copydesk";
import type { AttachedContent } from "./attachment.js";

/** A message of the user with what is attached to it. */
export interface OutgoingMessage {
  readonly text: string;
  readonly attachments: readonly AttachedContent[];
}

export interface SessionHost {
  /** Creates an agent with the current options. */
  create(): Agent;
  /** Loads the wasm, and what a message with attachments needs; resolves at once if that is loaded. */
  load(message?: OutgoingMessage): Promise<unknown>;
  isLoaded(message?: OutgoingMessage): boolean;
  /** Returns the messages that a message is sent as. */
  messagesOf(message: OutgoingMessage): Message[];
  onEvent(event: AgentEvent): void;
  /** A run has ended, and the next one may begin. */
  onIdle(): void;
}

export class AgentSession {
  #current: Agent | null = null;
  /** The conversation that the next agent continues. */
  #saved: Message[] = [];
  /** The messages to be sent after the current step. */
  #queued: readonly OutgoingMessage[] = [];
  /** A run waits for the wasm (`loading`), has not begun its first step (`starting`), or has. */
  #phase: "idle" | "loading" | "starting" | "running" = "idle";
  /** The agent has other options than it would be created with. */
  #isOutdated = false;
  /** Ends the wait of a run for the wasm. */
  #endWait: () => void = () => {};

  constructor(private host: SessionHost) {}

  /** The agent, if there is one. */
  get current(): Agent | null {
    return this.#current;
  }

  get agent(): Agent {
    return (this.#current ??= this.#create());
  }

  get isIdle(): boolean {
    return this.#phase === "idle";
  }

  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /** The conversation as the model knows it. */
  get messages(): Message[] {
    return this.#current?.messages ?? this.#saved;
  }

  /** Runs a prompt, as soon as the wasm is loaded. Returns null if it was stopped before. */
  prompt(message: OutgoingMessage): Promise<RunResult | null> {
    return this.#run(() => this.#upToDate().prompt(this.host.messagesOf(message)), message);
  }

  /** Continues the conversation after a failure. */
  continue(): Promise<RunResult | null> {
    return this.#run(() => this.#upToDate().continue());
  }

  /** Takes over a run that was started in the document. */
  follow(result: Promise<RunResult>): Promise<RunResult | null> {
    return this.#run(() => {
      this.#phase = "running";
      return result;
    });
  }

  stop(): void {
    if (this.#phase === "loading") this.#endWait();
    else if (this.#phase !== "idle") this.agent.abort();
  }

  /** Sends these messages after the current step, in place of those queued before. */
  queue(messages: readonly OutgoingMessage[]): void {
    this.#queued = [...messages];
    // Before the first step they would become part of the prompt.
    if (this.#phase === "running") this.#sendQueue();
    else this.#current?.clearQueues();
  }

  /** Begins a conversation, or continues one. */
  begin(messages: Message[] = []): void {
    const before = this.#current;
    this.#saved = messages;
    this.#current = null;
    this.#isOutdated = false;
    before?.dispose();
    if (before) this.#current = this.#create();
  }

  /** Creates the agent again with the options that there are now, after a run that is under way. */
  renew(): void {
    this.#isOutdated = this.#current !== null;
    if (this.#isOutdated && this.#phase === "idle") this.begin(this.messages);
  }

  dispose(): void {
    this.#endWait();
    this.#saved = this.messages;
    this.#current?.dispose();
    this.#current = null;
  }

  #upToDate(): Agent {
    if (this.#isOutdated) this.begin(this.messages);
    return this.agent;
  }

  #create(): Agent {
    const agent = this.host.create();
    if (this.#saved.length) agent.messages = this.#saved;
    agent.subscribe((event) => {
      if (event.type === "turn_start" && this.#phase === "starting") {
        this.#phase = "running";
        if (this.#queued.length) this.#sendQueue();
      }
      this.host.onEvent(event);
    });
    return agent;
  }

  async #run(begin: () => Promise<RunResult>, message?: OutgoingMessage): Promise<RunResult | null> {
    try {
      if (!this.host.isLoaded(message)) {
        this.#phase = "loading";
        const stopped = new Promise<true>((resolve) => (this.#endWait = () => resolve(true)));
        if (await Promise.race([this.host.load(message).then(() => false), stopped])) return null;
      }
      this.#phase = "starting";
      return await begin();
    } finally {
      this.#phase = "idle";
      this.#queued = [];
      this.host.onIdle();
    }
  }

  #sendQueue(): void {
    this.agent.clearQueues();
    for (const message of this.#queued.flatMap((one) => this.host.messagesOf(one))) this.agent.steer(message);
  }
}
