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
    const run = event.isComposing ? undefined : commandOf(event);
    // The whole page is searched only for keys that do something.
    if (!run || document.querySelector("dialog[open], :popover-open")) return;
    event.preventDefault();
    run();
  });

  function commandOf(event: KeyboardEvent): (() => void) | undefined {
    // Elements with trees of their own are the targets of what happens in them.
    const [target] = event.composedPath();
    const typing = target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key === "Escape" && isWorking()) return stop;
    if (event.key === "/" && (event.metaKey || event.ctrlKey))
      return () => void (editor.isFocused ? showAssistant() : editor.commands.focus());
    return event.key === "?" && !typing ? () => openShortcuts(modKey) : undefined;
  }
}
