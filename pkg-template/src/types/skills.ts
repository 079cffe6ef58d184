/** Types of `copydesk/skills`: sources of skills, and what was found in them. */

import type { Locale } from "./agent.js";
import type { FetchLike } from "./model.js";
import type { AgentPlugin } from "./plugins.js";

/** A place with one skill, or with several in folders. */
export interface SkillSource {
  /** Identifies the source, unique in its list. */
  id: string;
  /**
   * The URL of a repository of a known forge, or of a folder in it; of any other git repository (ending with `.git`, or
   * after `git+`); of a folder of files; or a path in the agent's workspace.
   */
  source: string;
  /** The branch, tag or commit. Default: the default branch. */
  ref?: string;
  /** The folder in the source. Default: its root. */
  path?: string;
  /** Default: true. */
  enabled?: boolean;
  /**
   * True if the model may follow the skills as it follows the app. Default: true for a folder of the workspace, which
   * the model cannot write then; false for its root, and for URLs.
   */
  trusted?: boolean;
}

/** A server with repositories, and the API by which single files are fetched. */
export interface Forge {
  /** Forgejo is `"gitea"`. */
  type: "github" | "gitlab" | "gitea" | "bitbucket";
  /** The URL before the path of a repository, such as `https://git.example.org`. */
  url: string;
  /** The URL of its API. Default: where the software has it. */
  api?: string;
  /** The URL of files as they are, for GitHub. Default: `url` with `/raw`. */
  raw?: string;
}

/** Keeps what was fetched. Values are objects and bytes that can be cloned. Other keys are not touched. */
export interface SkillCache {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** Removes all keys that begin with `prefix`. */
  remove(prefix: string): Promise<void>;
}

export interface SkillsOptions {
  /** A proxy that adds CORS headers to git servers, as isomorphic-git uses it. Default: none. */
  corsProxy?: string;
  /** Used for every request. Default: `globalThis.fetch`. */
  fetch?: FetchLike;
  /** Default: IndexedDB where there is one, else memory. */
  cache?: SkillCache;
  /** The most bytes that are downloaded of a source. Default: 10,000,000. */
  maxBytes?: number;
  /** The most files of a skill. Default: 200. */
  maxFiles?: number;
  /** The time in milliseconds that a request of the model waits for a source. A load ends after four times this.
   * Default: 15,000. */
  timeoutMs?: number;
  /** Servers beside github.com, gitlab.com, codeberg.org, gitea.com and bitbucket.org. */
  forges?: Forge[];
  /** The language of `list`. Default: the page's. Notices are in the language of the agent. */
  locale?: Locale;
}

/** A failure or a remark, as the user reads it. */
export interface SkillProblem {
  /** Stable, for programs; docs/skills.md lists the codes. */
  code: string;
  message: string;
}

/** A skill that was found in a source. */
export interface FoundSkill {
  name: string;
  description: string;
  content: string;
  files: string[];
  trusted: boolean;
  /** The URL or path of its source, without credentials. */
  origin: string;
  /** Its folder in the source; empty for the root. */
  folder: string;
  /** The commit that it was read from. Absent for folders and workspaces. */
  commit?: string;
  license?: string;
  compatibility?: string;
  /** The tools that it asks for, as it states them. They are not granted. */
  allowedTools?: string;
  metadata?: Record<string, string>;
}

/** A source and its state. */
export interface SkillSourceState {
  id: string;
  source: string;
  state: "loading" | "ready" | "failed" | "disabled";
  skills: FoundSkill[];
  /** The URL or path that is read, without credentials. */
  origin: string;
  commit?: string;
  /** True if all files of its skills are stored, so that they can be read without the network. */
  isStored: boolean;
  /** The last failure of the source. With `skills`: the last attempt to refresh it failed. */
  error?: SkillProblem;
  /** Messages about the parts of it that were skipped or changed. */
  warnings: SkillProblem[];
}

/** Adds skills to the agents that have it in their `plugins`. */
export interface SkillsPlugin extends AgentPlugin {
  /** The sources and what was found in them, in the order of the configuration. */
  readonly list: SkillSourceState[];
  /** Replaces the sources. Those that stay are not loaded again. Takes effect at the next request of the model. */
  configure(list: SkillSource[]): void;
  /** Calls `listener` after each change of `list`, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Looks for a newer commit of a source, and repeats a load that failed. Resolves when `list` has the outcome. */
  refresh(id: string): Promise<void>;
  /** Removes what is stored of a source. It is fetched again by `refresh`, or after the next start. */
  removeFromCache(id: string): Promise<void>;
}
