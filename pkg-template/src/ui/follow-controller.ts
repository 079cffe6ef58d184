/** Subscriptions of a Lit element, which exist while it is in a page. */

import type { ReactiveController, ReactiveControllerHost } from "lit";

type Host = ReactiveControllerHost & { readonly isConnected: boolean };

/** Follows the inputs, such as an editor: `follow` is called when one of them changes, and returns a function that ends it. */
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

  /** The inputs that are followed. */
  get current(): Inputs | undefined {
    return this.#inputs;
  }

  /** Follows one input. */
  static of<T>(
    host: Host,
    input: () => T | undefined,
    follow: (input: T) => (() => void) | undefined,
  ): FollowController<[T]> {
    const inputs = (): [T] | undefined => {
      const found = input();
      return found && [found];
    };
    return new FollowController(host, inputs, follow);
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
