/** Panels of what the user has configured: a list of cards, and a form that adds one. */

import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import type { ChangeDetail, CopydeskEvents } from "./events.js";
import { PanelElement } from "./panel-element.js";
import { popupMenu, type MenuItem } from "./popup-menu.js";
import { sentenceOf, type Sentence } from "./sentence.js";

/** The events that propose a change. */
type ChangeType = "sources-change" | "servers-change";
type Value<Type extends ChangeType> = CopydeskEvents[Type]["detail"]["value"];

/**
 * Calls `emit` with the detail of a change, waits for those who apply it, and then calls `apply`. Resolves to a sentence if it
 * is refused.
 */
export async function propose<T>(
  value: T,
  emit: (detail: ChangeDetail<T>) => void,
  apply?: () => void,
): Promise<Sentence | null> {
  const waits: Promise<unknown>[] = [];
  try {
    emit({ value, waitUntil: (applied) => void waits.push(applied) });
    await Promise.all(waits);
    apply?.();
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}

/** A plugin whose states change. */
interface Followed {
  subscribe(listener: () => void): () => void;
}

/** A panel of a configuration, with the states that the page tells. */
export abstract class ConfiguredElement<Type extends ChangeType> extends PanelElement {
  static override properties: PropertyDeclarations = {
    shown: { state: true },
    refusal: { state: true },
  };

  /** The configuration that is shown: that of the page, with the user's changes. */
  declare protected shown: Value<Type> | undefined;
  /** The sentence about a change that was refused. */
  declare protected refusal: Sentence | null;
  #followed: Followed | undefined;
  #unfollow: (() => void) | undefined;
  /** The value that the page gave last, as JSON. */
  #given: string | undefined;
  /** The configuration that is shown after all changes that are not settled were refused. */
  #accepted: Value<Type> | undefined;
  /** The changes that are not settled, in their order. */
  #unsettled: readonly Value<Type>[] = [];
  #changes = 0;
  /** The number of the last change that was accepted. */
  #lastAccepted = 0;

  constructor(private changeType: Type) {
    super();
    this.refusal = null;
  }

  /** The configuration that the page has given. */
  protected abstract get given(): Value<Type> | undefined;

  /** The plugin that applies the configuration. */
  protected abstract get applying(): Followed | undefined;

  /** The property of the configuration. */
  protected abstract get property(): string;

  /** Gives a change to the plugin, unless the page has prevented it. */
  protected abstract configure(value: Value<Type>): void;

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has(this.property)) this.#begin();
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow();
  }

  /** Shows what the page has given, unless it has the same content as before, or is a change that the page may still refuse. */
  #begin(): void {
    const given = JSON.stringify(this.given);
    if (given === this.#given) return;
    this.#given = given;
    if (this.#unsettled.some((value) => JSON.stringify(value) === given)) return;
    this.shown = this.#accepted = this.given;
    this.#unsettled = [];
  }

  /** Draws the element again when the states of its plugin are others. */
  #follow(): void {
    const plugin = this.isConnected ? this.applying : undefined;
    if (plugin === this.#followed) return;
    this.#unfollow?.();
    this.#followed = plugin;
    this.#unfollow = plugin?.subscribe(() => this.requestUpdate());
  }

  /**
   * Shows a change at once, proposes it, and configures the plugin when the page has agreed. Resolves to the sentence of its
   * refusal, or to null.
   */
  protected async change(value: Value<Type>): Promise<Sentence | null> {
    const number = ++this.#changes;
    this.refusal = null;
    this.shown = value;
    this.#unsettled = [...this.#unsettled, value];
    let isPrevented = false;
    const problem = await propose(
      value,
      (detail) => (isPrevented = !this.emit(this.changeType, detail as CopydeskEvents[Type]["detail"], true)),
      () => this.#accept(value, number, isPrevented),
    );
    if (problem !== null) this.#refuse(value);
    return problem;
  }

  #accept(value: Value<Type>, number: number, isPrevented: boolean): void {
    // A later change that was accepted before contains this one.
    if (number < this.#lastAccepted) return;
    if (!isPrevented) this.configure(value);
    this.#lastAccepted = number;
    const at = this.#unsettled.indexOf(value);
    // The page may have given another configuration.
    if (at < 0) return;
    this.#accepted = value;
    this.#unsettled = this.#unsettled.slice(at + 1);
  }

  /** Takes a change back. What the user has changed meanwhile stays. */
  #refuse(value: Value<Type>): void {
    this.#unsettled = this.#unsettled.filter((each) => each !== value);
    if (this.shown === value) this.shown = this.#unsettled.at(-1) ?? this.#accepted;
  }

  /** Makes a change, and shows the sentence of its refusal until the next one. */
  protected async apply(value: Value<Type>): Promise<void> {
    this.refusal = await this.change(value);
  }

  protected refused(): TemplateResult {
    const { refusal, m } = this;
    return html`<p
      class="problem"
      part="problem"
      role="alert"
      ?hidden=${!refusal}
      .textContent=${refusal?.(m) ?? ""}
    ></p>`;
  }

  /** Returns the card of something that can be turned off. */
  protected card({ id, name, enabled, setEnabled, state, kind, actions }: Card, ...parts: unknown[]): TemplateResult {
    const { m } = this;
    const changed = (event: Event) => setEnabled((event.target as HTMLInputElement).checked);
    return html`<li class="card" part="card" data-state=${kind} data-card=${id}>
      <div class="card-head">
        <label class="card-name"
          ><input
            type="checkbox"
            part="enabled"
            aria-label=${m.enable(name)}
            .checked=${live(enabled)}
            @change=${changed}
          /><span part="name">${name}</span></label
        >
        <span class="card-state" part="state">${state}</span>
        ${popupMenu({ id, label: m.actionsFor(name), items: actions })}
      </div>
      ${parts.map((part) => part || nothing)}
    </li>`;
  }
}

export interface Card {
  /** Identifies it in its list. */
  id: string;
  name: string;
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
  state: string;
  /** Selects the color of its state. */
  kind: string;
  actions: readonly MenuItem[];
}

/** Returns a name that is not taken: with a number after it, if it has to be. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number++) name = `${wanted}-${number}`;
  return name;
}
