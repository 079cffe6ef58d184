/** The plugins of an agent: what they add, and the files that come from them. */

import { check, readInput, reportError } from "../base/error.js";
import { isObject, plain } from "../base/json.js";
import { localeOf } from "../base/locale.js";
import { pluginWords } from "./plugin-words.js";
import type {
  AgentPlugin,
  AgentTool,
  Contribution,
  Locale,
  Logger,
  PluginConnection,
  PluginHost,
  Rule,
  Skill,
  WorkspaceFile,
  WorkspaceHost,
} from "../types/index.js";
import { workspaceError } from "../workspace/error.js";
import { foldedPath, plainPath } from "../workspace/paths.js";

/** Paths that lead out of a folder, or that no file should have. */
const LEADS_OUT = /(?:^|\/)\.\.(?:\/|$)|[\p{Cc}\\]/u;

/** The agent, as its plugins use it. */
export interface PluginOwner {
  /** The language of the settings. */
  locale: () => string | undefined;
  workspace: WorkspaceHost | undefined;
  logger: Logger | undefined;
  /** Applies the changes. Throws if they cannot be used. */
  changed: () => void;
  notice: (code: string, message: string) => void;
  /** Returns whether the app has a skill of this name itself. */
  hasSkill: (name: string) => boolean;
}

interface Member {
  readonly name: string;
  added: Contribution;
  connection: PluginConnection | undefined;
  /** The failure that the user was told of. */
  told: string | undefined;
}

/** The plugins of one agent. */
export class Plugins {
  readonly #list: AgentPlugin[];
  readonly #owner: PluginOwner;
  #members: Member[] = [];
  /** The notices that nobody could hear yet: plugins may fail while the agent is created, or before. */
  #unheard: [code: string, message: string][] | undefined = [];
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
    return firstByName(all);
  }

  /** Reports what was noticed before somebody listened, and everything from now on. */
  hear(): void {
    const unheard = this.#unheard ?? [];
    this.#unheard = undefined;
    for (const [code, message] of unheard) if (!this.#isClosed) this.#owner.notice(code, message);
  }

  /** Resolves when all plugins are ready for the next request, or have failed, which is a notice. */
  async ready(signal: AbortSignal): Promise<void> {
    this.hear();
    await Promise.all(
      this.#members.map(async (member) => {
        try {
          await member.connection?.ready(signal);
          member.told = undefined;
        } catch (thrown) {
          if (!signal.aborted) this.#failed(member, thrown);
        }
      }),
    );
  }

  /** Releases everything, whatever a plugin throws. */
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
    const path = method === "read" || method === "write" ? plainPath(given[0]) : "";
    const locale = localeOf(this.#owner.locale());
    const reader = this.#skillFile(path, locale);
    if (method === "read" && reader) return reader();
    if (method === "write" && (reader || this.#isReadOnly(path)))
      throw workspaceError("file_protected", { path }, locale);
    const { workspace } = this.#owner;
    if (!workspace) throw workspaceError("file_not_found", { path }, locale);
    return (workspace[method] as (...given: unknown[]) => Promise<unknown>)(...given);
  }

  #connect(plugin: AgentPlugin): void {
    const owner = this.#owner;
    const member: Member = { name: String(plugin.name), added: {}, connection: undefined, told: undefined };
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
        member.added = contributionOf(contribution);
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
        check(typeof code === "string" && !!code, "code", code, "a text");
        check(typeof message === "string", "message", message, "a text");
        if (this.#isClosed) return;
        if (this.#unheard) this.#unheard.push([code, message]);
        else owner.notice(code, message);
      },
    };
    const connection: Partial<PluginConnection> | undefined = plugin.connect(host);
    const isConnection = typeof connection?.ready === "function" && typeof connection.close === "function";
    check(isConnection, `${member.name}.connect()`, connection, "an object with the methods ready and close");
    member.connection = connection as PluginConnection;
  }

  /** Tells the user that a plugin has failed, once for each reason. */
  #failed(member: Member, thrown: unknown): void {
    const { name } = member;
    const reason = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 300);
    if (member.told === reason) return;
    member.told = reason;
    this.#owner.logger?.warning?.("plugin failed", { plugin: name, reason });
    const { failed } = pluginWords(localeOf(this.#owner.locale()));
    this.#owner.notice("plugin_failed", failed(name, reason));
  }

  /** Returns the reader of the file of a skill that a path leads to. Fails with `invalid_path` if it leads out of the
   * skill. */
  #skillFile(path: string, locale: Locale): (() => Promise<WorkspaceFile>) | undefined {
    const [, skill = "", file = ""] = /^skills\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (this.#owner.hasSkill(skill)) return undefined;
    const { readSkillFile } = this.#members.find(({ added }) => hasSkill(added, skill))?.added ?? {};
    if (!readSkillFile) return undefined;
    const reason = pluginWords(locale).leadsOut;
    if (LEADS_OUT.test(file)) throw workspaceError("invalid_path", { path: path.slice(0, 200), reason }, locale);
    return () => readSkillFile(skill, file);
  }

  #isReadOnly(path: string): boolean {
    const given = foldedPath(path);
    const all = this.#members.flatMap(({ added }) => added.readOnlyPaths ?? []).map(foldedPath);
    return all.some((one) => {
      if (one.startsWith("**/")) return `/${given}`.endsWith(one.slice(2));
      return given === one || given.startsWith(`${one}/`);
    });
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

/** Returns the entries without those whose name an earlier one has. */
export function firstByName<T extends { name: string }>(all: T[]): T[] {
  const names = new Set<string>();
  return all.filter((one) => !names.has(one?.name) && names.add(one?.name));
}

/** Returns a copy of what a plugin adds, which no later change of the plugin's own objects reaches. */
function contributionOf(given: Contribution): Contribution {
  return readInput("contribution", () => {
    check(isObject(given) && !Array.isArray(given), "contribution", given, "an object with tools, skills and rules");
    const { readSkillFile } = given;
    const isReader = readSkillFile == null || typeof readSkillFile === "function";
    check(isReader, "contribution.readSkillFile", readSkillFile, "a function");
    const readOnlyPaths = plain(listOf(given, "readOnlyPaths"), "contribution.readOnlyPaths") as string[];
    const arePaths = readOnlyPaths.every((path) => typeof path === "string" && !!plainPath(path));
    check(arePaths, "contribution.readOnlyPaths", readOnlyPaths, "an array of paths");
    const tools = listOf(given, "tools") as AgentTool[];
    tools.forEach((tool, at) => check(isObject(tool), `contribution.tools[${at}]`, tool, "a tool"));
    return {
      // Not copied: a method of a tool may need the tool.
      tools: [...tools],
      skills: plain(listOf(given, "skills"), "contribution.skills") as Skill[],
      rules: plain(listOf(given, "rules"), "contribution.rules") as Rule[],
      ...(readSkillFile && { readSkillFile: (skill, path) => readSkillFile.call(given, skill, path) }),
      readOnlyPaths,
    };
  });
}

function listOf(given: Contribution, name: keyof Contribution): unknown[] {
  const list: unknown = given[name] ?? [];
  check(Array.isArray(list), `contribution.${name}`, list, "an array");
  return list as unknown[];
}

function hasSkill({ skills }: Contribution, name: string): boolean {
  return !!skills?.some((skill) => skill?.name === name);
}
