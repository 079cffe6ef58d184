/** The menu that opens when the user types a slash in an empty paragraph. The focus stays in the text. */

import type { Editor } from "@tiptap/core";
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { localeOf } from "../base/locale.js";
import { possible, type SlashBlock } from "./blocks.js";
import { float, made, onMove, placeOf } from "./floating.js";
import { askOf, type AgentAction } from "./ready.js";
import { actionWords, textIn } from "./words.js";

export interface SlashOptions {
  /** Returns the actions for the present cursor. */
  actions: () => readonly AgentAction[];
  blocks: readonly SlashBlock[];
  locale: string | undefined;
}

/** The open menu: the position of the slash, the text behind it, and the index of the active option. */
interface SlashState {
  from: number;
  /** The assistant can be asked. */
  canAsk: boolean;
  query: string;
  active: number;
}

/** A change of the state: opens the menu, closes it, or makes another option the active one. */
type SlashChange = { open: number; canAsk: boolean } | { close: true } | { active: number };

/** Milliseconds after an IME composition in which a slash belongs to it: browsers may report it late. */
const COMPOSED = 100;
const LONGEST = 200;

const key = new PluginKey<SlashState | null>("copydeskSlash");
let menus = 0;

/** An option: an action, the user's own request, or a block. */
type Option = { label: string; instruction: string } | { label: string; block: SlashBlock };

export function slashPlugin(editor: Editor, options: SlashOptions): Plugin<SlashState | null> {
  const id = `copydesk-slash-${++menus}`;
  let composedAt = -COMPOSED;
  const blocks = () => possible(options.blocks, editor);
  const optionsFor = (state: SlashState) => optionsOf({ ...options, blocks: blocks() }, state);
  const send = (view: EditorView, change: SlashChange) =>
    view.dispatch(view.state.tr.setMeta(key, change).setMeta("addToHistory", false));
  const choose = (view: EditorView, at: number) => {
    const state = key.getState(view.state);
    const option = state && optionsFor(state)[at];
    if (!option) return;
    const range = { from: state.from, to: state.from + 1 + state.query.length };
    if ("block" in option) {
      // One undo step takes back the block and the slash.
      const closed = editor
        .chain()
        .focus()
        .deleteRange(range)
        .command(({ tr }) => !!tr.setMeta(key, { close: true }));
      option.block.make(closed).run();
      return;
    }
    view.dispatch(view.state.tr.delete(range.from, range.to).setMeta(key, { close: true }));
    view.focus();
    editor.commands.askAgent(option);
  };
  return new Plugin<SlashState | null>({
    key,
    state: { init: () => null, apply: (tr, before) => next(tr, before, optionsFor) },
    props: {
      handleTextInput(view, from, to, text) {
        const isTyped = text === "/" && from === to && !view.composing && performance.now() - composedAt >= COMPOSED;
        const { parent } = view.state.doc.resolve(from);
        if (!isTyped || parent.content.size > 0 || !parent.isTextblock || parent.type.spec.code) return false;
        const canAsk = editor.can().askAgent({ instruction: "?" });
        if (!canAsk && !blocks().length) return false;
        view.dispatch(view.state.tr.insertText("/", from).setMeta(key, { open: from, canAsk }));
        return true;
      },
      handleKeyDown(view, event) {
        const state = key.getState(view.state);
        if (!state || view.composing || event.isComposing) return false;
        const count = optionsFor(state).length;
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (event.key === "Escape") send(view, { close: true });
        else if (!count || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
        else if (step) send(view, { active: (state.active + step + count) % count });
        else if (event.key === "Enter" || event.key === "Tab") choose(view, state.active);
        else return false;
        return true;
      },
      handleDOMEvents: {
        compositionend() {
          composedAt = performance.now();
          return false;
        },
        blur(view) {
          if (key.getState(view.state)) send(view, { close: true });
          return false;
        },
      },
      attributes(state): Record<string, string> {
        const open = key.getState(state);
        if (!open || !optionsFor(open).length) return {};
        return { "aria-controls": id, "aria-activedescendant": `${id}-${open.active}`, "aria-autocomplete": "list" };
      },
    },
    view: (view) => new SlashView(view, id, options, optionsFor, choose),
  });
}

function next(
  tr: Transaction,
  before: SlashState | null,
  optionsFor: (state: SlashState) => readonly Option[],
): SlashState | null {
  const change = tr.getMeta(key) as SlashChange | undefined;
  if (change && "close" in change) return null;
  if (change && "open" in change) return { from: change.open, canAsk: change.canAsk, query: "", active: 0 };
  if (!before) return null;
  if (change) return { ...before, active: change.active };
  const from = tr.mapping.map(before.from, -1);
  const { $from, empty } = tr.selection;
  const start = $from.start();
  // The slash has to be where it was, the cursor behind it, and nothing else in the paragraph.
  if (!empty || !$from.parent.isTextblock || start !== from || $from.pos !== $from.end()) return null;
  const text = $from.parent.textContent;
  if (!text.startsWith("/") || text.length !== $from.parent.content.size || text.length > LONGEST) return null;
  const query = text.slice(1);
  const now = { ...before, from, query, active: query === before.query ? before.active : 0 };
  // After "/ " the user writes a text, unless there is something to choose.
  return query.startsWith(" ") || !optionsFor(now).length ? null : now;
}

/** Returns the actions and blocks that a text behind the slash finds, and the text itself as a request. */
function optionsOf({ actions, blocks, locale }: SlashOptions, { query, canAsk }: SlashState): Option[] {
  const wanted = query.trim().toLowerCase();
  const isFound = ({ id, label, keywords = [] }: Pick<AgentAction, "id" | "label" | "keywords">) =>
    [id, ...Object.values(label), textIn(label, "label", id, locale), ...keywords].some((text = "") => {
      const words = text.toLowerCase();
      return words.split(/[\s-]+/).some((word) => word.startsWith(wanted)) || words.includes(wanted);
    });
  const found: Option[] = actions()
    .filter(({ target }) => canAsk && target === "cursor")
    .filter(isFound)
    .map((action) => {
      const { label, instruction } = askOf(action, locale);
      return { label, instruction };
    });
  for (const block of blocks.filter(isFound))
    found.push({ label: textIn(block.label, "label", block.id, locale), block });
  if (wanted && canAsk) found.push({ label: actionWords(locale).askFor(query.trim()), instruction: query.trim() });
  return found;
}

class SlashView {
  readonly #list: HTMLElement;
  readonly #release: () => void;

  constructor(
    private readonly view: EditorView,
    private readonly id: string,
    private readonly options: SlashOptions,
    private readonly optionsFor: (state: SlashState) => readonly Option[],
    private readonly choose: (view: EditorView, at: number) => void,
  ) {
    this.#list = made("div", "copydesk-actions copydesk-slash", { id, role: "listbox", hidden: "" });
    // Keeps the focus in the text.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#release = onMove(() => this.#place());
  }

  update(view: EditorView, before: EditorState): void {
    const state = key.getState(view.state) ?? null;
    if (state === (key.getState(before) ?? null)) return;
    const { parentElement } = view.dom;
    if (this.#list.parentElement !== parentElement) parentElement?.append(this.#list);
    this.#list.hidden = !state;
    if (!state) return this.#list.replaceChildren();
    const words = actionWords(this.options.locale);
    this.#list.lang = localeOf(this.options.locale);
    const all = this.optionsFor(state);
    this.#list.setAttribute("aria-label", all.some((option) => "block" in option) ? words.slashOrInsert : words.slash);
    const items = all.map((option, at) => {
      const isActive = at === state.active;
      const item = made(
        "div",
        `copydesk-action ${"block" in option ? "copydesk-insert" : ""}`.trim(),
        { id: `${this.id}-${at}`, role: "option", "aria-selected": String(isActive) },
        option.label,
      );
      item.addEventListener("click", () => this.choose(view, at));
      return item;
    });
    this.#list.replaceChildren(...items);
    items[state.active]?.scrollIntoView?.({ block: "nearest" });
    this.#place();
  }

  destroy(): void {
    this.#release();
    this.#list.remove();
  }

  #place(): void {
    const state = key.getState(this.view.state);
    const place = state && placeOf(this.view, state.from, state.from);
    if (place) float(this.#list, place);
  }
}
