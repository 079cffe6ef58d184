/** The basis of the panels for what the assistant can do: a list of cards, and a form that adds one. */
import { assistantWordsIn, type AssistantWords } from "./assistant-words";
import { isSame } from "./is-same";
import { LocalizedElement } from "./localized";
import { sentenceOf } from "./localized-error";
import { h, set, type Child } from "./h";
import { popupMenu, type PopupItem } from "./popup-menu";

/** A change that the user has made. It counts when the promises resolve; the panel shows the message of a rejection. */
export interface ChangeDetail<T> {
  value: T;
  waitUntil: (applied: Promise<unknown>) => void;
}

/** A sentence in the language of the panel. */
export type Sentence = (words: AssistantWords) => string;

export abstract class AssistantPanel extends LocalizedElement<AssistantWords> {
  protected get words(): AssistantWords {
    return assistantWordsIn(this.language);
  }

  /** Draws again what has changed. */
  protected update(): void {
    if (this.isShown) this.draw(this.words);
  }

  /** Emits a change; resolves to the sentence of its refusal, or to null. */
  protected async propose<T>(type: string, value: T): Promise<Sentence | null> {
    const waits: Promise<unknown>[] = [];
    this.emit<ChangeDetail<T>>(type, { value, waitUntil: (applied) => waits.push(applied) });
    try {
      await Promise.all(waits);
      return null;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  /** Replaces the content of a list. The element with the focus keeps it, found by its `data-focus`. */
  protected redraw(list: HTMLElement, ...parts: Child[]): void {
    const active = document.activeElement as HTMLElement | null;
    const focused = list.contains(active) ? active?.closest<HTMLElement>("[data-focus]")?.dataset.focus : undefined;
    const open = openDetails(list);
    const openMenu = list.querySelector(":popover-open")?.closest<HTMLElement>("[data-focus]")?.dataset.focus;
    list.replaceChildren(...parts.filter((part): part is Node | string => !!part));
    for (const details of list.querySelectorAll("details")) {
      const scrolled = open.get(details.dataset.focus ?? "");
      if (scrolled === undefined) continue;
      details.open = true;
      const last = details.lastElementChild;
      if (last) last.scrollTop = scrolled;
    }
    const named = (name: string) => list.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`);
    if (focused !== undefined) {
      const found = named(focused);
      (found?.querySelector<HTMLElement>(":scope > summary, :scope > button") ?? found)?.focus();
    }
    if (openMenu !== undefined) named(openMenu)?.querySelector<HTMLElement>("[popover]")?.showPopover();
  }
}

/** A panel of what the user has configured, with the states that the host tells. */
export abstract class ConfiguredPanel<Configured, State> extends AssistantPanel {
  protected found: readonly State[] = [];
  private problem: Sentence | null = null;
  /** The sentence about a change that was refused. */
  protected readonly refusal = h("p", { class: "copydesk-problem", role: "alert", hidden: true });

  /** `changeType` names the event that proposes a change. */
  constructor(
    private changeType: string,
    protected configured: Configured,
  ) {
    super();
  }

  set states(states: readonly State[]) {
    const isKnown = isSame(states, this.found);
    this.found = states;
    if (!isKnown) this.update();
  }

  /** Shows what the host says. What is the same is not drawn again: the user may be pressing a button of it. */
  protected configure(configured: Configured): void {
    const isKnown = isSame(configured, this.configured);
    this.configured = configured;
    if (!isKnown) this.update();
  }

  /** Shows a change at once, and proposes it. Resolves to the sentence of its refusal, or to null. */
  protected async change(configured: Configured): Promise<Sentence | null> {
    const before = this.configured;
    this.say(null);
    this.configured = configured;
    this.update();
    const problem = await this.propose(this.changeType, configured);
    // What the user has changed meanwhile stays.
    if (problem !== null && this.configured === configured) {
      this.configured = before;
      this.update();
    }
    return problem;
  }

  /** Makes a change, and shows the sentence of its refusal until the next one. */
  protected async apply(configured: Configured): Promise<void> {
    this.say(await this.change(configured));
  }

  private say(problem: Sentence | null): void {
    this.problem = problem;
    this.drawRefusal(this.words);
  }

  protected drawRefusal(words: AssistantWords): void {
    this.refusal.textContent = this.problem?.(words) ?? "";
    this.refusal.hidden = this.problem === null;
  }
}

/** Returns how far what is unfolded was scrolled, by the names of the parts. */
function openDetails(list: HTMLElement): Map<string, number> {
  const open = [...list.querySelectorAll("details")].filter((each) => each.open);
  return new Map(open.map((each) => [each.dataset.focus ?? "", each.lastElementChild?.scrollTop ?? 0]));
}

export interface Card {
  /** Identifies it in its list. */
  id: string;
  name: string;
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
  state: string;
  /** Selects the colour of its state. */
  kind: string;
  actions: readonly PopupItem<AssistantWords>[];
  parts: Child[];
}

/** Returns the card of something that can be turned off. */
export function card(words: AssistantWords, { id, name, enabled, setEnabled, state, kind, actions, parts }: Card) {
  const box = h("input", { type: "checkbox", "data-focus": `${id} enabled`, "aria-label": words.enable(name) });
  box.checked = enabled;
  box.addEventListener("change", () => setEnabled(box.checked));
  return h(
    "li",
    { class: "copydesk-card", "data-state": kind, "data-card": id },
    h(
      "div",
      { class: "copydesk-card-head" },
      h("label", { class: "copydesk-card-name" }, box, h("span", {}, name)),
      h("span", { class: "copydesk-card-state" }, state),
      menu(words, id, name, actions),
    ),
    ...parts,
  );
}

/** Returns the menu of a row. */
export function menu(
  words: AssistantWords,
  id: string,
  name: string,
  actions: readonly PopupItem<AssistantWords>[],
): HTMLElement {
  const made = popupMenu(actions);
  made.draw(words, "⋯", words.actionsFor(name));
  made.element.classList.add("copydesk-row-menu");
  made.element.dataset.focus = `${id} menu`;
  return made.element;
}

/** Returns a part of a card that unfolds. */
export function unfolding(id: string, summary: Child, ...parts: Child[]): HTMLElement {
  return h("details", { class: "copydesk-unfold", "data-focus": id }, h("summary", {}, summary), ...parts);
}

export interface Field {
  element: HTMLElement;
  input: HTMLInputElement;
  draw: (label: string, hint?: string) => void;
}

let serial = 0;

/** Returns a text field with its label. */
export function field(type: "text" | "url" | "password" = "text"): Field {
  const input = h("input", { type, id: `copydesk-panel-field-${++serial}`, autocomplete: "off", spellcheck: "false" });
  if (type === "password") set(input, { "data-1p-ignore": true });
  const label = h("label", { for: input.id });
  return {
    element: h("div", { class: "copydesk-panel-field" }, label, input),
    input,
    draw: (text, hint) => {
      label.textContent = text;
      set(input, { placeholder: hint });
    },
  };
}

/** A form below the button that opens it. */
export class AddForm {
  readonly opener = h("button", { type: "button", class: "copydesk-button" });
  private problem = h("p", { class: "copydesk-problem", role: "alert", hidden: true });
  private said: Sentence | null = null;
  private ok = h("button", { type: "submit", class: "copydesk-button main" });
  private cancel = h("button", { type: "button", class: "copydesk-button" });
  private form: HTMLFormElement;
  private words!: AssistantWords;
  private after = (): HTMLElement | null => this.opener;
  readonly element: HTMLElement;

  /** `submit` returns a sentence if the form stays open. */
  constructor(
    private first: HTMLInputElement,
    parts: HTMLElement[],
    private submit: () => Sentence | null | Promise<Sentence | null>,
  ) {
    this.problem.id = `copydesk-panel-field-${++serial}`;
    const buttons = h("div", { class: "copydesk-panel-bar" }, this.ok, this.cancel);
    this.form = h(
      "form",
      { class: "copydesk-add-form", hidden: true, novalidate: true },
      ...parts,
      this.problem,
      buttons,
    );
    this.element = h("div", {}, this.opener, this.form);
    this.opener.addEventListener("click", () => this.open());
    this.cancel.addEventListener("click", () => this.close());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.stopPropagation();
      this.close();
    });
  }

  draw(words: AssistantWords, opener: string, ok: string): void {
    this.words = words;
    this.opener.textContent = opener;
    this.ok.textContent = ok;
    this.cancel.textContent = words.cancel;
    this.problem.textContent = this.said?.(words) ?? "";
  }

  /** `after` returns what gets the focus when the form is closed. Default: what opens it. */
  open(after: () => HTMLElement | null = () => this.opener): void {
    this.after = after;
    this.say(null);
    this.form.hidden = false;
    this.opener.hidden = true;
    this.first.focus();
  }

  private async send(): Promise<void> {
    if (this.ok.disabled) return;
    this.ok.disabled = true;
    let problem: Sentence | null;
    try {
      problem = await this.submit();
    } catch (error) {
      problem = sentenceOf(error);
    } finally {
      this.ok.disabled = false;
    }
    if (problem === null) return this.close();
    this.say(problem);
    if (this.hasFocus) this.first.focus();
  }

  private close(): void {
    const { hasFocus } = this;
    for (const input of this.form.querySelectorAll("input")) input.value = "";
    this.form.hidden = true;
    this.opener.hidden = false;
    // The user may be writing elsewhere by now.
    if (hasFocus) (this.after() ?? this.opener).focus();
  }

  /** True if the focus is in the form, or was lost with a button of it. */
  private get hasFocus(): boolean {
    const { activeElement } = document;
    return this.form.contains(activeElement) || activeElement === document.body;
  }

  private say(problem: Sentence | null): void {
    this.said = problem;
    this.problem.textContent = problem?.(this.words) ?? "";
    this.problem.hidden = problem === null;
    set(this.first, {
      "aria-invalid": problem === null ? undefined : "true",
      "aria-describedby": problem === null ? undefined : this.problem.id,
    });
  }
}

/** Returns a name that is not taken: with a number after it, if it has to be. */
export function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let number = 2; taken.includes(name); number++) name = `${wanted}-${number}`;
  return name;
}
