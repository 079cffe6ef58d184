/** The formatting toolbar: one tab stop, arrow keys within. */
import type { Editor } from "@tiptap/core";
import { redoDepth, undoDepth } from "@tiptap/pm/history";
import type { Mark, Node } from "@tiptap/pm/model";
import type {} from "copydesk/suggestions";
import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { modKey } from "./dom";
import { moreMenu } from "./chat/menu";
import { imageButton } from "./content/open-button";
import { drawIn, keepSelection } from "./draw";
import { icon, type IconName } from "./icons";
import { linkTool } from "./link-form";
import type { Messages } from "./locale";

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

export function mountToolbar(bar: HTMLElement, page: Editor, { insertImages, find }: ToolbarOptions): void {
  /** The editor in which the user types. */
  const target = () => page.storage.suggestions?.suggesting ?? page;
  let at = activeOf(target());
  /** The index of the control that is the one tab stop. Arrow keys move within the toolbar. */
  let stop = 2;
  let index = 0;
  const tabIndex = () => (index++ === stop ? 0 : -1);
  const link = linkTool(target, () => draw());
  const searchTool: Tool = { name: (m) => m.find, icon: "search", keys: "F", run: find };
  const ofTable = tableItems.map(({ name, run }) => ({ name, run: () => run(target()) }));

  const button = (tool: Tool, m: Messages) => {
    const { sets, enabled, shown } = tool;
    const name = tool.name(m);
    return html`<button
      type="button"
      class="tool"
      aria-label=${name}
      title=${name + shortcut(tool.keys)}
      aria-pressed=${sets ? at.types.has(sets) : nothing}
      tabindex=${tabIndex()}
      ?disabled=${enabled?.(target()) === false}
      ?hidden=${shown?.(at) === false}
      @mousedown=${keepSelection}
      @click=${() => tool.run(target())}
    >
      ${face(tool.icon)}
    </button>`;
  };
  const styles = (m: Messages) => {
    const shown = at.level <= 3 ? at.level : 0;
    return html`<select
      class="tool-styles"
      aria-label=${m.textStyle}
      title=${m.textStyle}
      tabindex=${tabIndex()}
      @change=${styled}
    >
      ${m.styles.map((name, level) => html`<option value=${level} .selected=${live(level === shown)}>${name}</option>`)}
    </select>`;
  };
  /** The menu for rows and columns is there while the cursor is in a table. */
  const tableMenu = () =>
    moreMenu(ofTable, {
      icon: "table",
      name: (m) => m.rowsAndColumns,
      tabIndex: tabIndex(),
      isPressed: true,
      isHidden: !at.types.has("table"),
    });
  const gap = html`<span class="tool-gap"></span>`;
  const draw = drawIn(bar, (m) => {
    index = 0;
    return html`<div class="tools" @focusin=${focused} @keydown=${moved}>
      ${history.map((tool) => button(tool, m))} ${gap} ${styles(m)} ${gap} ${inline.map((tool) => button(tool, m))}
      ${link.button(m, at.types.has("link"), tabIndex())} ${imageButton(m, tabIndex(), insertImages)} ${gap}
      ${blocks.map((tool) => button(tool, m))} ${tableMenu()} ${gap} ${button(searchTool, m)}
    </div>`;
  });

  function styled({ currentTarget }: Event) {
    const level = Number((currentTarget as HTMLSelectElement).value);
    const chain = target().chain().focus();
    if (level === 0) chain.setParagraph().run();
    else chain.setHeading({ level: level as 1 | 2 | 3 }).run();
    // Not all text can be a heading.
    draw();
  }
  const controls = () => [...bar.querySelectorAll<HTMLElement>("button:not([role=menuitem]), select")];
  function focused({ target }: Event) {
    const found = controls().indexOf(target as HTMLElement);
    if (found < 0 || found === stop) return;
    stop = found;
    draw();
  }
  function moved(event: KeyboardEvent) {
    if (event.target instanceof Element && event.target.matches("[role=menuitem]")) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const usable = controls().filter((item) => !(item as HTMLButtonElement).disabled && !item.hidden);
    const now = usable.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    usable[(now + step + usable.length) % usable.length]?.focus();
  }

  /** The state of the selection that the toolbar shows. Most transactions do not change it. */
  const shownState = () => [at.level, ...at.types, ...history.map(({ enabled }) => enabled!(target()))].join(" ");
  let shown = shownState();
  const refresh = () => {
    at = activeOf(target());
    const now = shownState();
    if (now === shown) return;
    shown = now;
    draw();
  };
  const openLink = (event: KeyboardEvent) => {
    const isLink = event.key.toLowerCase() === "k" && !event.shiftKey && !event.altKey;
    if (!isLink || !(modKey === "⌘" ? event.metaKey : event.ctrlKey) || !page.isEditable) return;
    event.preventDefault();
    link.open();
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
}

function face(name: Tool["icon"]): TemplateResult {
  switch (name) {
    case "B":
      return html`<b class="letter">B</b>`;
    case "I":
      return html`<i class="letter">I</i>`;
    case "U":
      return html`<u class="letter">U</u>`;
    case "S":
      return html`<s class="letter">S</s>`;
    default:
      return icon(name);
  }
}

/** Returns the keys of a tool for its title. */
function shortcut(keys: string | undefined): string {
  if (!keys) return "";
  return modKey === "⌘" ? ` (⌘${keys})` : ` (Ctrl+${keys.replace("⇧", "Shift+")})`;
}
