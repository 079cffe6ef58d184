/** Writes files from elsewhere into a workspace. */

import { check, CopydeskError, members } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type { Locale, ReadFile, SkippedFile, Workspace } from "../types/index.js";
import { workspaceError } from "./error.js";
import { isInstruction } from "./instructions.js";
import { checkedPath } from "./paths.js";

export interface CopyOptions {
  /** True if files that exist are replaced; their versions stay. Default: false. */
  overwrite?: boolean;
  /**
   * The paths of instructions that the user has agreed to: others are skipped with `instruction_skipped`. True for all.
   * Default: none.
   */
  instructions?: boolean | readonly string[];
  /**
   * Files and folders that agents follow beside `AGENTS.md`, `.rules` and every `SKILL.md`, such as the sources of
   * skills in the workspace.
   */
  instructionPaths?: readonly string[];
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

export interface ImportedFiles {
  /** The paths of the files that were written. */
  written: string[];
  /** The files that were not written, with the error of each. */
  skipped: SkippedFile[];
}

/** Failures after which no other file can be written either. */
const FINAL = ["storage_full", "permission_denied", "disposed"];

type WrittenText = Pick<ReadFile, "text" | "encoding">;

/** Writes files from elsewhere, one after the other, and notes what was skipped. */
export class Transfer {
  readonly result: ImportedFiles = { written: [], skipped: [] };
  readonly locale: Locale;
  readonly #to: Workspace;
  readonly #overwrite: boolean;
  readonly #accepted: boolean | readonly string[];
  readonly #instructionPaths: readonly string[];

  constructor(to: Workspace, options: CopyOptions) {
    const { overwrite = false, instructions = false, instructionPaths = [], locale } = members(options, "options");
    const arePaths = (given: unknown) => Array.isArray(given) && given.every((path) => typeof path === "string");
    check(typeof overwrite === "boolean", "overwrite", overwrite, "true or false");
    const isAnswer = typeof instructions === "boolean" || arePaths(instructions);
    check(isAnswer, "instructions", instructions, "true, false or an array of paths");
    check(arePaths(instructionPaths), "instructionPaths", instructionPaths, "an array of paths");
    this.#to = to;
    this.#overwrite = overwrite;
    this.#accepted = instructions;
    this.#instructionPaths = instructionPaths;
    this.locale = localeOf(locale);
  }

  /**
   * Writes the file `name` with the text and encoding that `read` returns for its path. Notes a failure that concerns this file
   * alone, and throws others.
   */
  async add(name: string, read: (path: string) => WrittenText | Promise<WrittenText>): Promise<void> {
    try {
      const path = checkedPath(name, this.locale);
      if (isInstruction(path, this.#instructionPaths) && !this.#isAccepted(path))
        throw workspaceError("instruction_skipped", { path }, this.locale);
      const { text, encoding } = await read(path);
      await this.#to.write(path, text, { encoding, ...(this.#overwrite ? {} : { expected: null }) });
      this.result.written.push(path);
    } catch (thrown) {
      if (!(thrown instanceof CopydeskError) || FINAL.includes(thrown.code)) throw thrown;
      const { code, message } = thrown;
      this.result.skipped.push({ path: name, code, message });
    }
  }

  #isAccepted(path: string): boolean {
    return typeof this.#accepted === "boolean" ? this.#accepted : this.#accepted.includes(path);
  }
}

/**
 * Copies the texts of a workspace into another one, such as those of a folder. Skips files that are not text, a file
 * that exists with another text unless `overwrite` is true, and instructions for agents unless the user has agreed to
 * them.
 */
export async function copyFiles(from: Workspace, to: Workspace, options: CopyOptions = {}): Promise<ImportedFiles> {
  const transfer = new Transfer(to, options);
  const skipped = (file: SkippedFile) => transfer.result.skipped.push(file);
  for await (const files of from.readAll({ skipped })) {
    for (const file of files) {
      if (options.overwrite || (await textAt(to, file.path)) !== file.text) await transfer.add(file.path, () => file);
    }
  }
  return transfer.result;
}

/** Returns the text of a file; undefined if there is none, or it cannot be read. */
async function textAt(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    return (await workspace.read(path)).text;
  } catch (thrown) {
    if (thrown instanceof CopydeskError && !FINAL.includes(thrown.code)) return undefined;
    throw thrown;
  }
}
