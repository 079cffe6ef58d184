/** The skills of a remote source. */

import { CopydeskError } from "../base/error.js";
import type { FetchLike, Locale, WorkspaceFile } from "../types/index.js";
import { LARGEST_FILE, versionOf } from "../workspace/content.js";
import { workspaceError } from "../workspace/error.js";
import { Downloader } from "./downloader.js";
import { findSkills, type Candidate } from "./find.js";
import { inTurns, lfsProblem, readCandidates, skippedIn, textIn } from "./loaded.js";
import type { Loaded, LoadedSkill, Read, SkillReader } from "./loaded.js";
import { Problem, problemIn, problemOf, withoutEnd } from "./problem.js";
import type { Remote } from "./remote.js";
import type { Repository } from "./repository.js";
import { isLfs } from "./skill-file.js";

export interface RemoteLimits {
  fetch: FetchLike;
  maxBytes: number;
  maxFiles: number;
  /** The time of a load in milliseconds. */
  ms: number;
}

export class RemoteSkills implements SkillReader {
  readonly origin: string;
  readonly #remote: Remote;
  readonly #repository: Repository;
  readonly #limits: RemoteLimits;
  #commit: string | undefined;
  #isClosed = false;

  constructor(remote: Remote, repository: Repository, limits: RemoteLimits) {
    this.origin = remote.origin;
    this.#remote = remote;
    this.#repository = repository;
    this.#limits = limits;
  }

  async load(isRefresh: boolean, report: (loaded: Loaded, isStored: boolean) => void): Promise<Loaded> {
    const downloader = this.#downloader();
    const repository = this.#repository;
    const { path, name, hasCommits } = this.#remote;
    let begun!: (loaded: Loaded | Promise<never>) => void;
    const ready = new Promise<Loaded>((resolve) => (begun = resolve));
    const work = repository.use(async () => {
      const { commit, tree } = await (isRefresh ? repository.refresh(downloader) : repository.open(downloader));
      const candidates = findSkills(tree, path, name, this.#limits.maxFiles);
      this.#limit(candidates);
      const text = async ({ main }: Candidate) =>
        textIn(main.path, await this.#content(commit, main.path, main.size, downloader), "en");
      const { pairs, skills, warnings } = await readCandidates(candidates, this.origin, path, text);
      const before = this.#commit;
      this.#commit = commit;
      // What a refresh replaces is not needed any more.
      if (isRefresh && before !== undefined && before !== commit) await repository.replaced(before);
      const shown = hasCommits ? { commit } : {};
      const loaded: Loaded = { ...shown, skills: skills.map((skill) => ({ ...skill, ...shown })), warnings };
      begun(loaded);
      const { isStored, lost } = await this.#store(pairs, commit, downloader);
      const { failure } = repository.store;
      const later = [...lost, ...(failure === undefined ? [] : [this.#notStored(failure)])];
      const left = loaded.skills.map((skill, at) => ({
        ...skill,
        files: pairs[at]!.candidate.files.map(({ path }) => path),
      }));
      if (!this.#isClosed)
        report({ ...loaded, skills: left, warnings: [...warnings, ...later] }, isStored && failure === undefined);
    });
    work.catch((thrown: unknown) => begun(Promise.reject(problemOf(thrown, this.origin))));
    return ready;
  }

  async read(skill: LoadedSkill, path: string, locale: Locale): Promise<WorkspaceFile> {
    const shown = `skills/${skill.name}/${path}`;
    const commit = this.#commit;
    if (commit === undefined) throw workspaceError("file_not_found", { path: shown }, locale);
    const full = skill.folder ? `${skill.folder}/${path}` : path;
    let bytes;
    try {
      bytes = await this.#repository.use(() => this.#content(commit, full, undefined, this.#downloader()));
    } catch (thrown) {
      throw this.#asFileError(thrown, shown, locale);
    }
    const text = textIn(shown, bytes, locale);
    if (isLfs(text)) throw this.#asFileError(lfsProblem(this.origin, path), shown, locale);
    return { path: shown, text, version: await versionOf(bytes), size: bytes.length };
  }

  removeStored(): Promise<void> {
    return this.#repository.remove();
  }

  watch(): void {
    // A commit does not change.
  }

  close(): void {
    this.#isClosed = true;
  }

  #downloader(): Downloader {
    const { fetch, maxBytes, ms } = this.#limits;
    return new Downloader(this.origin, fetch, { bytes: maxBytes, ms });
  }

  /** Leaves out the files that are too large together, as far as their sizes are known. */
  #limit(candidates: Candidate[]): void {
    let left = this.#limits.maxBytes;
    for (const { main } of candidates) left -= main.size ?? 0;
    for (const candidate of candidates) {
      candidate.files = candidate.files.filter(({ size = 0 }) => {
        if (size <= left && size <= LARGEST_FILE) {
          left -= size;
          return true;
        }
        candidate.skipped.set("size", (candidate.skipped.get("size") ?? 0) + 1);
        return false;
      });
    }
  }

  async #content(commit: string, path: string, size: number | undefined, downloader: Downloader) {
    if ((size ?? 0) > downloader.left) throw downloader.tooLarge(path);
    return this.#repository.file(commit, path, downloader);
  }

  /** Stores all files of the skills, so that they can be read without the network. */
  async #store(pairs: Read[], commit: string, downloader: Downloader) {
    let isStored = true;
    const before = new Map(pairs.map(({ candidate }) => [candidate, new Map(candidate.skipped)]));
    const all = pairs.flatMap(({ candidate }) => candidate.files.map((file) => ({ candidate, file })));
    await inTurns(all, async ({ candidate, file }) => {
      if (this.#isClosed) return;
      const skip = (reason: "lfs" | "size") => {
        candidate.skipped.set(reason, (candidate.skipped.get(reason) ?? 0) + 1);
        candidate.files = candidate.files.filter((other) => other !== file);
      };
      const full = candidate.folder ? `${candidate.folder}/${file.path}` : file.path;
      try {
        const bytes = await this.#content(commit, full, file.size, downloader);
        if (isLfs(new TextDecoder().decode(bytes.subarray(0, 64)))) skip("lfs");
      } catch (thrown) {
        // It is fetched again when it is read, and the failure is reported then.
        if (thrown instanceof Problem && thrown.code === "skill_too_large") skip("size");
        else isStored = false;
      }
    });
    const lost = pairs.flatMap(({ candidate, skill }) => {
      const known = before.get(candidate)!;
      const added = [...candidate.skipped].filter(([reason, count]) => count !== known.get(reason));
      return skippedIn({ ...candidate, skipped: new Map(added) }, skill.name, this.origin);
    });
    return { isStored, lost };
  }

  #notStored(failure: unknown): Problem {
    const reason = withoutEnd(failure instanceof Error ? failure.message || failure.name : String(failure));
    return new Problem("skill_not_stored", { origin: this.origin, reason }, { cause: failure });
  }

  #asFileError(thrown: unknown, path: string, locale: Locale): CopydeskError {
    if (thrown instanceof CopydeskError) return thrown;
    const problem = problemOf(thrown, this.origin);
    if (problem.code === "skill_not_found")
      return workspaceError("file_not_found", { path }, locale, { cause: thrown });
    const { limit } = problem.details;
    if (problem.code === "skill_too_large")
      return workspaceError("file_too_large", { path, size: `> ${String(limit)}`, limit }, locale, { cause: thrown });
    const reason = withoutEnd(problemIn(problem, locale).message);
    return workspaceError("storage_failed", { path, reason }, locale, { cause: thrown });
  }
}
