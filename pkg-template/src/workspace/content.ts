/** The content of text files: decoding, size and version. */

import type { Locale, TextEncoding } from "../types/index.js";
import { encodedAs, missingIn, textIn, type DecodedText } from "./encoding.js";
import { workspaceError } from "./error.js";

/** The bytes that a file may have. */
export const LARGEST_FILE = 10 * 1024 * 1024;

/** A text with what is stored beside it. */
export interface Content {
  readonly text: string;
  /** The version of the text in UTF-8, whatever the encoding. */
  readonly version: string;
  readonly size: number;
  /** Undefined for UTF-8, and for a text that has not been in a file. */
  readonly encoding?: TextEncoding | undefined;
}

const encoder = new TextEncoder();
/** The characters that an error names. */
const MOST_NAMED = 10;

/** Fails with `file_too_large` above the limit. */
export function checkSize(path: string, size: number, locale: Locale): void {
  if (size > LARGEST_FILE) throw workspaceError("file_too_large", { path, size, limit: LARGEST_FILE }, locale);
}

/** Returns a text as it is stored. Fails with `not_text` or `file_too_large`. */
export async function contentOf(path: string, text: string, locale: Locale): Promise<Content> {
  // What cannot be read again is not written.
  if (!text.isWellFormed() || text.includes("\0")) throw workspaceError("not_text", { path }, locale);
  // A unit has three bytes at most.
  if (text.length > LARGEST_FILE) checkSize(path, text.length, locale);
  const bytes = encoder.encode(text);
  checkSize(path, bytes.length, locale);
  return { text, version: await versionOf(bytes), size: bytes.length };
}

/** Returns the text of a file. Fails with `not_text` or `file_too_large`. */
export function decoded(path: string, bytes: Uint8Array, locale: Locale): DecodedText {
  checkSize(path, bytes.length, locale);
  const found = textIn(bytes);
  if (!found) throw workspaceError("not_text", { path }, locale);
  return found;
}

/**
 * Returns the bytes of a file that replaces the one with these bytes. Fails with `not_encodable` for characters that the
 * encoding does not have, and where it would change other bytes than those of changed text.
 */
export function encodedOver(
  path: string,
  text: string,
  encoding: TextEncoding,
  old: Uint8Array | undefined,
  locale: Locale,
): Uint8Array<ArrayBuffer> {
  const missing = missingIn(text, encoding);
  const before = old && encoding.startsWith("gb") ? textIn(old) : undefined;
  const isOther = before?.encoding === encoding && !areEqual(encodedAs(before.text, encoding), old as Uint8Array);
  if (missing.length || isOther) {
    const characters = missing.slice(0, MOST_NAMED).join(" ");
    throw workspaceError("not_encodable", { path, encoding, characters }, locale);
  }
  const bytes = encodedAs(text, encoding);
  checkSize(path, bytes.length, locale);
  return bytes;
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Returns the member that states an encoding other than UTF-8. */
export function encodingMember(encoding: TextEncoding | undefined): { encoding?: TextEncoding } {
  return encoding === undefined || encoding === "utf-8" ? {} : { encoding };
}

/** Returns the size of a text in bytes of UTF-8. */
export function sizeOf(text: string): number {
  return encoder.encode(text).length;
}

export function encoded(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** The first 16 hexadecimal digits of the SHA-256. */
export async function versionOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await sha256(bytes)).slice(0, 16);
}

/** Returns the SHA-256 in hexadecimal digits. Pages have it over HTTPS and on this machine. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = globalThis.crypto;
  if (!subtle) throw new Error("the browser has no crypto.subtle, because this page was not loaded by HTTPS");
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
