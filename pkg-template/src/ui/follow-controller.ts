/** What an element of Lit listens to while it is in a page. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

type Host = ReactiveControllerHost & { readonly isConnected: boolean };

/** Follows what `inputs` returns, such as an editor: `follow` is called when one of them is another, and returns the end of it. */
export class FollowController<Inputs extends [unknown, ...unknown[]]> implements ReactiveController {
  #inputs: Inputs | undefined;
  #end: (() => void) | undefined;

  constructor(
    private host: Host,
    private inputs: () => Inputs | undefined,
    private follow: (...inputs: Inputs) => (() => void) | undefined,
  ) {
    host.addController(this);
  }

  /** What is followed. */
  get current(): Inputs | undefined {
    return this.#inputs;
  }

  hostUpdate(): void {
    this.#set(this.host.isConnected ? this.inputs() : undefined);
  }

  hostDisconnected(): void {
    this.#set(undefined);
  }

  #set(next: Inputs | undefined): void {
    const before = this.#inputs;
    if (next && before ? next.every((input, at) => input === before[at]) : next === before) return;
    this.#end?.();
    this.#inputs = next;
    this.#end = next && this.follow(...next);
  }
}
