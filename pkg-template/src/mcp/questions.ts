/** Questions of a server to the user. */

import type { McpAnswer, McpOptions } from "../types/mcp.js";
import { LONGEST_QUESTION, MOST_QUESTIONS } from "./limits.js";
import { Slots, unlessAborted } from "./slots.js";

const ACTIONS = ["accept", "decline", "cancel"];

/** Asks the questions of one server: only while it has calls, one at a time, and a limited number. */
export class Questions {
  private readonly slots = new Slots(1);
  private calls = 0;
  private asked = 0;
  /** Aborts when the last call has ended. */
  private over = new AbortController();

  /** `problem` takes what is not for the server, such as an exception of the app. */
  constructor(
    private readonly server: string,
    private readonly elicit: NonNullable<McpOptions["elicit"]>,
    private readonly problem: (error: unknown) => void,
  ) {}

  /** Runs a call, during which the server may ask. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    if (this.calls++ === 0) {
      this.over = new AbortController();
      this.asked = 0;
    }
    try {
      return await call();
    } finally {
      if (--this.calls === 0) this.over.abort(new Error("the call of the question has ended"));
    }
  }

  /** Returns the user's answer; "cancel" to a question that is not asked, or to which there is no answer. */
  async ask(message: string, schema: object, signal: AbortSignal): Promise<McpAnswer> {
    try {
      const refusal = this.refusalOf(message, schema);
      if (refusal !== undefined) throw new Error(refusal);
      const either = new AbortController();
      const abort = (given: AbortSignal) => () => either.abort(given.reason);
      const aborts = [signal, this.over.signal].map((given) => [given, abort(given)] as const);
      for (const [given, run] of aborts) {
        given.addEventListener("abort", run);
        if (given.aborted) run();
      }
      try {
        const question = { server: this.server, message, schema };
        const { elicit } = this;
        const asking = async () => elicit(question, either.signal);
        const answer = await this.slots.run(either.signal, () => unlessAborted(either.signal, asking()));
        return checked(answer);
      } finally {
        for (const [given, run] of aborts) given.removeEventListener("abort", run);
      }
    } catch (error) {
      this.problem(error);
      return { action: "cancel" };
    }
  }

  private refusalOf(message: string, schema: object): string | undefined {
    if (this.calls === 0) return "the server asked a question without a call";
    if (++this.asked > MOST_QUESTIONS) return `the server asked more than ${MOST_QUESTIONS} questions`;
    const length = message.length + JSON.stringify(schema).length;
    return length > LONGEST_QUESTION ? `the server asked a question of ${length} characters` : undefined;
  }
}

/** Returns an answer of the app. Throws if it is invalid. */
function checked(answer: McpAnswer): McpAnswer {
  const { action, content } = (answer ?? {}) as Partial<McpAnswer>;
  if (!ACTIONS.includes(action as string)) throw new TypeError(`elicit returned no action: ${String(action)}`);
  return { action: action!, ...(content && { content }) };
}
