/** The attachments of the next message, whose module is loaded with the first one. */

import type { Message } from "copydesk";
import { guarded, whenAllLoaded } from "../document/calls.js";
import type { AttachedContent, Attachment, AttachmentSource, AttachmentTarget } from "./attachment.js";
import type { AttachmentHost, AttachmentKit } from "./attachments.js";
import { newId } from "./ids.js";
import { sectionsOf } from "./sections.js";
import type { OutgoingMessage } from "./session.js";

type Module = typeof import("./attachments.js");

const kit: AttachmentKit = { guarded, whenAllLoaded, sectionsOf };

export class MessageAttachments {
  #module: Module | undefined;
  #loading: Promise<Module> | undefined;

  /** `host` returns what attachments need of the assistant at the moment. */
  constructor(private host: () => Omit<AttachmentHost, keyof AttachmentKit>) {}

  /** True once the module is loaded. */
  get isLoaded(): boolean {
    return this.#module !== undefined;
  }

  /** Loads the module. A later call tries again after a failure. */
  async load(): Promise<Module> {
    // One promise, so that attachments stay in order.
    this.#loading ??= import("./attachments.js");
    try {
      return (this.#module = await this.#loading);
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  /** Reads attachments. Resolves when all are ready or have failed. */
  async attach(sources: readonly AttachmentSource[]): Promise<void> {
    const { attach } = await this.load();
    await attach({ ...kit, ...this.host() }, sources);
  }

  detach(id: string): void {
    const { current, set } = this.host();
    set(current().filter((attachment) => attachment.id !== id));
  }

  /** Returns the targets that can be attached at the moment. */
  async targets(): Promise<AttachmentTarget[]> {
    const { targetsOf } = await this.load();
    const { editor, workspace } = this.host();
    return targetsOf(kit, editor, workspace);
  }

  /** Returns the attachments that are sent with the next message, and removes them with those that have failed. */
  take(): AttachedContent[] {
    const { current, set } = this.host();
    const all = current();
    if (all.length) set(all.filter(({ state }) => state === "reading"));
    return all.filter(({ state }) => state === "ready").map(sent);
  }

  /** Attaches the attachments of messages that were not sent to the next one. */
  giveBack(contents: readonly AttachedContent[]): void {
    const { current, set } = this.host();
    if (!contents.length) return;
    set([...contents.map((one) => ({ ...one, id: newId(), state: "ready" as const })), ...current()]);
  }

  /** Returns the messages that a message is sent as. The module must be loaded if there are attachments. */
  messagesOf({ text, attachments }: OutgoingMessage): Message[] {
    if (!attachments.length) return [{ role: "user", content: text }];
    return this.#module!.messagesOf(kit, text, attachments, this.host().locale);
  }
}

/** Returns an attachment as it is sent and kept. */
function sent({ kind, name, text, image, tokens }: Attachment): AttachedContent {
  return { kind, name, text, tokens, ...(image ? { image } : {}) };
}
