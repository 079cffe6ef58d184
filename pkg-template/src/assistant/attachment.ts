/** Attachments of messages of the user. */

import type { ImageContent } from "copydesk";

/** `text` is a file or a pasted text, `file` a file of the workspace. */
export type AttachmentKind = "selection" | "section" | "file" | "text" | "image";

/** The content of an attachment, exactly as it is sent to the model. */
export interface AttachedContent {
  readonly kind: AttachmentKind;
  /** The name of a file, the title of a section, or the first words of a text. */
  readonly name: string;
  /** The text that the model reads, fenced as data. Empty for an image. */
  readonly text: string;
  readonly image?: ImageContent;
  /** Estimated; null as long as the wasm is not loaded. */
  readonly tokens: number | null;
}

/** An attachment of the next message. */
export interface Attachment extends AttachedContent {
  /** Unique in the page. */
  readonly id: string;
  /** One that has failed is not sent. */
  readonly state: "reading" | "ready" | "failed";
  /** Identifies a part of the document or of the workspace: a part that is attached again replaces its earlier reading. */
  readonly part?: string;
  readonly error?: AttachmentError;
}

/** The reason for a failed attachment, in the language of the agent. docs/ui.md lists the codes. */
export interface AttachmentError {
  readonly code: string;
  readonly message: string;
}

/** The source of an attachment: a file of the user's device, or a part of the document or of the workspace. */
export type AttachmentSource =
  File | AttachmentTarget | { readonly kind: "text"; readonly name?: string; readonly text: string };

/** A part of the document, or a file of the workspace. */
export type AttachmentTarget =
  | { readonly kind: "selection"; readonly name?: string }
  /** `number` is that of the outline, 0 for the content before the first section. */
  | { readonly kind: "section"; readonly number: number; readonly name?: string }
  | { readonly kind: "file"; readonly path: string; readonly name?: string };

/** Reads a kind of file that the package does not read by itself, as text. */
export interface AttachmentReader {
  accepts(file: File): boolean;
  /** Returns the text of the file. An error with a `code` is shown with its message. */
  read(file: File): Promise<string>;
}
