/** The menu at a selection, and what it shows while the agent works. */

import type { Editor } from "@tiptap/core";
import type { EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { liveRegion, type LiveRegion } from "../view/live-region.js";
import { localeOf } from "../base/locale.js";
import { onPress } from "../review/presses.js";
import { proposedSelection, type ProposedSelection } from "../review/proposed-text.js";
import { hasText, markedScope, markScope, type Ask, type AskState } from "./ask.js";
import { float, made, onMove, placeOf, placeOfRange } from "./floating.js";
import { answerText } from "../base/answer-blocks.js";
import { askOf, type AgentAction } from "./ready.js";
import { actionWords } from "./words.js";

export interface BubbleOptions {
  /** Returns the actions for the present selection. */
  actions: () => readonly AgentAction[];
  locale: string | undefined;
  /** False to show only the state of runs. */
  menu: boolean;
  /** The parent of the panel. Default: beside the editor's element. */
  mount?: ShadowRoot;
}

/** The content of the panel: the actions, the choices of one, the field for a request of the user's own, or a run. */
type Level =
  | { kind: "actions"; of: readonly AgentAction[]; isInner: boolean }
  | { kind: "field" }
  | { kind: "state"; ask: AskState };

/** The panel at a selection. */
export class Bubble {
  readonly #editor: Editor;
  readonly #options: BubbleOptions;
  readonly #panel = made("div", "copydesk-actions", { hidden: "" });
  readonly #live: LiveRegion;
  /** The text that the menu has announced last. */
  #said = "";
  #level: Level | null = null;
  /** True while a pointer is down: the selection is not finished. */
  #isDown = false;
  /** True if Escape closed the menu of this selection. */
  #isDismissed = false;
  /** The selection in proposed text that the menu is about; null if it is about the editor's. */
  #proposed: ProposedSelection | null = null;
  #release: (() => void)[] = [];

  constructor(view: EditorView, editor: Editor, options: BubbleOptions) {
    this.#editor = editor;
    this.#options = options;
    this.#live = liveRegion(view);
    this.#panel.addEventListener("keydown", (event) => this.#key(event));
    this.#panel.addEventListener("mousedown", (event) => {
      // Keeps the selection in the page.
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault();
    });
    const down = () => (this.#isDown = true);
    const up = () => {
      this.#isDown = false;
      // The browser changes the selection after the event.
      setTimeout(() => this.update());
    };
    const changed = (ask: AskState) => this.#changed(ask);
    const focused = () => setTimeout(() => this.update());
    // A selection in proposed text is not one of the editor.
    const selected = () => proposedSelection(view) && this.update();
    view.dom.addEventListener("pointerdown", down);
    document.addEventListener("selectionchange", selected);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
    editor.on("askAgent", changed);
    editor.on("focus", focused);
    editor.on("blur", focused);
    this.#panel.addEventListener("focusout", focused);
    this.#release = [
      () => view.dom.removeEventListener("pointerdown", down),
      () => document.removeEventListener("selectionchange", selected),
      () => removeEventListener("pointerup", up),
      () => removeEventListener("pointercancel", up),
      () => void editor.off("askAgent", changed).off("focus", focused).off("blur", focused),
      onMove(() => this.#place()),
    ];
  }

  /** Shows or hides the menu after the editor's state or the focus has changed. */
  update(before?: EditorState): void {
    const editor = this.#editor;
    if (editor.isDestroyed) return;
    const { state, view } = editor;
    this.#attach(view);
    if (before && !before.selection.eq(state.selection)) this.#isDismissed = false;
    const level = this.#level;
    if (level?.kind === "state") {
      // A run that has ended stays visible until the user continues.
      if (
        level.ask.status !== "running" &&
        before &&
        (before.doc !== state.doc || !before.selection.eq(state.selection))
      )
        this.#show(null);
      else this.#place();
      return;
    }
    const proposed = proposedSelection(view);
    const hasFocus = view.hasFocus() || proposed !== null || this.#focused !== null;
    // While the focus moves, nothing has it: the events of the focus call this again.
    if (!hasFocus && before) return;
    if (!hasFocus || view.composing || this.#isDismissed) return this.#show(null);
    if (level && this.#focused) return this.#place();
    this.#proposed = proposed;
    const isText = proposed ? proposed.from < proposed.to : hasText(state);
    if (this.#isDown || !this.#options.menu || !isText || !this.#canAsk(!proposed)) return this.#show(null);
    if (!level || (before && !before.selection.eq(state.selection))) this.#show(this.#start(true));
    else this.#place();
  }

  /** Opens the menu for the keyboard, also at a cursor. False if nothing may be asked here. */
  open(): boolean {
    const { state, view } = this.#editor;
    const isCode = state.selection.$from.parent.type.spec.code;
    const ofText = hasText(state);
    if (!this.#options.menu || isCode || (!ofText && !state.selection.empty) || !this.#canAsk(ofText)) return false;
    this.#attach(view);
    this.#isDismissed = false;
    this.#show(this.#start(ofText));
    this.#focusFirst();
    return true;
  }

  destroy(): void {
    for (const release of this.#release) release();
    this.#panel.remove();
    this.#live.remove();
  }

  #attach(view: EditorView): void {
    const parent = this.#options.mount ?? view.dom.parentElement;
    if (this.#panel.parentNode !== parent) parent?.append(this.#panel);
    this.#live.place();
  }

  /** The element of the panel that has the focus. */
  get #focused(): Element | null {
    const { activeElement } = this.#panel.getRootNode() as Document | ShadowRoot;
    return this.#panel.contains(activeElement) ? activeElement : null;
  }

  /** Returns whether a request about the selection could start. */
  #canAsk(needsSelection: boolean): boolean {
    return this.#editor.can().askAgent({ instruction: "?", needsSelection });
  }

  #start(ofText: boolean): Level {
    const target = ofText ? "selection" : "cursor";
    return {
      kind: "actions",
      of: this.#options.actions().filter((action) => action.target === target),
      isInner: false,
    };
  }

  #ask(ask: Ask): void {
    const editor = this.#editor;
    const proposed = this.#proposed;
    this.#proposed = null;
    this.#show(null);
    // The agent works on the document, so the proposal has to be in it.
    if (proposed) editor.storage.copydesk.enterProposal(proposed.hunk, proposed);
    else editor.view.focus();
    editor.commands.askAgent(ask);
  }

  #changed(ask: AskState): void {
    const words = actionWords(this.#options.locale);
    const { status, edits } = ask;
    const said =
      status === "running"
        ? words.working(ask.label)
        : status === "done"
          ? edits
            ? words.done(edits)
            : words.unchanged
          : status === "stopped"
            ? words.stopped
            : (ask.error?.message ?? "");
    if (this.#said !== said) this.#live.say(said, localeOf(this.#options.locale));
    this.#said = said;
    if (status === "refused" && this.#editor.storage.copydesk.ask.status === "running") return;
    // Edits are to be seen in the text; everything else has to be said.
    const isSeen = (status === "done" && edits > 0) || status === "stopped";
    this.#show(isSeen ? null : { kind: "state", ask });
  }

  #show(level: Level | null): void {
    if (!level && !this.#level) return;
    const hadFocus = this.#focused !== null;
    const wasField = this.#level?.kind === "field";
    this.#level = level;
    this.#panel.hidden = !level;
    if (wasField)
      queueMicrotask(
        () =>
          this.#editor.isDestroyed ||
          this.#level?.kind === "field" ||
          this.#editor.storage.copydesk.ask.status === "running" ||
          markScope(this.#editor, null),
      );
    if (!level) {
      this.#panel.replaceChildren();
      if (hadFocus && !this.#editor.isDestroyed) this.#editor.view.focus();
      return;
    }
    this.#panel.lang = localeOf(this.#options.locale);
    if (level.kind === "actions") this.#drawActions(level);
    else if (level.kind === "field") this.#drawField();
    else this.#drawState(level.ask);
    this.#place();
    if (hadFocus) this.#focusFirst();
  }

  #place(): void {
    const level = this.#level;
    if (!level || this.#editor.isDestroyed) return;
    const { view, state } = this.#editor;
    const isState = level.kind === "state";
    const { from, to } = (isState && markedScope(state)) || state.selection;
    const place = isState || !this.#proposed ? placeOf(view, from, to) : placeOfRange(this.#proposed.range);
    // The buttons at changes beside the selection stay in reach.
    const buttons = [...view.dom.querySelectorAll(".copydesk-controls button")];
    if (place)
      float(
        this.#panel,
        place,
        buttons.map((button) => button.getBoundingClientRect()),
      );
  }

  #drawActions({ of, isInner }: { of: readonly AgentAction[]; isInner: boolean }): void {
    const words = actionWords(this.#options.locale);
    const items = of.map((action) => {
      const { choices } = action;
      const { label, ...ask } = askOf(action, this.#options.locale);
      return item(
        label,
        () => (choices ? this.#go({ kind: "actions", of: choices, isInner: true }) : this.#ask({ ...ask, label })),
        !!choices,
      );
    });
    if (isInner) items.unshift(item(words.back, () => this.#back(), false, "copydesk-back"));
    else items.push(item(words.ask, () => this.#go({ kind: "field" }), true, "copydesk-ask"));
    items.forEach((one, at) => (one.tabIndex = at ? -1 : 0));
    this.#panel.replaceChildren(
      made(
        "div",
        "copydesk-menu",
        { role: "menu", "aria-label": words.menu, "aria-orientation": "horizontal" },
        ...items,
      ),
    );
  }

  #drawField(): void {
    const words = actionWords(this.#options.locale);
    const { selection } = this.#editor.state;
    const isHere = !this.#proposed && selection.empty;
    const field = made("input", "copydesk-field", {
      type: "text",
      "aria-label": isHere ? words.askHere : words.askLabel,
      placeholder: isHere ? words.placeholderHere : words.placeholder,
      maxlength: "2000",
    });
    const send = made("button", "copydesk-send", { type: "submit" }, words.send);
    const form = made("form", "copydesk-form", {}, field, send);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const instruction = field.value.trim();
      if (instruction) this.#ask({ instruction });
      else field.focus();
    });
    this.#panel.replaceChildren(form);
    // The browser does not show the selection while the field has the focus.
    if (!isHere && !this.#proposed) markScope(this.#editor, { from: selection.from, to: selection.to });
  }

  #drawState({ status, label, error, text }: AskState): void {
    const words = actionWords(this.#options.locale);
    const isRunning = status === "running";
    const said = isRunning
      ? words.working(label)
      : status === "done"
        ? answerText(text).trim() || words.unchanged
        : (error?.message ?? "");
    const button = made(
      "button",
      isRunning ? "copydesk-stop" : "copydesk-close",
      { type: "button" },
      isRunning ? words.stop : words.close,
    );
    if (isRunning) button.setAttribute("aria-keyshortcuts", "Escape");
    const press = () => {
      if (isRunning) this.#editor.commands.stopAgent();
      else this.#show(null);
      this.#editor.view.focus();
    };
    // The first press of a double click was on the button that is replaced by this one.
    button.addEventListener("click", onPress(press));
    const name = isRunning ? "copydesk-working" : error ? "copydesk-error" : "copydesk-answer";
    this.#panel.replaceChildren(
      made(
        "div",
        `copydesk-state ${name}`,
        { role: "group", "aria-label": words.menu },
        made("p", "copydesk-said", {}, said),
        button,
      ),
    );
  }

  #go(level: Level): void {
    this.#show(level);
    this.#focusFirst();
  }

  #back(): void {
    this.#go(this.#start(hasText(this.#editor.state)));
  }

  #focusFirst(): void {
    this.#panel.querySelector<HTMLElement>("input, button")?.focus();
  }

  #key(event: KeyboardEvent): void {
    // Enter and Escape belong to the input method.
    if (event.isComposing) return;
    const level = this.#level;
    const isDeep = level?.kind === "field" || (level?.kind === "actions" && level.isInner);
    const items = [...this.#panel.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(this.#focused as HTMLElement);
    const right = getComputedStyle(this.#panel).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: right, ArrowDown: 1, ArrowLeft: -right, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      if (isDeep) this.#back();
      else if (level?.kind === "state" && level.ask.status === "running") this.#editor.commands.stopAgent();
      else {
        this.#isDismissed = true;
        this.#show(null);
        this.#editor.view.focus();
      }
    } else if (at >= 0 && step) focusItem(items, (at + step + items.length) % items.length);
    else if (at >= 0 && event.key === "Home") focusItem(items, 0);
    else if (at >= 0 && event.key === "End") focusItem(items, items.length - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function focusItem(items: readonly HTMLElement[], at: number): void {
  items.forEach((one, index) => (one.tabIndex = index === at ? 0 : -1));
  items[at]?.focus();
}

function item(label: string, run: () => void, opens: boolean, className = ""): HTMLButtonElement {
  const button = made("button", `copydesk-action ${className}`.trim(), { type: "button", role: "menuitem" }, label);
  if (opens) button.setAttribute("aria-haspopup", className === "copydesk-ask" ? "dialog" : "menu");
  button.addEventListener("click", run);
  return button;
}
