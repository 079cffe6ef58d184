/** The skills of one agent. */

import type { Contribution, PluginConnection, PluginHost, Skill, WorkspaceFile } from "../types/index.js";
import { workspaceError } from "../workspace/error.js";
import { checkedPath } from "../workspace/paths.js";
import type { LoadedSkill } from "./loaded.js";
import { Problem, problemIn } from "./problem.js";
import { isTrusted, type Configured } from "./source.js";
import { SourceLoad } from "./source-load.js";
import { WorkspaceSkills } from "./workspace-skills.js";

/** The plugin, as its connections use it. */
interface Owner {
  /** The load of a remote source. */
  load(id: string): SourceLoad | undefined;
  /** Reports a change of a source of the workspace. */
  changed(): void;
  closed(): void;
}

interface Limits {
  timeoutMs: number;
  maxFiles: number;
}

/** A skill that the agent has, with its source. */
interface Given {
  skill: LoadedSkill;
  load: SourceLoad;
}

export class Connection implements PluginConnection {
  readonly #host: PluginHost;
  readonly #limits: Limits;
  readonly #owner: Owner;
  #sources: Configured[] = [];
  /** The loads of sources in the agent's workspace, by their id. */
  readonly #local = new Map<string, { key: string; load: SourceLoad }>();
  #given = new Map<string, Given>();
  #provided = "[[],[]]";
  /** The problems that were reported, each once. */
  readonly #told = new Set<string>();
  #isClosed = false;

  constructor(host: PluginHost, limits: Limits, owner: Owner) {
    this.#host = host;
    this.#limits = limits;
    this.#owner = owner;
  }

  /** Returns the load of a source in the agent's workspace. */
  localLoad(id: string): SourceLoad | undefined {
    return this.#local.get(id)?.load;
  }

  /** Gives the agent the skills of these sources, as far as they are loaded. */
  update(sources: Configured[]): void {
    if (this.#isClosed) return;
    this.#sources = sources;
    const kept = new Set<string>();
    for (const { source, place, key } of sources) {
      if ("remote" in place) continue;
      const old = this.#local.get(source.id);
      if (old?.key === key || source.enabled === false) {
        if (old?.key === key) kept.add(source.id);
        continue;
      }
      old?.load.close();
      const reader = new WorkspaceSkills(place.workspacePath, this.#host.workspace, this.#limits.maxFiles);
      this.#local.set(source.id, { key, load: new SourceLoad(reader, () => this.#localChanged()) });
      kept.add(source.id);
    }
    for (const [id, { load }] of [...this.#local]) {
      if (kept.has(id)) continue;
      load.close();
      this.#local.delete(id);
    }
    this.#provide();
  }

  async ready(signal: AbortSignal): Promise<void> {
    const { timeoutMs } = this.#limits;
    const loads = this.#active().map(({ load }) => load);
    await allWithin(
      loads.map((load) => [load.settled, load.startedAt + timeoutMs - Date.now()]),
      signal,
    );
    if (signal.aborted) return;
    for (const load of loads) {
      const isLate = load.state === "loading" && !load.loaded.skills.length;
      if (isLate) this.#tell(new Problem("skill_late", { origin: load.reader.origin, ms: timeoutMs }));
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { load } of this.#local.values()) load.close();
    this.#local.clear();
    this.#given.clear();
    this.#owner.closed();
  }

  /** The loads of the sources that are enabled. */
  #active(): { configured: Configured; load: SourceLoad }[] {
    return this.#sources.flatMap((configured) => {
      const { source, place } = configured;
      const load = "remote" in place ? this.#owner.load(source.id) : this.localLoad(source.id);
      return load && source.enabled !== false ? [{ configured, load }] : [];
    });
  }

  #localChanged(): void {
    if (this.#isClosed) return;
    this.#provide();
    this.#owner.changed();
  }

  #provide(): void {
    const given = new Map<string, Given>();
    const skills: Skill[] = [];
    for (const { configured, load } of this.#active()) {
      if (load.error) this.#tell(load.error, "error");
      for (const warning of load.loaded.warnings) this.#tell(warning);
      const trusted = isTrusted(configured);
      for (const skill of load.loaded.skills) {
        const { name, description, content, files } = skill;
        const first = given.get(name);
        if (first) {
          const [origin, other] = [placeName(skill), placeName(first.skill)];
          this.#tell(new Problem("skill_duplicate", { origin, name, first: other }));
          continue;
        }
        given.set(name, { skill, load });
        skills.push({ name, description, content, files, trusted });
      }
    }
    this.#given = given;
    const readOnlyPaths = [...this.#readOnlyPaths()];
    const provided = JSON.stringify([skills, readOnlyPaths]);
    if (provided === this.#provided) return;
    this.#provided = provided;
    const readSkillFile: Contribution["readSkillFile"] = (skill, path) => this.#read(skill, path);
    this.#host.provide({ skills, readSkillFile, readOnlyPaths });
  }

  /** The model must not write its own instructions, also not for the time after a source is enabled. */
  #readOnlyPaths(): Set<string> {
    const paths = this.#sources.flatMap(({ source, place }) => {
      if ("remote" in place) return [];
      // The root as a whole would leave nothing to write: what would become a skill, in any folder.
      if (place.workspacePath) return [place.workspacePath];
      const found = this.localLoad(source.id)?.loaded.skills ?? [];
      return ["**/SKILL.md", "**/README.md", ...found.map(({ folder }) => folder).filter(Boolean)];
    });
    return new Set(paths);
  }

  async #read(name: string, given: string): Promise<WorkspaceFile> {
    const { locale } = this.#host;
    const path = checkedPath(given, locale);
    const found = this.#given.get(name);
    const isKnown = found?.skill.files.includes(path) || /^(?:SKILL|README)\.md$/i.test(path);
    if (!found || !isKnown) throw workspaceError("file_not_found", { path: `skills/${name}/${path}` }, locale);
    return found.load.read(found.skill, path, locale);
  }

  #tell(problem: Problem, level: "error" | "warning" = "warning"): void {
    const { code, message } = problemIn(problem, this.#host.locale);
    const key = JSON.stringify([code, message]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const { origin } = problem.details;
    this.#host.logger?.[level]?.(level === "error" ? "skill source failed" : "skill warning", { code, origin });
    this.#host.notice(code, message);
  }
}

function placeName({ origin, folder }: LoadedSkill): string {
  return folder ? `${origin} (${folder})` : origin;
}

/** Resolves when each promise has resolved or had its time in milliseconds, or when the signal aborts. */
function allWithin(all: [promise: Promise<void>, ms: number][], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timers: ReturnType<typeof setTimeout>[] = [];
    const end = () => {
      timers.forEach(clearTimeout);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const times = all.map(([promise, ms]) => {
      if (ms <= 0) return undefined;
      const time = new Promise<void>((over) => timers.push(setTimeout(over, ms)));
      return Promise.race([promise, time]);
    });
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    else void Promise.all(times).then(end);
  });
}
