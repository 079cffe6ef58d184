/** Binds a component of a framework to an element: loads its module, sets its properties and listens to its events. */

/** An element, as the manifest describes it. */
export interface ElementSpec {
  readonly tag: string;
  /** The name of its class and of its components. */
  readonly name: string;
  /** Imports the module that defines it. */
  readonly load: () => Promise<unknown>;
  readonly properties: readonly string[];
  /** Those of the properties that are true or false. */
  readonly flags: readonly string[];
  readonly events: readonly string[];
}

/** Called with the events of an element. */
export type Listener = (name: string, event: Event) => void;

/** The values that properties had before a component set them, also after `StrictMode` has mounted it again. */
const defaults = new WeakMap<HTMLElement, Map<string, unknown>>();

/** Connects an element with the component that has rendered it. */
export class ElementBinding {
  #values: Readonly<Record<string, unknown>> = {};
  #set = new Map<string, unknown>();
  #isDefined: boolean;
  #isEnded = false;

  constructor(
    private readonly spec: ElementSpec,
    private readonly element: HTMLElement,
    private readonly listener: Listener,
  ) {
    for (const name of spec.events) element.addEventListener(name, this.#heard);
    this.#isDefined = customElements.get(spec.tag) !== undefined;
    if (!this.#isDefined) void this.#load();
  }

  /** Sets properties. Of those that are null or undefined, the element has its defaults. */
  update(values: Readonly<Record<string, unknown>>): void {
    this.#values = values;
    if (!this.#isDefined || this.#isEnded) return;
    // Another script may have defined the element, which was not in the page then.
    customElements.upgrade(this.element);
    const before = defaults.get(this.element) ?? new Map<string, unknown>();
    defaults.set(this.element, before);
    const target = this.element as unknown as Record<string, unknown>;
    for (const name of this.spec.properties) {
      const value = values[name] ?? undefined;
      if (Object.is(value, this.#set.get(name))) continue;
      if (!before.has(name)) before.set(name, target[name]);
      target[name] = value === undefined ? before.get(name) : value;
      this.#set.set(name, value);
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const name of this.spec.events) this.element.removeEventListener(name, this.#heard);
  }

  async #load(): Promise<void> {
    try {
      await this.spec.load();
      this.#isDefined = true;
      this.update(this.#values);
    } catch (error) {
      console.warn(`<${this.spec.tag}> could not be loaded.`, error);
    }
  }

  #heard = (event: Event): void => this.listener(event.type, event);
}
