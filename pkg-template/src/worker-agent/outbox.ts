/** Events on their way to the page: in batches, one per frame of the page. */

import type { AgentEvent } from "../types/index.js";
import type { AgentHandle } from "../wasm/full/copydesk.js";
import { growth } from "./growth.js";
import type { FromWorker, Item, Snapshot, Target } from "./messages.js";

type ReadAgent = Pick<AgentHandle, "state" | "messages" | "usage" | "ledger" | "preview">;

/** Events that change nothing but the text of the answer, which the page appends itself. */
const PARTS = new Set<AgentEvent["type"]>(["content", "thinking", "tool_args", "tool_update"]);
/** Events with which the ledger may have changed. */
const COUNTED = new Set<AgentEvent["type"]>(["tool_result", "doc_update", "turn_end", "compaction"]);

export class Outbox {
  /** Set when the agent was created, before its first event. */
  agent: ReadAgent | undefined;
  readonly #post: (message: FromWorker) => void;
  readonly #hasPreview: boolean;
  readonly #revision: () => number;
  #items: Item[] = [];
  /** The number of batches that the page has not shown. */
  #unshown = 0;
  #isScheduled = false;
  /** The messages that the page has, as JSON. */
  #known: string[] = [];
  /** The arguments of unfinished calls that the page has. */
  readonly #arguments = new Map<string, unknown>();
  /** The calls whose arguments have grown since the last batch. */
  readonly #growing = new Set<string>();

  constructor(post: (message: FromWorker) => void, hasPreview: boolean, revision: () => number) {
    this.#post = post;
    this.#hasPreview = hasPreview;
    this.#revision = revision;
  }

  readonly report = (event: AgentEvent): void => {
    this.#items.push(this.#itemOf(event));
    if (this.#isScheduled || this.#unshown) return;
    this.#isScheduled = true;
    // After the events of the same chunk.
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#unshown) this.flush();
    });
  };

  /** The page has shown a batch. */
  shown(): void {
    this.#unshown--;
    if (!this.#unshown) this.flush();
  }

  /** The document has changed: unfinished calls will write elsewhere. */
  retarget(): void {
    for (const toolId of this.#arguments.keys()) this.#growing.add(toolId);
    this.flush();
  }

  flush(): void {
    if (!this.#items.length && !this.#growing.size) return;
    const [items, targets] = [this.#items, this.#targets()];
    this.#items = [];
    this.#unshown++;
    this.#post({ type: "events", items, targets });
  }

  /** Returns the state of the agent at this moment. */
  snapshot(withLedger: boolean): Snapshot {
    const { state, messages, usage, ledger } = this.agent!;
    const texts: string[] = messages.map((message: unknown) => JSON.stringify(message));
    let from = 0;
    while (from < texts.length && texts[from] === this.#known[from]) from++;
    const isSame = from === texts.length && from === this.#known.length;
    this.#known = texts;
    return {
      ...state,
      usage,
      ...(withLedger && { ledger }),
      ...(!isSame && { messages: { from, rest: messages.slice(from) } }),
    };
  }

  #itemOf(event: AgentEvent): Item {
    if (event.type === "turn_start" || event.type === "retry") this.#forget();
    if (event.type === "tool_result") this.#arguments.delete(event.toolId);
    if (event.type === "tool_args") {
      const { partial, ...rest } = event;
      this.#growing.add(event.toolId);
      const change = partial && growth(this.#arguments.get(event.toolId), partial);
      this.#arguments.set(event.toolId, partial);
      return partial ? { event: rest as AgentEvent, grown: change } : { event };
    }
    return PARTS.has(event.type) ? { event } : { event, state: this.snapshot(COUNTED.has(event.type)) };
  }

  #forget(): void {
    this.#arguments.clear();
    this.#growing.clear();
  }

  /** Returns where the calls that have grown will write. */
  #targets(): Target[] {
    const growing = this.#hasPreview ? [...this.#growing] : [];
    this.#growing.clear();
    const revision = this.#revision();
    return growing.map((toolId) => ({ toolId, revision, target: this.agent!.preview(toolId) }));
  }
}
