/** A quiet row of formatting over the page; one tab stop, arrow keys within. */
import type { Editor } from "@tiptap/core";
import { h, modKey, set } from "./dom";
import { icon, type IconName } from "./icons";
import { inWords, type Words } from "./words";

interface Tool {
  name: (words: Words) => string;
  face: IconName | "B" | "I";
  keys?: string;
  run: (editor: Editor) => void;
  active?: (editor: Editor) => boolean;
  enabled?: (editor: Editor) => boolean;
}

const history: Tool[] = [
  { name: (w) => w.undo, face: "undo", keys: "Z", run: (e) => e.chain().focus().undo().run(), enabled: (e) => e.can().undo() },
  { name: (w) => w.redo, face: "redo", keys: "⇧Z", run: (e) => e.chain().focus().redo().run(), enabled: (e) => e.can().redo() },
];
const inline: Tool[] = [
  { name: (w) => w.bold, face: "B", keys: "B", run: (e) => e.chain().focus().toggleBold().run(), active: (e) => e.isActive("bold") },
  { name: (w) => w.italic, face: "I", keys: "I", run: (e) => e.chain().focus().toggleItalic().run(), active: (e) => e.isActive("italic") },
];
const blocks: Tool[] = [
  { name: (w) => w.bullets, face: "bullets", run: (e) => e.chain().focus().toggleBulletList().run(), active: (e) => e.isActive("bulletList") },
  { name: (w) => w.numbers, face: "numbers", run: (e) => e.chain().focus().toggleOrderedList().run(), active: (e) => e.isActive("orderedList") },
  { name: (w) => w.tasks, face: "tasks", run: (e) => e.chain().focus().toggleTaskList().run(), active: (e) => e.isActive("taskList") },
  {
    name: (w) => w.table,
    face: "table",
    run: (e) => e.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    enabled: (e) => !e.isActive("table"),
  },
];

export function mountToolbar(bar: HTMLElement, editor: Editor): void {
  set(bar, { role: "toolbar" });
  const refreshers: (() => void)[] = [];

  function button(tool: Tool): HTMLButtonElement {
    const face = tool.face === "B" ? h("b", { class: "letter" }, "B") : tool.face === "I" ? h("i", { class: "letter" }, "I") : icon(tool.face);
    const element = h("button", { type: "button", class: "tool" }, face);
    element.addEventListener("click", () => tool.run(editor));
    // The selection in the page stays where it is.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    inWords((words) => {
      const keys = tool.keys ? ` (${modKey}${modKey === "⌘" ? "" : "+"}${modKey === "⌘" ? tool.keys : tool.keys.replace("⇧", "Shift+")})` : "";
      set(element, { "aria-label": tool.name(words), title: tool.name(words) + keys });
    });
    refreshers.push(() => {
      if (tool.active) element.setAttribute("aria-pressed", String(tool.active(editor)));
      if (tool.enabled) element.disabled = !tool.enabled(editor);
    });
    return element;
  }

  const styles = h("select", { class: "tool-styles" });
  inWords((words) => {
    set(styles, { "aria-label": words.textStyle, title: words.textStyle });
    const chosen = styles.value;
    styles.replaceChildren(...words.styles.map((name, level) => h("option", { value: level }, name)));
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
  inWords((words) => set(bar, { "aria-label": words.toolbar }));

  const refresh = () => refreshers.forEach((run) => run());
  editor.on("transaction", refresh);
  refresh();
  rove(bar);
}

/** A button that opens one field for the address of a link. */
function linkTool(editor: Editor, refreshers: (() => void)[]): HTMLElement {
  const open = h("button", { type: "button", class: "tool", "aria-expanded": "false" }, icon("link"));
  const address = h("input", { type: "text", inputmode: "url", placeholder: "https://", autocomplete: "off", spellcheck: "false" });
  const apply = h("button", { type: "submit", class: "button small" });
  const remove = h("button", { type: "button", class: "button plain small" });
  const form = h("form", { class: "link-form", hidden: true }, address, apply, remove);
  inWords((words) => {
    set(open, { "aria-label": words.link, title: words.link });
    set(address, { "aria-label": words.linkAddress });
    apply.textContent = words.setLink;
    remove.textContent = words.removeLink;
  });
  const show = (shown: boolean) => {
    form.hidden = !shown;
    open.setAttribute("aria-expanded", String(shown));
    if (!shown) return;
    const box = open.getBoundingClientRect();
    form.style.top = `${box.bottom + 6}px`;
    form.style.left = `${Math.max(8, Math.min(box.left, innerWidth - form.offsetWidth - 8))}px`;
    address.value = (editor.getAttributes("link").href as string | undefined) ?? "";
    remove.hidden = !editor.isActive("link");
    address.focus();
  };
  open.addEventListener("mousedown", (event) => event.preventDefault());
  open.addEventListener("click", () => show(!!form.hidden));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const href = address.value.trim();
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

/** One tab stop for the whole bar; left and right move within it. */
function rove(bar: HTMLElement): void {
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
