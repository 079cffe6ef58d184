/** Plugins of an agent: they add tools, skills and rules, also while it works. */

import type { Locale, Logger } from "./agent.js";
import type { AgentTool } from "./tools.js";
import type { WorkspaceFile, WorkspaceHost } from "./workspace-host.js";

/** A rule for the model. Enabled rules are numbered in the system prompt. */
export interface Rule {
  /** Identifies the rule, unique in its list. */
  id: string;
  text: string;
  /** Default: true. */
  enabled?: boolean;
}

/** Instructions for a kind of task, as the model gets them. */
export interface Skill {
  /** 1–64 lowercase letters, digits and hyphens, unique. */
  name: string;
  /** States what it does and when to use it. */
  description: string;
  /** The instructions, without the front matter. */
  content: string;
  /** The paths of its other files, relative to its folder. The model reads them as `skills/<name>/<path>`. */
  files?: string[];
  /**
   * True if the model may follow it as it follows the app. Default: the model is told that somebody else wrote it, and
   * that it counts only as far as it serves what the user asked for.
   */
  trusted?: boolean;
}

/** All that a plugin adds to an agent at the moment. */
export interface Contribution {
  /** Tools beside those of the app. A tool with the name of an earlier one replaces it. */
  tools?: AgentTool[];
  skills?: Skill[];
  rules?: Rule[];
  /** Reads a file of a skill. Fails as `WorkspaceHost.read` does. */
  readSkillFile?: (skill: string, path: string) => Promise<WorkspaceFile>;
  /** Files and folders of the workspace that the model cannot change, since what they say is an instruction. A name after
   * the prefix `**` and a slash is that of files in any folder. */
  readOnlyPaths?: string[];
}

/** The agent, as its plugins see it. */
export interface PluginHost {
  /** The current language of prompts, results and errors. */
  readonly locale: Locale;
  /** The files of the agent, if it has a workspace. */
  readonly workspace: WorkspaceHost | undefined;
  /** The app's logger. */
  readonly logger: Logger | undefined;
  /** Replaces everything that the plugin adds. The next request of the model has it, also in a run under way. */
  provide(contribution: Contribution): void;
  /** Reports something that the user should know, as a `notice` event. `code` is stable, in snake_case. */
  notice(code: string, message: string): void;
}

/** A plugin at work for one agent. */
export interface PluginConnection {
  /**
   * Resolves when what is provided is complete: it is awaited before each request of the model. It resolves within
   * the plugin's own time limits and does not reject: failures are notices. `signal` aborts when the run is stopped.
   */
  ready(signal: AbortSignal): Promise<void>;
  /** Releases everything. Called once, when the agent is disposed. */
  close(): void;
}

/** Adds tools, skills and rules to the agents that have it in their `plugins`. */
export interface AgentPlugin {
  /** Names the plugin in errors and log entries. */
  readonly name: string;
  /** Begins to work for an agent. Called once for each agent, when it is created. */
  connect(host: PluginHost): PluginConnection;
}
