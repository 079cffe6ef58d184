/** One source at work: its state, from the first load on. */

import type { Locale, WorkspaceFile } from "../types/index.js";
import type { Loaded, LoadedSkill, SkillReader } from "./loaded.js";
import { problemOf, type Problem } from "./problem.js";

/** Changes within this time in milliseconds are read together. */
const TOGETHER_MS = 50;

type Change = Partial<Pick<SourceLoad, "state" | "loaded" | "isStored" | "error">>;

export class SourceLoad {
  readonly reader: SkillReader;
  state: "loading" | "ready" | "failed" = "loading";
  loaded: Loaded = { skills: [], warnings: [] };
  isStored = false;
  /** The failure of the last load. */
  error: Problem | undefined;
  /** Resolves after the first load, however it ends. */
  readonly first: Promise<void>;
  /** When the newest load, or the first change that it waits for, began. */
  startedAt = Date.now();
  readonly #changed: () => void;
  #current: Promise<void>;
  #isQueued = false;
  #isClosed = false;

  constructor(reader: SkillReader, changed: () => void) {
    this.reader = reader;
    this.#changed = changed;
    reader.watch(() => this.#follow());
    // After the caller has this load.
    this.first = this.#current = Promise.resolve().then(() => this.#load(false));
  }

  /** Resolves when nothing is under way, also not for changes that are known. */
  get settled(): Promise<void> {
    return this.#current;
  }

  /** Loads again, after a load that is under way. Skills stay until others are there. */
  refresh(): Promise<void> {
    this.startedAt = Date.now();
    this.#current = this.#current.then(() => this.#load(true));
    return this.#current;
  }

  /** Loads again if the last load has failed. */
  retry(): void {
    if (this.error === undefined || this.state === "loading") return;
    this.#become({ state: "loading", error: undefined });
    void this.refresh();
  }

  read(skill: LoadedSkill, path: string, locale: Locale): Promise<WorkspaceFile> {
    return this.reader.read(skill, path, locale);
  }

  close(): void {
    this.#isClosed = true;
    this.reader.close();
  }

  /** Loads a change and those right after it. */
  #follow(): void {
    if (this.#isQueued) return;
    this.#isQueued = true;
    this.startedAt = Date.now();
    this.#current = this.#current
      .then(() => new Promise((resolve) => setTimeout(resolve, TOGETHER_MS)))
      .then(() => {
        this.#isQueued = false;
        return this.#load(true);
      });
  }

  async #load(isRefresh: boolean): Promise<void> {
    if (this.#isClosed) return;
    if (isRefresh) this.#become({ state: "loading" });
    let reported: Change = {};
    let isOver = false;
    const report = (loaded: Loaded, isStored: boolean) => {
      reported = { loaded, isStored };
      if (isOver) this.#become(reported);
    };
    try {
      const loaded = await this.reader.load(isRefresh, report);
      isOver = true;
      this.#become({ state: "ready", loaded, isStored: false, error: undefined, ...reported });
    } catch (thrown) {
      const error = problemOf(thrown, this.reader.origin);
      // The skills that were loaded before stay in use.
      this.#become({ state: this.loaded.skills.length ? "ready" : "failed", error });
    }
  }

  #become(change: Change): void {
    if (this.#isClosed) return;
    Object.assign(this, change);
    this.#changed();
  }
}
