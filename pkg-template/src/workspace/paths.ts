/** The rules of paths, the same for all workspaces, so that a project can move between them and between machines. */

import type { CopydeskError } from "../base/error.js";
import type { Locale } from "../types/index.js";
import { reasonIn, workspaceError, type Reason } from "./error.js";

const encoder = new TextEncoder();
/** Bytes of UTF-8 that a path may have. */
const LONGEST_PATH = 1024;
/** Bytes of UTF-8 that a part may have; most file systems allow 255. */
const LONGEST_PART = 240;

/** Control characters, and those by which a name can be shown in another order than it is stored. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;
/** Characters that Windows refuses in names. */
const REFUSED = /[<>:"|?*\\]/;
/** Names that Windows gives to devices, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?= *(?:\.|$))/i;

/**
 * Returns a path in its stored form (NFC).
 *
 * @throws CopydeskError `invalid_path` with the reason.
 */
export function checkedPath(given: unknown, locale: Locale): string {
  const path = typeof given === "string" ? given.normalize("NFC") : given;
  const reason = faultOf(path);
  if (!reason) return path as string;
  const shown = typeof given === "string" ? given.toWellFormed().slice(0, 200) : String(given);
  const details = { path: shown, reason: reasonIn(locale, reason) };
  throw workspaceError("invalid_path", details, locale);
}

/** Returns whether a path is valid and in its stored form. */
export function isPath(path: string): boolean {
  return !faultOf(path);
}

function faultOf(path: unknown): Reason | undefined {
  if (typeof path !== "string") return (reasons) => reasons.notText;
  if (!path) return (reasons) => reasons.empty;
  if (!path.isWellFormed()) return (reasons) => reasons.halfCharacter;
  if (path.startsWith("/")) return (reasons) => reasons.absolute;
  if (/^[a-z]:/i.test(path)) return (reasons) => reasons.drive;
  if (encoder.encode(path).length > LONGEST_PATH) return (reasons) => reasons.long(LONGEST_PATH);
  const parts = path.split("/");
  // The one folder with a dot that belongs to the text of a project: rules for the agent.
  for (const part of parts[0] === ".rules" ? parts.slice(1) : parts) {
    const fault = faultOfPart(part);
    if (fault) return fault;
  }
  return undefined;
}

function faultOfPart(part: string): Reason | undefined {
  if (!part) return (reasons) => reasons.emptyPart;
  if (part === "." || part === "..") return (reasons) => reasons.containsPart(part);
  // Settings, keys and the data of other programs: `.git`, `.env`, and the history of workspaces itself.
  if (part.startsWith(".")) return (reasons) => reasons.dotFirst(part);
  if (UNSEEN.test(part)) return (reasons) => reasons.control;
  const refused = REFUSED.exec(part)?.[0];
  if (refused) return (reasons) => reasons.contains(refused);
  if (/[. ]$/.test(part)) return (reasons) => reasons.dotLast(part);
  if (part.startsWith(" ")) return (reasons) => reasons.spaceFirst;
  if (DEVICE.test(part)) return (reasons) => reasons.device(part);
  if (encoder.encode(part).length > LONGEST_PART) return (reasons) => reasons.longPart(LONGEST_PART);
  return undefined;
}

/**
 * Returns the path of a stored name in a folder, whose path ends with `/` or is empty; undefined for a name that no path
 * leads to.
 */
export function pathOf(folder: string, stored: string): string | undefined {
  const name = stored.normalize("NFC");
  if (name !== stored && !hasOtherForms(name)) return undefined;
  const path = folder + name;
  return isPath(path) ? path : undefined;
}

/** Returns the error of a stored name that no path leads to; undefined for one that begins with a dot. */
export function oddNameError(path: string, locale: Locale): CopydeskError | undefined {
  if (path.slice(path.lastIndexOf("/") + 1).startsWith(".")) return undefined;
  const reason = faultOf(path) ?? ((reasons) => reasons.storedForm);
  const shown = path.toWellFormed().slice(0, 200);
  return workspaceError("invalid_path", { path: shown, reason: reasonIn(locale, reason) }, locale);
}

/**
 * Returns whether another program may have stored a name in NFC in another form. The few characters that have another
 * form but none in NFD are left out: looking through a folder for each Chinese name would take too long.
 */
export function hasOtherForms(name: string): boolean {
  return name.normalize("NFD") !== name;
}

/** Returns a path as the rules store it, where they accept it: without empty parts and dots. */
export function plainPath(given: unknown): string {
  const parts = String(given).normalize("NFC").split("/");
  return parts.filter((part) => part && part !== ".").join("/");
}

/** Returns a form of a path that is equal for all names that some file system takes for the same one: file systems
 * ignore the case, and some invisible characters. */
export function foldedPath(path: string): string {
  return plainPath(path.replace(/\p{Default_Ignorable_Code_Point}/gu, ""))
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase();
}

/** The folders that contain a path, from the outermost. */
export function foldersOf(path: string): string[] {
  const folders = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** Returns the error for a path with a file in the place of a folder, or that is itself a folder. */
export function inTheWay(path: string, taken: string, locale: Locale) {
  const reason: Reason = (reasons) => (taken === path ? reasons.folder(taken) : reasons.file(taken));
  return workspaceError("invalid_path", { path, reason: reasonIn(locale, reason) }, locale);
}

/** Compares paths by their UTF-16 units, as IndexedDB orders them. */
export function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
