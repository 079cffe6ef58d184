/** The skills of a folder of the agent's workspace. */

import { CopydeskError } from "../base/error.js";
import type { Locale, Workspace, WorkspaceFile, WorkspaceHost } from "../types/index.js";
import { findSkills, pathIn } from "./find.js";
import { readCandidates, type Loaded, type LoadedSkill, type SkillReader } from "./loaded.js";
import { Problem, problemOf, withoutEnd } from "./problem.js";

export class WorkspaceSkills implements SkillReader {
  readonly origin: string;
  readonly #path: string;
  readonly #workspace: WorkspaceHost | undefined;
  readonly #mostFiles: number;
  #end: (() => void) | undefined;

  constructor(path: string, workspace: WorkspaceHost | undefined, mostFiles: number) {
    this.origin = path || "/";
    this.#path = path;
    this.#workspace = workspace;
    this.#mostFiles = mostFiles;
  }

  async load(_isRefresh: boolean, report: (loaded: Loaded, isStored: boolean) => void): Promise<Loaded> {
    const { origin } = this;
    const workspace = this.#workspace;
    if (!workspace) throw new Problem("skill_no_workspace", { origin });
    try {
      const entries = (await workspace.list()).map(({ path, size }) => ({ path, size, kind: "file" as const }));
      const candidates = findSkills(entries, this.#path, "workspace", this.#mostFiles);
      const text = async ({ main }: { main: { path: string } }) => (await workspace.read(main.path)).text;
      const { skills, warnings } = await readCandidates(candidates, origin, this.#path, text);
      report({ skills, warnings }, true);
      return { skills, warnings };
    } catch (thrown) {
      if (!(thrown instanceof CopydeskError)) throw problemOf(thrown, origin);
      throw new Problem("skill_unreachable", { origin, reason: withoutEnd(thrown.message) }, { cause: thrown });
    }
  }

  async read(skill: LoadedSkill, path: string, _locale: Locale): Promise<WorkspaceFile> {
    const full = skill.folder ? `${skill.folder}/${path}` : path;
    return { ...(await this.#workspace!.read(full)), path: `skills/${skill.name}/${path}` };
  }

  removeStored(): Promise<void> {
    // The workspace is the only copy.
    return Promise.resolve();
  }

  watch(changed: () => void): void {
    const { watch } = (this.#workspace ?? {}) as Partial<Workspace>;
    this.#end = watch?.call(this.#workspace, ({ path, from }) => {
      const isInside = [path, from].some((one) => one !== undefined && pathIn(this.#path, one) !== undefined);
      if (isInside) changed();
    });
  }

  close(): void {
    this.#end?.();
  }
}
