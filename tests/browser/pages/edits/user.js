// A typing user whose every letter is unique.
import { Selection } from "@tiptap/pm/state";

/** Letters that no document of these tests contains: some form words, some are symbols. */
const LETTERS = [...range(0x1401, 0x15ff), ...range(0x5200, 0x53ff)];

function range(first, last) {
  return Array.from({ length: last - first }, (_, index) => String.fromCodePoint(first + index));
}

export class User {
  /** Letters typed and not deleted again. */
  alive = new Set();
  #random;
  #editor;
  #left;

  /** `share` of `of`: several users have disjoint letters. */
  constructor(random, editor, share = 0, of = 1) {
    this.#random = random;
    this.#editor = editor;
    this.#left = LETTERS.filter((_, index) => index % of === share);
  }

  /** Performs one action of a user. Returns its name. */
  act() {
    const acts = ["type", "type", "type", "type", "typeAtEdge", "takeBack", "enter", "join", "deleteOther", "bold"];
    const act = this.#random.pick(acts);
    this[act]();
    return act;
  }

  /** Performs one action that changes the structure. Returns its name. */
  restructure() {
    const at = this.#place();
    if (at === undefined) return "nothing";
    const { commands } = this.#editor;
    const acts = {
      splitBlock: () => commands.splitBlock(),
      enter: () => commands.keyboardShortcut("Enter"),
      joinBackward: () => (this.join(), true),
      bulletList: () => commands.toggleBulletList(),
      orderedList: () => commands.toggleOrderedList(),
      taskList: () => commands.toggleTaskList(),
      blockquote: () => commands.toggleBlockquote(),
      heading: () => commands.setNode("heading", { level: 3 }),
      paragraph: () => commands.setParagraph(),
      lift: () => commands.liftListItem("listItem") || commands.lift("blockquote"),
      sink: () => commands.sinkListItem("listItem"),
      paste: () => this.#editor.view.pasteHTML(this.#random.pick([`<p>${this.#letters()}</p>`, `<p>${this.#letters()}</p><ul><li>${this.#letters()}</li></ul>`, this.#letters()])),
      cut: () => {
        const to = this.#place();
        return commands.deleteRange({ from: Math.min(at, to), to: Math.max(at, to) });
      },
      undo: () => commands.undo(),
    };
    const act = this.#random.pick(Object.keys(acts));
    commands.setTextSelection(at);
    acts[act]();
    return act;
  }

  type() {
    const at = this.#place();
    if (at === undefined) return;
    const text = this.#letters();
    this.#editor.view.dispatch(this.#editor.state.tr.insertText(text, at));
  }

  /** Acts at the beginning or end of a block, where blocks are split and joined. */
  typeAtEdge() {
    const { node, start } = this.#block() ?? {};
    if (!node) return;
    this.#editor.view.dispatch(this.#editor.state.tr.insertText(this.#letters(), this.#random.chance(0.5) ? start : start + node.content.size));
  }

  takeBack() {
    const letter = this.#random.pick([...this.alive]);
    if (letter) this.#delete((text) => text.indexOf(letter));
    this.alive.delete(letter);
  }

  deleteOther() {
    const { node, start } = this.#block() ?? {};
    if (!node?.textContent) return;
    const offset = this.#random.below(node.content.size);
    const letter = this.#editor.state.doc.textBetween(start + offset, start + offset + 1);
    if (/^[a-z ]$/i.test(letter)) this.#editor.view.dispatch(this.#editor.state.tr.delete(start + offset, start + offset + 1));
  }

  enter() {
    const at = this.#place();
    if (at === undefined) return;
    this.#editor.commands.setTextSelection(at);
    this.#editor.commands.keyboardShortcut("Enter");
  }

  join() {
    const { start } = this.#block() ?? {};
    if (start === undefined) return;
    this.#editor.commands.setTextSelection(start);
    this.#editor.commands.joinBackward();
  }

  bold() {
    const [from, to] = [this.#place(), this.#place()].sort((a, b) => a - b);
    if (to === undefined) return;
    this.#editor.commands.setTextSelection({ from, to });
    this.#editor.commands.toggleBold();
  }

  /** Returns what is wrong: lost or duplicated letters, or an invalid selection. */
  wrong(editor = this.#editor) {
    const { doc, selection } = editor.state;
    const count = new Map();
    for (const letter of doc.textContent) count.set(letter, (count.get(letter) ?? 0) + 1);
    const lost = [...this.alive].filter((letter) => !count.has(letter));
    if (lost.length) return `lost ${lost.join("")} of ${[...this.alive].join("")}`;
    const again = [...this.alive].filter((letter) => count.get(letter) > 1);
    if (again.length) return `twice: ${again.join("")}`;
    doc.check();
    return Selection.fromJSON(doc, selection.toJSON()).eq(selection) ? undefined : "the selection is none";
  }

  #letters() {
    const text = this.#random.times(1, 3, () => this.#left.splice(this.#random.below(this.#left.length), 1)[0]).join("");
    for (const letter of text) this.alive.add(letter);
    return text;
  }

  #delete(find) {
    this.#editor.state.doc.descendants((node, position) => {
      const at = node.isText ? find(node.text) : -1;
      if (at >= 0) this.#editor.view.dispatch(this.#editor.state.tr.delete(position + at, position + at + 1));
      return at < 0;
    });
  }

  #block() {
    const blocks = [];
    this.#editor.state.doc.descendants((node, position) => void (node.isTextblock && blocks.push({ node, start: position + 1 })));
    return this.#random.pick(blocks);
  }

  #place() {
    const { node, start } = this.#block() ?? {};
    return node && start + this.#random.below(node.content.size + 1);
  }
}

const ALL = new Set(LETTERS);

/** Returns whether a text contains a typed letter. */
export const isTyped = (text) => [...text].some((letter) => ALL.has(letter));

/** Returns the typed letters of a text. */
export const typedIn = (text) => new Set([...text].filter((letter) => ALL.has(letter)));
