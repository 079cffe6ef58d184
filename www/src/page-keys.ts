/** The keys of the page, wherever the focus is. */
import type { Editor } from "@tiptap/core";
import { openShortcuts } from "./dialog";
import { modKey } from "./dom";

interface KeysOptions {
  editor: Editor;
  isWorking: () => boolean;
  /** Stops the run. */
  stop: () => void;
  /** Shows the assistant, with the focus in it. */
  showAssistant: () => void;
}

export function listenToKeys({ editor, isWorking, stop, showAssistant }: KeysOptions): void {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open], :popover-open")) return;
    // Elements with trees of their own are the targets of what happens in them.
    const [target] = event.composedPath();
    const typing = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key === "Escape" && isWorking()) {
      event.preventDefault();
      stop();
    } else if (event.key === "/" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      if (editor.isFocused) showAssistant();
      else editor.commands.focus();
    } else if (event.key === "?" && !typing) {
      event.preventDefault();
      openShortcuts(modKey);
    }
  });
}
