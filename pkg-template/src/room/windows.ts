/** The windows of a browser that have the same room: they exchange changes and presence by a BroadcastChannel. */

import {
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
  type Awareness,
} from "y-protocols/awareness";
import { applyUpdate, encodeStateAsUpdate, encodeStateVector, type Doc } from "yjs";
import { isObject } from "../base/json.js";

interface WindowMessage {
  /** A change of the document. */
  update?: Uint8Array;
  /** The states of participants. */
  awareness?: Uint8Array;
  /** The state of the sender's document. Others send the missing parts. */
  vector?: Uint8Array;
  /** True if the others should send their states. */
  isNew?: boolean;
}

export class RoomWindows {
  readonly #channel: BroadcastChannel;
  readonly #document: Doc;
  readonly #awareness: Awareness;

  constructor(name: string, document: Doc, awareness: Awareness) {
    this.#document = document;
    this.#awareness = awareness;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => this.#receive(data);
    document.on("update", this.#changed);
    awareness.on("update", this.#present);
    addEventListener("pagehide", this.#leave);
    addEventListener("pageshow", this.#return);
  }

  /** Asks the other windows for what they have, and sends them what they lack. */
  greet(): void {
    this.#send({ vector: encodeStateVector(this.#document), isNew: true, awareness: this.#states() });
  }

  close(): void {
    this.#document.off("update", this.#changed);
    this.#leave();
    this.#awareness.off("update", this.#present);
    removeEventListener("pagehide", this.#leave);
    removeEventListener("pageshow", this.#return);
    this.#channel.close();
  }

  #receive(data: unknown): void {
    const { update, awareness, vector, isNew } = (isObject(data) ? data : {}) as WindowMessage;
    try {
      if (update) applyUpdate(this.#document, update, this);
      if (awareness) applyAwarenessUpdate(this.#awareness, awareness, this);
      if (!vector) return;
      const own = isNew && { vector: encodeStateVector(this.#document), awareness: this.#states() };
      this.#send({ update: encodeStateAsUpdate(this.#document, vector), ...own });
    } catch (error) {
      // Another version of the page may send what this one cannot read.
      console.warn(error);
    }
  }

  #states(): Uint8Array {
    return encodeAwarenessUpdate(this.#awareness, [...this.#awareness.getStates().keys()]);
  }

  #send(message: WindowMessage): void {
    this.#channel.postMessage(message);
  }

  readonly #changed = (update: Uint8Array, origin: unknown) => {
    if (origin !== this) this.#send({ update });
  };

  readonly #present = (
    { added, updated, removed }: Record<"added" | "updated" | "removed", number[]>,
    origin: unknown,
  ) => {
    if (origin !== this)
      this.#send({ awareness: encodeAwarenessUpdate(this.#awareness, [...added, ...updated, ...removed]) });
  };

  /** The state of a page that is left, and comes back when it is shown again. */
  #left: Record<string, unknown> | null = null;

  readonly #leave = () => {
    this.#left = this.#awareness.getLocalState();
    removeAwarenessStates(this.#awareness, [this.#awareness.clientID], "leave");
  };

  readonly #return = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    this.#awareness.setLocalState(this.#left);
    this.greet();
  };
}
