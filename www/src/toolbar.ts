/** The formatting toolbar: one tab stop, arrow keys within. */
import type { Editor } from "@tiptap/core";
import { h, modKey, set } from "./dom";
import { icon, type IconName } from "./icons";
import { localize, type Messages } from "./locale";

interface Tool {
  name: (m: Messages) => string;
  icon: IconName | "B" | "I";
  keys?: string;
  run: (editor: Editor) => void;
  active?: (editor: Editor) => boolean;
  enabled?: (editor: Editor) => boolean;
}

const history: Tool[] = [
  { name: (m) => m.undo, icon: "undo", keys: "Z", run: (e) => e.chain().focus().undo().run(), enabled: (e) => e.can().undo() },
  { name: (m) => m.redo, icon: "redo", keys: "⇧Z", run: (e) => e.chain().focus().redo().run(), enabled: (e) => e.can().redo() },
];
const inline: Tool[] = [
  { name: (m) => m.bold, icon: "B", keys: "B", run: (e) => e.chain().focus().toggleBold().run(), active: (e) => e.isActive("bold") },
  { name: (m) => m.italic, icon: "I", keys: "I", run: (e) => e.chain().focus().toggleItalic().run(), active: (e) => e.isActive("italic") },
];
const blocks: Tool[] = [
  { name: (m) => m.bullets, icon: "bullets", run: (e) => e.chain().focus().toggleBulletList().run(), active: (e) => e.isActive("bulletList") },
  { name: (m) => m.numbers, icon: "numbers", run: (e) => e.chain().focus().toggleOrderedList().run(), active: (e) => e.isActive("orderedList") },
  { name: (m) => m.tasks, icon: "tasks", run: (e) => e.chain().focus().toggleTaskList().run(), active: (e) => e.isActive("taskList") },
  {
    name: (m) => m.table,
    icon: "table",
    run: (e) => e.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    enabled: (e) => !e.isActive("table"),
  },
];

export function mountToolbar(bar: HTMLElement, editor: Editor): void {
  set(bar, { role: "toolbar" });
  const refreshers: (() => void)[] = [];

  function button(tool: Tool): HTMLButtonElement {
    const content = tool.icon === "B" ? h("b", { class: "letter" }, "B") : tool.icon === "I" ? h("i", { class: "letter" }, "I") : icon(tool.icon);
    const element = h("button", { type: "button", class: "tool" }, content);
    element.addEventListener("click", () => tool.run(editor));
    // Keeps the selection in the document.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    localize((m) => {
      const keys = tool.keys ? ` (${modKey}${modKey === "⌘" ? "" : "+"}${modKey === "⌘" ? tool.keys : tool.keys.replace("⇧", "Shift+")})` : "";
      set(element, { "aria-label": tool.name(m), title: tool.name(m) + keys });
    });
    refreshers.push(() => {
      if (tool.active) element.setAttribute("aria-pressed", String(tool.active(editor)));
      if (tool.enabled) element.disabled = !tool.enabled(editor);
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
      ...history.map(button), gap(), styles, gap(), ...inline.map(button), linkTool(editor, refreshers), gap(), ...blocks.map(button),
    ),
  );
  localize((m) => set(bar, { "aria-label": m.toolbar }));

  const refresh = () => refreshers.forEach((run) => run());
  editor.on("transaction", refresh);
  refresh();
  useRovingFocus(bar);
}

/** Creates a button that opens a field for the URL of a link. */
function linkTool(editor: Editor, refreshers: (() => void)[]): HTMLElement {
  const open = h("button", { type: "button", class: "tool", "aria-expanded": "false" }, icon("link"));
  const url = h("input", { type: "text", inputmode: "url", placeholder: "https://", autocomplete: "off", spellcheck: "false" });
  const apply = h("button", { type: "submit", class: "button small" });
  const remove = h("button", { type: "button", class: "button plain small" });
  const form = h("form", { class: "link-form", hidden: true }, url, apply, remove);
  localize((m) => {
    set(open, { "aria-label": m.link, title: m.link });
    set(url, { "aria-label": m.linkUrl });
    apply.textContent = m.setLink;
    remove.textContent = m.removeLink;
  });
  const show = (shown: boolean) => {
    form.hidden = !shown;
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
    const href = url.value.trim();
    show(false);
    if (!href) return;
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !editor.isActive("link")) {
      chain.insertContent({ type: "text", text: href, marks: [{ type: "link", attrs: { href } }] }).run();
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
    if (!form.hidden && event.target instanceof Node && !form.contains(event.target) && !open.contains(event.target)) show(false);
  });
  refreshers.push(() => open.setAttribute("aria-pressed", String(editor.isActive("link"))));
  document.body.append(form);
  return open;
}

/** Makes the toolbar one tab stop; the left and right arrow keys move within it. */
function useRovingFocus(bar: HTMLElement): void {
  const items = () => [...bar.querySelectorAll<HTMLElement>("button, select")];
  items().forEach((item, at) => (item.tabIndex = at === 2 ? 0 : -1));
  bar.addEventListener("focusin", (event) => {
    for (const item of items()) item.tabIndex = item === event.target ? 0 : -1;
  });
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const usable = items().filter((item) => !(item as HTMLButtonElement).disabled);
    const at = usable.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    usable[(at + step + usable.length) % usable.length]?.focus();
  });
}
