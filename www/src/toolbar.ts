/** The formatting toolbar: one tab stop, arrow keys within. */
import type { Editor } from "@tiptap/core";
import { redoDepth, undoDepth } from "@tiptap/pm/history";
import type { Mark, Node } from "@tiptap/pm/model";
import type {} from "copydesk/suggestions";
import { h, modKey, set } from "./dom";
import { moreMenu } from "./chat/menu";
import { imageButton } from "./content/open-button";
import { icon, type IconName } from "./icons";
import { linkTool } from "./link-form";
import { localize, type Messages } from "./locale";

interface Tool {
  name: (m: Messages) => string;
  icon: IconName | "B" | "I" | "U" | "S";
  keys?: string;
  run: (editor: Editor) => void;
  /** The mark or node that the tool sets. */
  sets?: string;
  enabled?: (editor: Editor) => boolean;
  shown?: (at: Active) => boolean;
}

/** The names of tools in the messages. */
type Name = { [Key in keyof Messages]: Messages[Key] extends string ? Key : never }[keyof Messages];
type Chain = ReturnType<ReturnType<Editor["chain"]>["focus"]>;

/** Returns a tool that runs commands in the focused editor. */
function tool(name: Name, icon: Tool["icon"], keys: string, run: (chain: Chain) => Chain, more?: Partial<Tool>): Tool {
  return { name: (m) => m[name], icon, keys, run: (editor) => run(editor.chain().focus()).run(), ...more };
}

/** A tool of the history is enabled while there are steps. That of a room is Yjs'. */
const ofSteps = (command: "undo" | "redo", depth: typeof undoDepth): Partial<Tool> => ({
  enabled: (e) => (e.storage.suggestions ? e.can()[command]() : depth(e.state) > 0),
});

const history: Tool[] = [
  tool("undo", "undo", "Z", (e) => e.undo(), ofSteps("undo", undoDepth)),
  tool("redo", "redo", "⇧Z", (e) => e.redo(), ofSteps("redo", redoDepth)),
];
const inline: Tool[] = [
  tool("bold", "B", "B", (e) => e.toggleBold(), { sets: "bold" }),
  tool("italic", "I", "I", (e) => e.toggleItalic(), { sets: "italic" }),
  tool("underline", "U", "U", (e) => e.toggleUnderline(), { sets: "underline" }),
  tool("strike", "S", "⇧S", (e) => e.toggleStrike(), { sets: "strike" }),
  tool("code", "code", "E", (e) => e.toggleCode(), { sets: "code" }),
];
const blocks: Tool[] = [
  tool("bullets", "bullets", "⇧8", (e) => e.toggleBulletList(), { sets: "bulletList" }),
  tool("numbers", "numbers", "⇧7", (e) => e.toggleOrderedList(), { sets: "orderedList" }),
  tool("tasks", "tasks", "⇧9", (e) => e.toggleTaskList(), { sets: "taskList" }),
  tool("quote", "quote", "⇧B", (e) => e.toggleBlockquote(), { sets: "blockquote" }),
  tool("codeBlock", "codeBlock", "", (e) => e.toggleCodeBlock(), { sets: "codeBlock" }),
  tool("divider", "divider", "", (e) => e.setHorizontalRule()),
  tool("table", "table", "", (e) => e.insertTable({ rows: 3, cols: 3, withHeaderRow: true }), {
    shown: ({ types }) => !types.has("table"),
  }),
];

/** Changes of the table that the cursor is in. */
const tableItems: { name: (m: Messages) => string; run: (editor: Editor) => void }[] = [
  { name: (m) => m.rowAbove, run: (e) => e.chain().focus().addRowBefore().run() },
  { name: (m) => m.rowBelow, run: (e) => e.chain().focus().addRowAfter().run() },
  { name: (m) => m.columnBefore, run: (e) => e.chain().focus().addColumnBefore().run() },
  { name: (m) => m.columnAfter, run: (e) => e.chain().focus().addColumnAfter().run() },
  { name: (m) => m.headerRow, run: (e) => e.chain().focus().toggleHeaderRow().run() },
  { name: (m) => m.deleteRow, run: (e) => e.chain().focus().deleteRow().run() },
  { name: (m) => m.deleteColumn, run: (e) => e.chain().focus().deleteColumn().run() },
  { name: (m) => m.deleteTable, run: (e) => e.chain().focus().deleteTable().run() },
];

export interface ToolbarOptions {
  /** Inserts image files at the selection. */
  insertImages: (files: File[]) => void;
  /** Opens the search in the document. */
  find: () => void;
}

/** The marks and nodes at the selection. */
interface Active {
  types: ReadonlySet<string>;
  /** The level of the heading at the start of the selection; 0 for other text. */
  level: number;
}

/** Returns the nodes around the start of the selection, and the marks of all of its text. */
function activeOf({ state }: Editor): Active {
  const { selection, storedMarks, doc } = state;
  const { $from, from, to, empty } = selection;
  const types = new Set<string>();
  for (let depth = $from.depth; depth > 0; depth--) types.add($from.node(depth).type.name);
  for (const mark of empty ? (storedMarks ?? $from.marks()) : marksBetween(doc, from, to)) types.add(mark.type.name);
  const { parent } = $from;
  return { types, level: parent.type.name === "heading" ? Number(parent.attrs.level) : 0 };
}

/** Returns the marks that all text of a range has. The text behind the first without marks is not looked at. */
function marksBetween(doc: Node, from: number, to: number): readonly Mark[] {
  let common: readonly Mark[] | null = null;
  doc.nodesBetween(from, to, (node) => {
    if (common?.length === 0) return false;
    if (!node.isText) return true;
    common = common ? common.filter(({ type }) => type.isInSet(node.marks)) : node.marks;
    return false;
  });
  return common ?? [];
}

/** Changes an element when a value is another one than before. */
type Refresher = (at: Active) => void;
function refresher<T>(read: (at: Active) => T, write: (value: T) => void): Refresher {
  let shown: T | undefined;
  return (at) => {
    const value = read(at);
    if (value === shown) return;
    shown = value;
    write(value);
  };
}

export function mountToolbar(bar: HTMLElement, page: Editor, { insertImages, find }: ToolbarOptions): void {
  set(bar, { role: "toolbar" });
  const refreshers: Refresher[] = [];
  /** The editor in which the user types. */
  const target = () => page.storage.suggestions?.suggesting ?? page;

  function button(tool: Tool): HTMLButtonElement {
    const { sets, enabled, shown } = tool;
    const element = h("button", { type: "button", class: "tool" }, face(tool.icon));
    element.addEventListener("click", () => tool.run(target()));
    // Keeps the selection in the document.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    localize((m) => set(element, { "aria-label": tool.name(m), title: tool.name(m) + shortcut(tool.keys) }));
    if (sets)
      refreshers.push(
        refresher(
          ({ types }) => types.has(sets),
          (active) => element.setAttribute("aria-pressed", String(active)),
        ),
      );
    if (enabled)
      refreshers.push(
        refresher(
          () => enabled(target()),
          (usable) => (element.disabled = !usable),
        ),
      );
    if (shown) refreshers.push(refresher(shown, (visible) => (element.hidden = !visible)));
    return element;
  }

  const styles = h("select", { class: "tool-styles" });
  localize((m) => {
    set(styles, { "aria-label": m.textStyle, title: m.textStyle });
    const chosen = styles.value;
    styles.replaceChildren(...m.styles.map((name, level) => h("option", { value: level }, name)));
    styles.value = chosen || "0";
  });
  styles.addEventListener("change", () => {
    const level = Number(styles.value);
    const chain = target().chain().focus();
    if (level === 0) chain.setParagraph().run();
    else chain.setHeading({ level: level as 1 | 2 | 3 }).run();
  });
  refreshers.push(
    refresher(
      ({ level }) => (level <= 3 ? level : 0),
      (level) => (styles.value = String(level)),
    ),
  );

  const link = linkTool(target);
  refreshers.push(
    refresher(
      ({ types }) => types.has("link"),
      (active) => link.opener.setAttribute("aria-pressed", String(active)),
    ),
  );
  const openLink = (event: KeyboardEvent) => {
    const isLink = event.key.toLowerCase() === "k" && !event.shiftKey && !event.altKey;
    if (!isLink || !(modKey === "⌘" ? event.metaKey : event.ctrlKey) || !page.isEditable) return;
    event.preventDefault();
    link.open();
  };
  const gap = () => h("span", { class: "tool-gap" });
  bar.append(
    h(
      "div",
      { class: "tools" },
      ...history.map(button),
      gap(),
      styles,
      gap(),
      ...inline.map(button),
      link.opener,
      imageButton(insertImages),
      gap(),
      ...blocks.map(button),
      tableMenu(target, refreshers),
      gap(),
      button({ name: (m) => m.find, icon: "search", keys: "F", run: find }),
    ),
  );
  localize((m) => set(bar, { "aria-label": m.toolbar }));

  const refresh = () => {
    const at = activeOf(target());
    for (const run of refreshers) run(at);
  };
  const follow = (editor: Editor) => {
    editor.on("transaction", refresh);
    editor.view.dom.addEventListener("keydown", openLink);
  };
  follow(page);
  page.on("suggestingChange", ({ suggesting }) => {
    if (suggesting) follow(suggesting);
    refresh();
  });
  refresh();
  useRovingFocus(bar);
}

function face(name: Tool["icon"]): Element {
  switch (name) {
    case "B":
      return h("b", { class: "letter" }, "B");
    case "I":
      return h("i", { class: "letter" }, "I");
    case "U":
      return h("u", { class: "letter" }, "U");
    case "S":
      return h("s", { class: "letter" }, "S");
    default:
      return icon(name);
  }
}

/** Returns the keys of a tool for its title. */
function shortcut(keys: string | undefined): string {
  if (!keys) return "";
  return modKey === "⌘" ? ` (⌘${keys})` : ` (Ctrl+${keys.replace("⇧", "Shift+")})`;
}

/** Creates the menu for rows and columns, which is shown while the cursor is in a table. */
function tableMenu(target: () => Editor, refreshers: Refresher[]): HTMLElement {
  const items = tableItems.map(({ name, run }) => ({ name, run: () => run(target()) }));
  const menu = moreMenu(items, { icon: "table", name: (m) => m.rowsAndColumns });
  const opener = menu.querySelector<HTMLButtonElement>("button")!;
  opener.setAttribute("aria-pressed", "true");
  refreshers.push(
    refresher(
      ({ types }) => types.has("table"),
      (inTable) => (opener.hidden = !inTable),
    ),
  );
  return menu;
}

/** Makes the toolbar one tab stop; the left and right arrow keys move within it. */
function useRovingFocus(bar: HTMLElement): void {
  const items = () => [...bar.querySelectorAll<HTMLElement>("button:not([role=menuitem]), select")];
  items().forEach((item, at) => (item.tabIndex = at === 2 ? 0 : -1));
  bar.addEventListener("focusin", (event) => {
    for (const item of items()) item.tabIndex = item === event.target ? 0 : -1;
  });
  bar.addEventListener("keydown", (event) => {
    if (event.target instanceof Element && event.target.matches("[role=menuitem]")) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const usable = items().filter((item) => !(item as HTMLButtonElement).disabled && !item.hidden);
    const at = usable.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    usable[(at + step + usable.length) % usable.length]?.focus();
  });
}
