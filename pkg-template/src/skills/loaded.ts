/** The contents of a source, independent of its place. */

import { decoded } from "../workspace/content.js";
import type { FoundSkill, Locale, WorkspaceFile } from "../types/index.js";
import { CopydeskError } from "../base/error.js";
import type { Candidate } from "./find.js";
import { Problem, type Reason } from "./problem.js";
import { LFS, readSkill } from "./skill-file.js";

/** A skill before it is known whether the app trusts it. */
export type LoadedSkill = Omit<FoundSkill, "trusted">;

export interface Loaded {
  commit?: string;
  skills: LoadedSkill[];
  /** Messages about the parts that were skipped or changed. */
  warnings: Problem[];
}

/** A candidate with what its main file says. */
export interface Read {
  candidate: Candidate;
  skill: LoadedSkill;
}

/** Reads the skills of one source. */
export interface SkillReader {
  /** The URL or path, without credentials. */
  readonly origin: string;
  /**
   * Reads the skills; `report` is called if more is known later, with `isStored` when all is stored.
   *
   * @throws Problem if there is none.
   */
  load(isRefresh: boolean, report: (loaded: Loaded, isStored: boolean) => void): Promise<Loaded>;
  /** Reads a file of a skill as `WorkspaceHost.read` does. `path` is relative to the skill's folder, and valid. */
  read(skill: LoadedSkill, path: string, locale: Locale): Promise<WorkspaceFile>;
  /** Removes what is stored. */
  removeStored(): Promise<void>;
  /** Calls `changed` when the source has other skills, until `close`. */
  watch(changed: () => void): void;
  close(): void;
}

/** The most skills of a source, and the most characters of SKILL.md. */
const MOST_SKILLS = 100;
const LONGEST_SKILL = 1_000_000;

/** Reads the main files of candidates. Those that cannot be used become warnings; fails if that is true of all. */
export async function readCandidates(
  candidates: Candidate[],
  origin: string,
  path: string,
  text: (candidate: Candidate) => Promise<string>,
): Promise<Loaded & { pairs: Read[] }> {
  const warnings: Problem[] = [];
  if (!candidates.length) throw new Problem("skill_missing", { origin, path });
  if (candidates.length > MOST_SKILLS) {
    const what: Reason = ({ things }) => things.skills;
    const unit: Reason = ({ units }) => units.skills;
    warnings.push(new Problem("skill_too_large", { origin, what, limit: MOST_SKILLS, unit }));
  }
  const read = async (candidate: Candidate): Promise<Problem | Read> => {
    const { main, folder, name, isReadme } = candidate;
    if (main.kind !== "file") {
      const reason: Reason = ({ reasons }) => reasons.symbolicLink(main.path);
      return new Problem("skill_invalid", { origin, path: main.path, reason });
    }
    const unit: Reason = ({ units }) => units.bytes;
    const large = () => new Problem("skill_too_large", { origin, what: main.path, limit: LONGEST_SKILL, unit });
    try {
      if ((main.size ?? 0) > LONGEST_SKILL) throw large();
      const given = await text(candidate);
      if (given.length > LONGEST_SKILL) throw large();
      const about = { origin, path: main.path, folderName: name, isNamedByFolder: folder !== "", isReadme };
      const { skill, remarks } = await readSkill(given, about);
      const files = candidate.files.map(({ path }) => path);
      const loaded: LoadedSkill = { ...skill, files, origin, folder };
      warnings.push(...remarks.map((reason) => new Problem("skill_adapted", { origin, path: main.path, reason })));
      return { candidate, skill: loaded };
    } catch (thrown) {
      if (thrown instanceof Problem) return thrown;
      if (thrown instanceof CopydeskError) {
        if (thrown.code === "file_too_large") return large();
        const reason: Reason = ({ reasons }) => reasons.notUtf8;
        return new Problem("skill_invalid", { origin, path: main.path, reason }, { cause: thrown });
      }
      throw thrown;
    }
  };
  const results = await inTurns(candidates.slice(0, MOST_SKILLS), read);
  const failures = results.filter((result): result is Problem => result instanceof Problem);
  const pairs = results.filter((result): result is Read => !(result instanceof Problem));
  // Of several failures with one cause the first says all.
  if (!pairs.length) throw failures[0]!;
  warnings.push(...failures, ...pairs.flatMap(({ candidate, skill }) => skippedIn(candidate, skill.name, origin)));
  return { skills: pairs.map(({ skill }) => skill), warnings, pairs };
}

/** The warnings for files that cannot be read. */
export function skippedIn({ skipped }: Candidate, name: string, origin: string): Problem[] {
  return [...skipped].map(([kind, count]) => {
    const reason: Reason = (words) => words.skipped[kind];
    return new Problem("skill_files_skipped", { origin, name, count, reason });
  });
}

/** Decodes a text. Fails as `WorkspaceHost.read` does. */
export function textIn(path: string, bytes: Uint8Array, locale: Locale): string {
  return decoded(path, bytes, locale).text;
}

/** Returns a problem for a file in Git LFS. */
export function lfsProblem(origin: string, path: string): Problem {
  return new Problem("skill_invalid", { origin, path, reason: LFS });
}

/** Requests of one source at a time. */
const AT_ONCE = 6;

/** Calls `work` for all items, a few at a time. Returns the results in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}
