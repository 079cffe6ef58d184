/** The formatting toolbar: one tab stop, arrow keys within. */
import type { Editor } from "@tiptap/core";
import { h, modKey, set } from "./dom";
import { moreMenu } from "./chat/menu";
import { icon, type IconName } from "./icons";
import { localize, type Messages } from "./locale";

interface Tool {
  name: (m: Messages) => string;
  icon: IconName | "B" | "I";
  keys?: string;
  run: (editor: Editor) => void;
  active?: (editor: Editor) => boolean;
  enabled?: (editor: Editor) => boolean;
  shown?: (editor: Editor) => boolean;
}

const history: Tool[] = [
  {
    name: (m) => m.undo,
    icon: "undo",
    keys: "Z",
    run: (e) => e.chain().focus().undo().run(),
    enabled: (e) => e.can().undo(),
  },
  {
    name: (m) => m.redo,
    icon: "redo",
    keys: "⇧Z",
    run: (e) => e.chain().focus().redo().run(),
    enabled: (e) => e.can().redo(),
  },
];
const inline: Tool[] = [
  {
    name: (m) => m.bold,
    icon: "B",
    keys: "B",
    run: (e) => e.chain().focus().toggleBold().run(),
    active: (e) => e.isActive("bold"),
  },
  {
    name: (m) => m.italic,
    icon: "I",
    keys: "I",
    run: (e) => e.chain().focus().toggleItalic().run(),
    active: (e) => e.isActive("italic"),
  },
];
const blocks: Tool[] = [
  {
    name: (m) => m.bullets,
    icon: "bullets",
    run: (e) => e.chain().focus().toggleBulletList().run(),
    active: (e) => e.isActive("bulletList"),
  },
  {
    name: (m) => m.numbers,
    icon: "numbers",
    run: (e) => e.chain().focus().toggleOrderedList().run(),
    active: (e) => e.isActive("orderedList"),
  },
  {
    name: (m) => m.tasks,
    icon: "tasks",
    run: (e) => e.chain().focus().toggleTaskList().run(),
    active: (e) => e.isActive("taskList"),
  },
  {
    name: (m) => m.table,
    icon: "table",
    run: (e) => e.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    shown: (e) => !e.isActive("table"),
  },
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
}

export function mountToolbar(bar: HTMLElement, editor: Editor, { insertImages }: ToolbarOptions): void {
  set(bar, { role: "toolbar" });
  const refreshers: (() => void)[] = [];

  function button(tool: Tool): HTMLButtonElement {
    const content =
      tool.icon === "B"
        ? h("b", { class: "letter" }, "B")
        : tool.icon === "I"
          ? h("i", { class: "letter" }, "I")
          : icon(tool.icon);
    const element = h("button", { type: "button", class: "tool" }, content);
    element.addEventListener("click", () => tool.run(editor));
    // Keeps the selection in the document.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    localize((m) => {
      const keys = tool.keys
        ? ` (${modKey}${modKey === "⌘" ? "" : "+"}${modKey === "⌘" ? tool.keys : tool.keys.replace("⇧", "Shift+")})`
        : "";
      set(element, { "aria-label": tool.name(m), title: tool.name(m) + keys });
    });
    refreshers.push(() => {
      if (tool.active) element.setAttribute("aria-pressed", String(tool.active(editor)));
      if (tool.enabled) element.disabled = !tool.enabled(editor);
      if (tool.shown) element.hidden = !tool.shown(editor);
    });
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
    const chain = editor.chain().focus();
    if (level === 0) chain.setParagraph().run();
    else chain.setHeading({ level: level as 1 | 2 | 3 }).run();
  });
  refreshers.push(() => {
    const level = [1, 2, 3].find((candidate) => editor.isActive("heading", { level: candidate })) ?? 0;
    styles.value = String(level);
  });

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
      linkTool(editor, refreshers),
      imageTool(insertImages),
      gap(),
      ...blocks.map(button),
      tableMenu(editor, refreshers),
    ),
  );
  localize((m) => set(bar, { "aria-label": m.toolbar }));

  const refresh = () => refreshers.forEach((run) => run());
  editor.on("transaction", refresh);
  refresh();
  useRovingFocus(bar);
}

/** Creates a button that opens a picker for image files. */
function imageTool(insertImages: ToolbarOptions["insertImages"]): HTMLElement {
  const picker = h("input", { type: "file", accept: "image/*", multiple: true, hidden: true, tabindex: "-1" });
  const open = h("button", { type: "button", class: "tool" }, icon("image"));
  localize((m) => set(open, { "aria-label": m.image, title: m.image }));
  open.addEventListener("mousedown", (event) => event.preventDefault());
  open.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    insertImages([...(picker.files ?? [])]);
    picker.value = "";
  });
  document.body.append(picker);
  return open;
}

/** Creates the menu for rows and columns, which is shown while the cursor is in a table. */
function tableMenu(editor: Editor, refreshers: (() => void)[]): HTMLElement {
  const items = tableItems.map(({ name, run }) => ({ name, run: () => run(editor) }));
  const menu = moreMenu(items, { icon: "table", name: (m) => m.rowsAndColumns });
  const opener = menu.querySelector<HTMLButtonElement>("button")!;
  opener.setAttribute("aria-pressed", "true");
  refreshers.push(() => (opener.hidden = !editor.isActive("table")));
  return menu;
}

/** Returns the URL that a text means: without a scheme, a web or an e-mail address. Null if it is none of these. */
function linkOf(text: string): string | null {
  const given = text.trim();
  if (/^(https?:\/\/|mailto:|tel:)./i.test(given)) return URL.canParse(given) ? given : null;
  if (/^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/.test(given)) return `mailto:${given}`;
  const isHost = /^(localhost|[^\s/:.@]+(\.[^\s/:.@]+)+)(:\d+)?([/?#]\S*)?$/.test(given);
  return isHost && URL.canParse(`https://${given}`) ? `https://${given}` : null;
}

/** Creates a button that opens a field for the URL of a link. */
function linkTool(editor: Editor, refreshers: (() => void)[]): HTMLElement {
  const open = h("button", { type: "button", class: "tool", "aria-expanded": "false" }, icon("link"));
  const url = h("input", {
    type: "text",
    inputmode: "url",
    placeholder: "https://",
    autocomplete: "off",
    spellcheck: "false",
  });
  const apply = h("button", { type: "submit", class: "button small" });
  const remove = h("button", { type: "button", class: "button plain small" });
  const problem = h("p", { class: "field-problem", role: "alert", hidden: true });
  const form = h("form", { class: "link-form", novalidate: true, hidden: true }, url, apply, remove, problem);
  localize((m) => {
    set(open, { "aria-label": m.link, title: m.link });
    set(url, { "aria-label": m.linkUrl });
    apply.textContent = m.setLink;
    remove.textContent = m.removeLink;
    problem.textContent = m.invalidLink;
  });
  const show = (shown: boolean) => {
    form.hidden = !shown;
    problem.hidden = true;
    open.setAttribute("aria-expanded", String(shown));
    if (!shown) return;
    const box = open.getBoundingClientRect();
    form.style.top = `${box.bottom + 6}px`;
    form.style.left = `${Math.max(8, Math.min(box.left, innerWidth - form.offsetWidth - 8))}px`;
    url.value = (editor.getAttributes("link").href as string | undefined) ?? "";
    remove.hidden = !editor.isActive("link");
    url.focus();
  };
  open.addEventListener("mousedown", (event) => event.preventDefault());
  open.addEventListener("click", () => show(!!form.hidden));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const href = linkOf(url.value);
    problem.hidden = href !== null;
    if (href === null) return url.focus();
    show(false);
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !editor.isActive("link")) {
      chain.insertContent({ type: "text", text: url.value.trim(), marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.extendMarkRange("link").setLink({ href }).run();
  });
  remove.addEventListener("click", () => {
    show(false);
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
    open.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!form.hidden && event.target instanceof Node && !form.contains(event.target) && !open.contains(event.target))
      show(false);
  });
  refreshers.push(() => open.setAttribute("aria-pressed", String(editor.isActive("link"))));
  document.body.append(form);
  return open;
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
