/** The form for the URL of a link, opened by a button of the toolbar or by a key. */
import type { Editor } from "@tiptap/core";
import { linkOf } from "copydesk/insert";
import { html, type TemplateResult } from "lit";
import { modKey } from "./dom";
import { drawIn, keepSelection } from "./draw";
import { icon } from "./icons";
import type { Messages } from "./locale";

export interface LinkTool {
  /** Returns the button that opens the form. */
  button: (m: Messages, isPressed: boolean, tabIndex: number) => TemplateResult;
  /** Opens the form for the selection. */
  open: () => void;
}

/** Returns the tool. `onToggle` is called when the form was opened or closed. */
export function linkTool(target: () => Editor, onToggle: () => void): LinkTool {
  const host = document.body.appendChild(document.createElement("div"));
  const isLink = () => target().isActive("link");
  let isShown = false;
  let isInvalid = false;
  let byKey = false;
  const draw = drawIn(
    host,
    (m) =>
      html`<form
        id="link-form"
        class="link-form"
        novalidate
        aria-label=${m.link}
        ?hidden=${!isShown}
        @submit=${submitted}
        @keydown=${escaped}
      >
        <input
          type="text"
          inputmode="url"
          placeholder="https://"
          autocomplete="off"
          spellcheck="false"
          aria-label=${m.linkUrl}
        />
        <button type="submit" class="button small">${m.setLink}</button>
        <button type="button" class="button plain small" ?hidden=${!isLink()} @click=${remove}>${m.removeLink}</button>
        <p class="field-problem" role="alert" ?hidden=${!isInvalid}>${m.invalidLink}</p>
      </form>`,
  );
  const [form, url] = [host.querySelector("form")!, host.querySelector("input")!];
  const opener = () => document.querySelector<HTMLElement>("[aria-controls=link-form]");
  const show = (shown: boolean) => {
    isShown = shown;
    isInvalid = false;
    draw();
    onToggle();
    if (!shown) return;
    const box = byKey ? caretBox(target()) : opener()?.getBoundingClientRect();
    if (box) place(form, box);
    url.value = (target().getAttributes("link").href as string | undefined) ?? "";
    url.focus();
    url.select();
  };
  const open = (from: "key" | "button") => {
    byKey = from === "key";
    show(true);
  };
  function submitted(event: Event) {
    event.preventDefault();
    const href = linkOf(url.value);
    isInvalid = href === null;
    draw();
    if (href === null) return url.focus();
    show(false);
    const editor = target();
    const chain = editor.chain().focus();
    if (editor.state.selection.empty && !editor.isActive("link")) {
      chain.insertContent({ type: "text", text: url.value.trim(), marks: [{ type: "link", attrs: { href } }] }).run();
    } else chain.extendMarkRange("link").setLink({ href }).run();
  }
  function remove() {
    show(false);
    target().chain().focus().extendMarkRange("link").unsetLink().run();
  }
  function escaped(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    show(false);
    if (byKey) target().commands.focus();
    else opener()?.focus();
  }
  document.addEventListener("pointerdown", ({ target }) => {
    if (isShown && target instanceof Node && !form.contains(target) && !opener()?.contains(target)) show(false);
  });
  const keys = `${modKey}${modKey === "⌘" ? "" : "+"}K`;
  return {
    button: (m, isPressed, tabIndex) =>
      html`<button
        type="button"
        class="tool"
        aria-controls="link-form"
        aria-expanded=${isShown}
        aria-pressed=${isPressed}
        aria-label=${m.link}
        title="${m.link} (${keys})"
        tabindex=${tabIndex}
        @mousedown=${keepSelection}
        @click=${() => (isShown ? show(false) : open("button"))}
      >
        ${icon("link")}
      </button>`,
    open: () => open("key"),
  };
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
