/** The forms in which a block is written again. */

import type { HTMLUse } from "./to-mdast.js";

/** A form of a block. */
export interface Form {
  html: HTMLUse;
  /** Keeps character references beside emphasis. */
  keepsReferences: boolean;
  /** Refers to the file's definitions. */
  usesDefinitions: boolean;
  /** Writes every URL that is its own link as text. */
  hasBareURLs?: boolean;
  /** Writes text, or also blocks, that the file has with its source. */
  usesSource?: "text" | "blocks";
}

/** The forms of a block, the plainest first. A definition can be in a block that is gone. */
export const FORMS: readonly Form[] = [
  { html: "needed", keepsReferences: false, usesDefinitions: true, usesSource: "blocks" },
  { html: "needed", keepsReferences: false, usesDefinitions: true, usesSource: "text" },
  { html: "needed", keepsReferences: false, usesDefinitions: true },
  { html: "needed", keepsReferences: true, usesDefinitions: true },
  { html: "needed", keepsReferences: true, usesDefinitions: false },
  { html: "emphasis", keepsReferences: true, usesDefinitions: false },
];

/** The form in which blocks are compared: an editor makes links of URLs when it opens them. */
export const COMPARED: Form = { html: "needed", keepsReferences: false, usesDefinitions: true, hasBareURLs: true };
