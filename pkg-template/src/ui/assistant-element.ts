/** Elements that show the state of an assistant. */

import { nothing, type PropertyDeclarations, type ReactiveController } from "lit";
import type { Assistant } from "../assistant/controller.js";
import type { Activity, AssistantState } from "../assistant/state.js";
import { ChatElement } from "./chat-element.js";
import { describeCall } from "./tool-text.js";

export abstract class AssistantElement extends ChatElement {
  static override properties: PropertyDeclarations = { assistant: { attribute: false } };

  /** The assistant that is shown. */
  declare assistant: Assistant | undefined;
  #followed: Assistant | undefined;
  #unfollow: (() => void) | undefined;

  /** The assistant that is shown: the one that was given, or the element's own. */
  protected get shown(): Assistant | undefined {
    return this.assistant;
  }

  protected get state(): AssistantState | undefined {
    return this.shown?.getSnapshot();
  }

  protected override missing(): string | null {
    return this.shown ? null : "needs the property `assistant`, which `createAssistant` of copydesk/assistant returns.";
  }

  /** Called when another assistant is shown; returns what ends that. */
  protected follow(assistant: Assistant): () => void {
    return assistant.subscribe(() => this.requestUpdate());
  }

  override willUpdate(_changed: Map<string, unknown>): void {
    // An element may be drawn again while it is not in the page.
    this.#follow(this.isConnected ? this.shown : undefined);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The first drawing may wait for a frame, and a run may end before it.
    this.#follow(this.shown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow(undefined);
  }

  #follow(assistant: Assistant | undefined): void {
    if (assistant === this.#followed) return;
    this.#unfollow?.();
    this.#followed = assistant;
    this.#unfollow = assistant && this.follow(assistant);
  }

  /** Returns what the assistant does now, in words; an empty text for nothing. */
  protected progress(): string {
    const { state, m } = this;
    if (!state) return "";
    if (state.activity) return this.#inWords(state.activity);
    return state.engine === "loading" ? m.loading : "";
  }

  #inWords(activity: Activity): string {
    const { m } = this;
    if (activity.is === "retry") return this.retryText(activity.due, activity.reason);
    if (activity.is !== "call") return m.working[activity.is];
    const call = this.shown?.call(activity.toolId);
    return call ? describeCall(call, m) : m.working.model;
  }

  protected retryText(due: number, reason: string): string {
    const seconds = Math.max(0, Math.ceil((due - performance.now()) / 1000));
    return this.m.retrying(seconds, this.m.retryReasons[reason] ?? reason);
  }
}

/** Draws an element again twice a second while something counts down. */
export class Countdown implements ReactiveController {
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private host: AssistantElement,
    private isCounting: () => boolean,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (!this.isCounting()) this.hostDisconnected();
    else this.#timer ??= setInterval(() => this.host.requestUpdate(), 500);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Returns a text as far as it can be shown, and nothing for none. */
export function shortened(text: string, most = 20_000): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

export { nothing };
