/** The errors of workspaces. */

import { CopydeskError } from "../error.js";
import type { Locale } from "../types.js";

type Details = Record<string, unknown>;

const UNITS: Record<string, string> = { bytes: "字节", entries: "个条目" };

/** The messages by code, in English and in Chinese. */
const MESSAGES = {
  file_not_found: [
    ({ path }) => `There is no file ${path}. List the files to see their paths.`,
    ({ path }) => `文件不存在：${path}。请先列出文件，查看它们的路径。`,
  ],
  directory_not_found: [
    ({ path }) => `There is no directory ${path}. Create it, or correct the path.`,
    ({ path }) => `目录不存在：${path}。请创建它，或更正路径。`,
  ],
  invalid_path: [
    ({ path, reason }) => `${path} is not a valid path: ${reason}. Use a relative path such as chapters/ch001.md.`,
    ({ path, reason }) => `${path} 不是有效的路径：${reason}。请使用相对路径，例如 chapters/ch001.md。`,
  ],
  permission_denied: [
    ({ path }) =>
      `${path} cannot be accessed: permission is missing or was withdrawn. Allow access to the folder again.`,
    ({ path }) => `无法访问 ${path}：没有权限，或权限已被收回。请重新允许访问该文件夹。`,
  ],
  file_protected: [
    ({ path }) =>
      `${path} is written by the user only: it has rules, or belongs to a skill. Change it in the workspace.`,
    ({ path }) => `${path} 只由用户编写：它含有规则，或属于某个技能。请在工作区中直接修改。`,
  ],
  not_text: [
    ({ path }) =>
      `${path} is not a text: it contains a NUL, or is in none of the encodings UTF-8, UTF-16 with a byte order mark ` +
      "and GB 18030. Save it as UTF-8 if it is one.",
    ({ path }) =>
      `${path} 不是文本：它含有 NUL 字符，或不是 UTF-8、带 BOM 的 UTF-16、GB 18030（GBK）编码。如果是文本，请另存为 UTF-8。`,
  ],
  not_encodable: [
    ({ path, encoding, characters }) =>
      `${path} was not written: ${encoding}, its encoding, ` +
      (characters ? `does not have ${characters}. Replace these characters` : "would change bytes of its old text") +
      ". The user can save it as UTF-8 first.",
    ({ path, encoding, characters }) =>
      `未写入 ${path}：它的编码 ${encoding} ` +
      (characters ? `不含字符 ${characters}。请替换这些字符` : "会改变原有文字的字节") +
      "。用户可以先将它另存为 UTF-8。",
  ],
  file_too_large: [
    ({ path, size, limit }) => `${path} has ${size} bytes; at most ${limit} are possible. Split the file.`,
    ({ path, size, limit }) => `${path} 有 ${size} 字节，最多为 ${limit} 字节。请拆分该文件。`,
  ],
  file_exists: [
    ({ path }) => `${path} exists already. Choose another path, or read it and write it with its version.`,
    ({ path }) => `${path} 已存在。请换一个路径，或先读取它，再带着它的版本写入。`,
  ],
  file_changed: [
    ({ path }) => `${path} was changed meanwhile. Read it again, then repeat the change.`,
    ({ path }) => `${path} 在此期间已被修改。请重新读取，再重做修改。`,
  ],
  version_not_found: [
    ({ path, id }) => `${path} has no version ${id}. List its versions to see their ids.`,
    ({ path, id }) => `${path} 没有版本 ${id}。请列出它的版本，查看其编号。`,
  ],
  storage_full: [
    ({ path }) => `${path} was not written: the storage is full. Free some space, then try again.`,
    ({ path }) => `${path} 未写入：存储空间已满。请释放空间后重试。`,
  ],
  storage_failed: [
    ({ path, reason }) => `The storage failed at ${path}: ${reason}. Try again, or reload the page.`,
    ({ path, reason }) => `存储 ${path} 时出错：${reason}。请重试，或重新加载页面。`,
  ],
  search_timeout: [
    ({ pattern, ms }) =>
      `The search for ${pattern} was stopped after ${ms} ms. Use a simpler pattern, or search in fewer files.`,
    ({ pattern, ms }) => `对 ${pattern} 的搜索在 ${ms} 毫秒后被停止。请使用更简单的表达式，或减少要搜索的文件。`,
  ],
  invalid_pattern: [
    ({ pattern, reason }) =>
      `${pattern} is not a valid regular expression: ${reason}. Correct it, or search for it as plain text.`,
    ({ pattern, reason }) => `${pattern} 不是有效的正则表达式：${reason}。请更正，或按纯文本搜索。`,
  ],
  search_unavailable: [
    ({ reason }) =>
      `Regular expressions need a worker that can be stopped, and it did not load: ${reason}. Search for plain text, or ` +
      "pass the agent or the index a worker (docs/workspace.md).",
    ({ reason }) =>
      `正则表达式需要可以停止的 Worker，但它未能加载：${reason}。请搜索纯文本，或为智能体或索引提供 worker（docs/workspace.md）。`,
  ],
  zip_damaged: [
    ({ path }) => `${path} cannot be unpacked: the zip file is damaged or encrypted. Pack it again without a password.`,
    ({ path }) => `无法解压 ${path}：zip 文件已损坏或已加密。请不用密码重新打包。`,
  ],
  zip_too_large: [
    ({ path, size, limit, unit }) =>
      `${path} was not unpacked: it has ${size} ${unit} (at most ${limit}). Unpack it on the ` +
      "disk, and import a part of it.",
    ({ path, size, limit, unit }) =>
      `未解压 ${path}：它含有 ${size} ${UNITS[String(unit)] ?? unit}，最多为 ${limit}。请先在磁盘上解压，再导入其中一部分。`,
  ],
  zip_is_document: [
    ({ path, format }) =>
      `${path} was not unpacked: it is a document (${format}), not a folder of texts. Save it as Markdown or plain text ` +
      "in the program that it is of, or convert it, and import that.",
    ({ path, format }) =>
      `未解压 ${path}：它是一个文档（${format}），不是文本文件夹。请在对应的程序中将它另存为 Markdown 或纯文本（或先转换格式），再导入。`,
  ],
  instruction_skipped: [
    ({ path }) =>
      `${path} was not imported: agents follow it as an instruction. Read it, and import it by name if you trust its ` +
      "author.",
    ({ path }) => `未导入 ${path}：智能体会把它当作指令执行。请先阅读它；如果信任作者，再单独导入。`,
  ],
  disposed: [
    ({ path }) => `The workspace ${path} was closed. Open it again.`,
    ({ path }) => `工作区 ${path} 已关闭。请重新打开。`,
  ],
} satisfies Record<string, [(details: Details) => string, (details: Details) => string]>;

export type WorkspaceErrorCode = keyof typeof MESSAGES;

/** Returns an error of a workspace. */
export function workspaceError(
  code: WorkspaceErrorCode,
  details: Details,
  locale: Locale,
  options?: ErrorOptions,
): CopydeskError {
  const message = MESSAGES[code][locale === "zh-CN" ? 1 : 0](details);
  return new CopydeskError({ code, message, details }, options);
}

/** Names of a platform's failures, of browsers and of Node. */
const CODES: Record<string, WorkspaceErrorCode> = {
  NotAllowedError: "permission_denied",
  SecurityError: "permission_denied",
  NoModificationAllowedError: "permission_denied",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EROFS: "permission_denied",
  ELOOP: "permission_denied",
  QuotaExceededError: "storage_full",
  ENOSPC: "storage_full",
  EDQUOT: "storage_full",
};

/** Converts a failure of the platform at `path`. A CopydeskError stays. */
export function storageError(thrown: unknown, path: string, locale: Locale): CopydeskError {
  if (thrown instanceof CopydeskError) return thrown;
  const { name, code, message } = (thrown ?? {}) as { name?: string; code?: unknown; message?: string };
  const known = CODES[typeof code === "string" ? code : ""] ?? CODES[name ?? ""] ?? "storage_failed";
  const reason = (message || String(thrown)).replace(/\.$/, "");
  return workspaceError(known, known === "storage_failed" ? { path, reason } : { path }, locale, { cause: thrown });
}
