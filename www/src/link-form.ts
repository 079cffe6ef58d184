/** The form for the URL of a link, opened by a button of the toolbar or by a key. */
import type { Editor } from "@tiptap/core";
import { linkOf } from "copydesk/insert";
import { h, modKey, set } from "./dom";
import { icon } from "./icons";
import { localize } from "./locale";

export interface LinkTool {
  /** The button that opens the form. */
  opener: HTMLButtonElement;
  /** Opens the form for the selection. */
  open: () => void;
}

export function linkTool(target: () => Editor): LinkTool {
  const opener = h("button", { type: "button", class: "tool", "aria-expanded": "false" }, icon("link"));
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
  let byKey = false;
  localize((m) => {
    set(opener, { "aria-label": m.link, title: `${m.link} (${modKey}${modKey === "⌘" ? "" : "+"}K)` });
    set(url, { "aria-label": m.linkUrl });
    set(form, { "aria-label": m.link });
    apply.textContent = m.setLink;
    remove.textContent = m.removeLink;
    problem.textContent = m.invalidLink;
  });
  const show = (shown: boolean) => {
    form.hidden = !shown;
    problem.hidden = true;
    opener.setAttribute("aria-expanded", String(shown));
    if (!shown) return;
    place(form, byKey ? caretBox(target()) : opener.getBoundingClientRect());
    url.value = (target().getAttributes("link").href as string | undefined) ?? "";
    remove.hidden = !target().isActive("link");
    url.focus();
    url.select();
  };
  const open = (from: "key" | "button") => {
    byKey = from === "key";
    show(true);
  };
  opener.addEventListener("mousedown", (event) => event.preventDefault());
  opener.addEventListener("click", () => (form.hidden ? open("button") : show(false)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const href = linkOf(url.value);
    problem.hidden = href !== null;
    if (href === null) return url.focus();
    show(false);
    const editor = target();
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !editor.isActive("link")) {
      chain.insertContent({ type: "text", text: url.value.trim(), marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.extendMarkRange("link").setLink({ href }).run();
  });
  remove.addEventListener("click", () => {
    show(false);
    target().chain().focus().extendMarkRange("link").unsetLink().run();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
    if (byKey) target().commands.focus();
    else opener.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!form.hidden && event.target instanceof Node && !form.contains(event.target) && !opener.contains(event.target))
      show(false);
  });
  document.body.append(form);
  return { opener, open: () => open("key") };
}

/** Returns the edges of the line that the selection ends in. */
function caretBox({ view, state }: Editor): Pick<DOMRect, "left" | "bottom"> {
  return view.coordsAtPos(state.selection.to);
}

/** Puts the form below a box, inside of the window. */
function place(form: HTMLElement, { left, bottom }: Pick<DOMRect, "left" | "bottom">): void {
  const fits = (at: number, size: number, room: number) => Math.max(8, Math.min(at, room - size - 8));
  form.style.top = `${fits(bottom + 6, form.offsetHeight, innerHeight)}px`;
  form.style.left = `${fits(left, form.offsetWidth, innerWidth)}px`;
}
