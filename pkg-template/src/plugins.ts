/** The plugins of an agent: what they add, and the files that come from them. */

import { check, reportError } from "./error.js";
import { isObject } from "./json.js";
import { localeOf } from "./locale.js";
import type {
  AgentPlugin,
  AgentTool,
  Contribution,
  Logger,
  PluginConnection,
  PluginHost,
  Rule,
  Skill,
  WorkspaceFile,
  WorkspaceHost,
} from "./types.js";
import { workspaceError } from "./workspace/error.js";

/** The agent, as its plugins use it. */
export interface PluginOwner {
  /** The language of the settings. */
  locale: () => string | undefined;
  workspace: WorkspaceHost | undefined;
  logger: Logger | undefined;
  /** Takes what has changed. Throws if it cannot be used. */
  changed: () => void;
  notice: (code: string, message: string) => void;
}

interface Member {
  name: string;
  added: Contribution;
  connection: PluginConnection | undefined;
}

/** The plugins of one agent. */
export class Plugins {
  readonly #list: AgentPlugin[];
  readonly #owner: PluginOwner;
  #members: Member[] = [];
  #isClosed = false;

  constructor(list: AgentPlugin[], owner: PluginOwner) {
    this.#list = list;
    this.#owner = owner;
  }

  /** Connects the plugins, which provide and report from now on. */
  start(): void {
    for (const plugin of this.#list) this.#connect(plugin);
  }

  get isEmpty(): boolean {
    return !this.#list.length;
  }

  /** The tools; of two with one name the last. */
  get tools(): AgentTool[] {
    const all = this.#members.flatMap(({ added }) => added.tools ?? []);
    return all.filter(({ name }, at) => all.findLastIndex((tool) => tool.name === name) === at);
  }

  get rules(): Rule[] {
    return this.#members.flatMap(({ added }) => added.rules ?? []);
  }

  /** The skills; of two with one name the first. */
  get skills(): Skill[] {
    const all = this.#members.flatMap(({ added }) => added.skills ?? []);
    return all.filter(({ name }, at) => all.findIndex((skill) => skill.name === name) === at);
  }

  /** Resolves when all plugins are ready for the next request. */
  async ready(signal: AbortSignal): Promise<void> {
    const isReady = async (member: Member) => {
      try {
        await member.connection?.ready(signal);
      } catch (thrown) {
        if (!signal.aborted) this.#failed(member, thrown);
      }
    };
    await Promise.all(this.#members.map(isReady));
  }

  /** Releases everything. */
  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#members.splice(0)) {
      try {
        connection?.close();
      } catch (thrown) {
        reportError(thrown);
      }
    }
  }

  /** Calls a method of the workspace, or reads a file of a skill. */
  async workspace(method: keyof WorkspaceHost, given: unknown[]): Promise<unknown> {
    const path = method === "read" || method === "write" ? pathOf(given[0]) : "";
    const reader = this.#skillFile(path);
    const locale = localeOf(this.#owner.locale());
    if (method === "read" && reader) return reader();
    if (method === "write" && (reader || this.#isReadOnly(path)))
      throw workspaceError("permission_denied", { path }, locale);
    const { workspace } = this.#owner;
    if (!workspace) throw workspaceError("file_not_found", { path }, locale);
    return (workspace[method] as (...given: unknown[]) => Promise<unknown>)(...given);
  }

  #connect(plugin: AgentPlugin): void {
    const owner = this.#owner;
    const member: Member = { name: plugin.name, added: {}, connection: undefined };
    this.#members.push(member);
    const host: PluginHost = {
      get locale() {
        return localeOf(owner.locale());
      },
      workspace: owner.workspace,
      logger: owner.logger,
      provide: (contribution) => {
        if (this.#isClosed) return;
        const before = member.added;
        member.added = contribution;
        try {
          owner.changed();
        } catch (wrong) {
          // All or nothing.
          member.added = before;
          owner.changed();
          throw wrong;
        }
      },
      notice: (code, message) => {
        if (!this.#isClosed) owner.notice(code, message);
      },
    };
    try {
      member.connection = plugin.connect(host);
    } catch (thrown) {
      this.#failed(member, thrown);
    }
  }

  /** Reports a plugin that broke its contract: the agent works without what it would add. */
  #failed({ name }: Member, thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const { locale, notice } = this.#owner;
    const message =
      localeOf(locale()) === "zh-CN"
        ? `插件 ${name} 出错：${reason}。智能体将在没有它的情况下继续。`
        : `The plugin ${name} failed: ${reason}. The agent goes on without what it would add.`;
    // Listeners are added after the agent was created.
    queueMicrotask(() => {
      if (!this.#isClosed) notice("plugin_failed", message);
    });
  }

  /** Returns the reader of the file of a skill that a path leads to. */
  #skillFile(path: string): (() => Promise<WorkspaceFile>) | undefined {
    const [, skill = "", file = ""] = /^skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const { readSkillFile } = this.#members.find(({ added }) => hasSkill(added, skill))?.added ?? {};
    return readSkillFile && (() => readSkillFile(skill, file));
  }

  #isReadOnly(path: string): boolean {
    const folded = path.toLowerCase();
    const all = this.#members.flatMap(({ added }) => added.readOnlyPaths ?? []).map((one) => pathOf(one).toLowerCase());
    return all.some((one) => folded === one || folded.startsWith(`${one}/`));
  }
}

/** Throws unless the value is a list of plugins. */
export function checkPlugins(list: unknown): asserts list is AgentPlugin[] {
  check(Array.isArray(list), "plugins", list, "an array of plugins");
  (list as unknown[]).forEach((plugin, at) =>
    check(
      isObject(plugin) && typeof (plugin as Partial<AgentPlugin>).connect === "function",
      `plugins[${at}]`,
      plugin,
      'a plugin, such as those of "copydesk/skills" and "copydesk/mcp"',
    ),
  );
}

function hasSkill({ skills }: Contribution, name: string): boolean {
  return !!skills?.some((skill) => skill.name === name);
}

/** Returns a path as the rules of workspaces store it, where they accept it. */
function pathOf(given: unknown): string {
  const parts = String(given).normalize("NFC").split("/");
  return parts.filter((part) => part && part !== ".").join("/");
}
