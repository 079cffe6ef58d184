/** The assistants that elements create for their editors. */

import type { Editor } from "@tiptap/core";
import { createAssistant, type Assistant } from "../assistant/controller.js";
import type { AssistantOptions } from "../assistant/state.js";

export interface OwnOptions extends Pick<AssistantOptions, "agent"> {
  storage: AssistantOptions["storage"] | undefined;
  models: AssistantOptions["models"] | undefined;
  readers: AssistantOptions["readers"] | undefined;
  /** Called when the element no longer has the assistant. */
  onLost: () => unknown;
}

/** The assistants whose element has left the page, or shows another editor. */
const waiting = new WeakMap<Editor, OwnAssistant>();

/** Returns the assistant that waits for an element of the editor, if its options are the same; otherwise creates one. */
export function ownAssistant(editor: Editor, options: OwnOptions): OwnAssistant {
  const found = waiting.get(editor);
  waiting.delete(editor);
  if (found?.takeOver(options)) return found;
  found?.dispose();
  return new OwnAssistant(editor, options);
}

/**
 * An assistant that belongs to its editor rather than to the element that shows it. Its run continues while the element is out
 * of the page, until the editor is destroyed or another assistant takes its place.
 */
export class OwnAssistant {
  readonly assistant: Assistant;

  constructor(
    readonly editor: Editor,
    private options: OwnOptions,
  ) {
    const agent = () => {
      const given = this.options.agent;
      return typeof given === "function" ? given() : given;
    };
    const { storage, models, readers } = options;
    this.assistant = createAssistant({ editor, agent, storage, models, readers });
    void this.assistant.prepare().catch((error: unknown) => console.warn(error));
  }

  /** Gives the assistant to another element. Returns false if that has other options. */
  takeOver(options: OwnOptions): boolean {
    const before = this.options;
    if ((["storage", "models", "readers"] as const).some((name) => before[name] !== options[name])) return false;
    before.onLost();
    this.options = options;
    this.assistant.renew();
    return true;
  }

  /** Its element has left the page or the editor, or is back. Only one assistant of an editor waits for an element. */
  setConnected(isConnected: boolean): void {
    const { editor } = this;
    const other = waiting.get(editor);
    if (isConnected && other === this) waiting.delete(editor);
    if (isConnected || other === this) return;
    other?.dispose();
    waiting.set(editor, this);
  }

  dispose(): void {
    if (waiting.get(this.editor) === this) waiting.delete(this.editor);
    this.options.onLost();
    this.assistant.dispose();
  }
}
