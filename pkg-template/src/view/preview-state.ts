/** The previews of unfinished calls in an editor. */

import type { Editor } from "@tiptap/core";
import { PluginKey } from "@tiptap/pm/state";
import type { DecorationSet } from "@tiptap/pm/view";

/** Its range in the document, and its element. */
export interface Shown {
  from: number;
  to: number;
  element: HTMLElement;
}

export interface PreviewState {
  shown: Shown | null;
  decorations: DecorationSet;
}

export const previewKey = new PluginKey<PreviewState>("copydeskPreview");

/** Returns the text that an agent is writing in an editor, and the range that it replaces; null if it writes none. */
export function writtenIn({ state }: Editor): { from: number; to: number; text: string } | null {
  const shown = previewKey.getState(state)?.shown;
  return shown ? { from: shown.from, to: shown.to, text: shown.element.textContent } : null;
}
