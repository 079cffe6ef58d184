/** The errors of workspaces. */

import { CopydeskError } from "../base/error.js";
import { wordsOf, type LanguageWords } from "../languages/languages.js";
import { workspace as en } from "../languages/en/workspace.js";
import { workspace as zh } from "../languages/zh-CN/workspace.js";
import type { Locale } from "../types/index.js";

type Details = Record<string, unknown>;

type WorkspaceWords = LanguageWords["workspace"];
/** The reason why a path is not valid, or a storage failed. */
export type Reason = (reasons: WorkspaceWords["reasons"]) => string;

export type WorkspaceErrorCode = keyof WorkspaceWords["errors"];

/** Returns an error of a workspace. */
export function workspaceError(
  code: WorkspaceErrorCode,
  details: Details,
  locale: Locale,
  options?: ErrorOptions,
): CopydeskError {
  const message = workspaceWords(locale).errors[code](details);
  return new CopydeskError({ code, message, details }, options);
}

/** Returns a reason in a language. */
export function reasonIn(locale: Locale, reason: Reason): string {
  return reason(workspaceWords(locale).reasons);
}

function workspaceWords(locale: Locale): WorkspaceWords {
  return wordsOf("workspace", { en, "zh-CN": zh }, locale);
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
