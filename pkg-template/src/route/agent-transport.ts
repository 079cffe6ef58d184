/** A transport for the AI SDK's `useChat` whose agent is in the page. */

import type { Agent } from "../agent.js";
import { UIMessageParts, type UIMessageChunk } from "./formats/ui-message-stream.js";
import { fromUIMessages } from "./formats/ui-messages.js";
import { isEnd } from "./run-end.js";

/** The `ChatTransport` of an agent, which keeps the conversation itself: only the last message is passed to it. */
export class AgentChatTransport {
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** Runs the last message of the user. Returns the run as chunks of UI messages. */
  async sendMessages(options: {
    messages: readonly unknown[];
    abortSignal: AbortSignal | undefined;
  }): Promise<ReadableStream<any>> {
    const agent = this.#agent;
    const parts = new UIMessageParts();
    const { abortSignal } = options;
    const { message } = fromUIMessages(options.messages);
    const stop = () => agent.abort();
    let unsubscribe = () => {};
    return new ReadableStream<UIMessageChunk>({
      start(out) {
        unsubscribe = agent.subscribe((event) => {
          for (const chunk of parts.chunksOf(event)) out.enqueue(chunk);
          if (isEnd(event)) unsubscribe();
        });
        abortSignal?.addEventListener("abort", stop, { once: true });
        agent
          .prompt(message)
          .then(
            () => out.close(),
            (reason: unknown) => out.error(reason),
          )
          .finally(() => {
            unsubscribe();
            abortSignal?.removeEventListener("abort", stop);
          });
      },
      cancel() {
        unsubscribe();
        stop();
      },
    });
  }

  /** A run ends with its page. */
  async reconnectToStream(): Promise<null> {
    return null;
  }
}
