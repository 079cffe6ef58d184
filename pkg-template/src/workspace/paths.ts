/** The rules of paths, the same for all workspaces, so that a project can move between them and between machines. */

import type { CopydeskError } from "../error.js";
import type { Locale } from "../types.js";
import { workspaceError } from "./error.js";

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

type Reason = readonly [english: string, chinese: string];

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
  const details = { path: shown, reason: reason[locale === "zh-CN" ? 1 : 0] };
  throw workspaceError("invalid_path", details, locale);
}

/** Returns whether a path is valid and in its stored form. */
export function isPath(path: string): boolean {
  return !faultOf(path);
}

function faultOf(path: unknown): Reason | undefined {
  if (typeof path !== "string") return ["it is not a text", "它不是文本"];
  if (!path) return ["it is empty", "它是空的"];
  if (!path.isWellFormed()) return ["it contains half of a character", "它含有半个字符"];
  if (path.startsWith("/")) return ["it is absolute", "它是绝对路径"];
  if (/^[a-z]:/i.test(path)) return ["it names a drive", "它含有盘符"];
  if (encoder.encode(path).length > LONGEST_PATH)
    return [`it is longer than ${LONGEST_PATH} bytes`, `它超过 ${LONGEST_PATH} 字节`];
  const parts = path.split("/");
  // The one folder with a dot that belongs to the text of a project: rules for the agent.
  for (const part of parts[0] === ".rules" ? parts.slice(1) : parts) {
    const fault = faultOfPart(part);
    if (fault) return fault;
  }
  return undefined;
}

function faultOfPart(part: string): Reason | undefined {
  if (!part) return ["a part between two / is empty", "两个 / 之间是空的"];
  if (part === "." || part === "..") return [`it contains the part ${part}`, `它含有 ${part}`];
  // Settings, keys and the data of other programs: `.git`, `.env`, and the history of workspaces itself.
  if (part.startsWith(".")) return [`${part} begins with a dot`, `${part} 以点开头`];
  if (UNSEEN.test(part)) return ["it contains a control character", "它含有控制字符"];
  const refused = REFUSED.exec(part)?.[0];
  if (refused) return [`it contains ${refused}`, `它含有 ${refused}`];
  if (/[. ]$/.test(part)) return [`${part} ends with a dot or a space`, `${part} 以点或空格结尾`];
  if (part.startsWith(" ")) return ["a part begins with a space", "其中一部分以空格开头"];
  if (DEVICE.test(part)) return [`${part} is the name of a device on Windows`, `${part} 是 Windows 的设备名`];
  if (encoder.encode(part).length > LONGEST_PART)
    return [`a part is longer than ${LONGEST_PART} bytes`, `其中一部分超过 ${LONGEST_PART} 字节`];
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
  const reason = faultOf(path) ?? [
    "its name is stored in a form that cannot be asked for",
    "它的名称以无法查询的形式存储",
  ];
  const shown = path.toWellFormed().slice(0, 200);
  return workspaceError("invalid_path", { path: shown, reason: reason[locale === "zh-CN" ? 1 : 0] }, locale);
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

/** Returns the error for a path of which a folder is a file, or that is itself a folder. */
export function inTheWay(path: string, taken: string, locale: Locale) {
  const isFolder = taken === path;
  const english = isFolder ? `${taken} is a folder` : `${taken} is a file, not a folder`;
  const chinese = isFolder ? `${taken} 是文件夹` : `${taken} 是文件，不是文件夹`;
  return workspaceError("invalid_path", { path, reason: locale === "zh-CN" ? chinese : english }, locale);
}

/** Compares paths by their UTF-16 units, as IndexedDB orders them. */
export function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : one.path > other.path ? 1 : 0;
}
