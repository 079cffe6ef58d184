/** A transport for the AI SDK's `useChat` whose agent is in the page. */

import type { Agent } from "../agent/agent.js";
import type { AgentEvent, RunResult } from "../types/index.js";
import type { Conversation } from "./conversation.js";
import { UIMessageParts, type UIMessageChunk } from "./formats/ui-message-stream.js";
import { callsInLast, fromUIMessages } from "./formats/ui-messages.js";
import { isLast } from "./run-end.js";
import { onWaiting, waitingOf, type WaitingEvent } from "./waiting.js";

/** The `ChatTransport` of an agent, which keeps the conversation itself: only the last message is passed to it. */
export class AgentChatTransport {
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /**
   * Runs the last message of the user, or continues with the calls about which the user has decided. Returns the run as
   * chunks of UI messages, up to its end or to the next calls that wait for approval. A new message ends a run that
   * waits.
   */
  async sendMessages(options: {
    messages: readonly unknown[];
    abortSignal: AbortSignal | undefined;
  }): Promise<ReadableStream<any>> {
    const agent = this.#agent;
    const { abortSignal } = options;
    const asked = fromUIMessages(options.messages);
    const { decisions } = asked;
    if (!decisions.length && waitingOf(agent)) {
      agent.abort();
      await agent.waitForIdle();
    }
    const parts = new UIMessageParts(decisions.length ? callsInLast(options.messages) : []);
    const stop = () => agent.abort();
    let leave = () => {};
    return new ReadableStream<UIMessageChunk>({
      start: (out) => {
        const write = (event: AgentEvent | WaitingEvent) => {
          for (const chunk of parts.chunksOf(event)) out.enqueue(chunk);
          if (!isLast(event)) return;
          leave();
          out.close();
        };
        const unsubscribe = agent.subscribe((event) => {
          const decision = event.type === "approval_request" && decisions.find(({ toolId }) => toolId === event.toolId);
          if (decision) agent.approve(decision.toolId, decision.approved, decision.reason);
          else write(event);
        });
        const unwatch = onWaiting(agent, (waiting) => write({ ...waiting, seq: -1 }));
        leave = () => {
          unsubscribe();
          unwatch();
          abortSignal?.removeEventListener("abort", stop);
        };
        abortSignal?.addEventListener("abort", stop, { once: true });
        this.#run(asked).catch((reason: unknown) => {
          leave();
          out.error(reason);
        });
      },
      cancel() {
        leave();
        stop();
      },
    });
  }

  /** A run ends with its page. */
  async reconnectToStream(): Promise<null> {
    return null;
  }

  async #run({ message, decisions }: Conversation): Promise<RunResult | undefined> {
    const agent = this.#agent;
    if (!decisions.length) return agent.prompt(message as string);
    // After a reload the calls ask again, and are answered then.
    if (!agent.isRunning) return agent.continue();
    for (const { toolId, approved, reason } of decisions) agent.approve(toolId, approved, reason);
    return undefined;
  }
}
