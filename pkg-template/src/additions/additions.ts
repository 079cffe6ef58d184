/** The additions of the user to the assistant's own abilities: skills, servers and rules. */

import { CopydeskError } from "copydesk";
import type { RunSetup } from "../assistant/stored.js";
import { serverToolOf, type ServerTool } from "../assistant/tool-names.js";
import { localItems, type Items } from "../base/items.js";
import { localeOf } from "../base/locale.js";
import type { Locale } from "../types/index.js";
import type { McpHttpServer, McpPlugin, McpServerState } from "../types/mcp.js";
import type { AgentPlugin, Rule } from "../types/plugins.js";
import type { SkillSource, SkillSourceState, SkillsPlugin } from "../types/skills.js";
import { LocalizedError } from "../base/localized-error.js";
import { LatePlugin } from "./late-plugin.js";
import type { RuleFile } from "./rule-file.js";
import { load, save, type Stored } from "./stored.js";
import { additionTexts, additionWords } from "./words.js";

/** Stores the user's decision about files with rules. */
export type DecideRuleFiles = (files: readonly RuleFile[], isUsed: boolean) => Promise<void>;

export interface AdditionsOptions {
  /** The storage. Default: `localStorage`. */
  items?: Items;
  /** Returns true if keys of servers are stored as well. Default: false. */
  keepsKeys?: () => boolean;
  /** Returns the language of messages, as a tag. Default: that of the page. */
  locale?: () => string;
}

/** The state for views. Each change makes a new object. */
export interface AdditionsState {
  readonly rules: readonly Rule[];
  /** The files with rules in the user's workspace. */
  readonly ruleFiles: readonly RuleFile[];
  readonly sources: readonly SkillSource[];
  readonly sourceStates: readonly SkillSourceState[];
  readonly servers: Readonly<Record<string, McpHttpServer>>;
  readonly serverStates: readonly McpServerState[];
  /** True if keys of servers are stored. */
  readonly keepsKeys: boolean;
  /** True if the last change could not be stored. */
  readonly isLost: boolean;
}

export class Additions {
  #items: Items;
  #ruleFiles: readonly RuleFile[] = [];
  #decide: DecideRuleFiles = async () => {};
  /** The choices of the user. */
  #stored: Stored;
  /** The part of them that is in use, and stored: all but changes that are being applied. */
  #applied: Stored;
  #isLost = false;
  #language: Locale;
  #state: AdditionsState;
  #listeners = new Set<() => void>();
  #heard = () => this.#read();
  #skills: LatePlugin<SkillsPlugin>;
  #servers: LatePlugin<McpPlugin>;
  /** The plugins for agents. They load nothing before there is something for them. */
  readonly plugins: readonly AgentPlugin[];

  constructor(private options: AdditionsOptions = {}) {
    this.#items = options.items ?? localItems();
    this.#stored = this.#applied = load(this.#items);
    this.#language = this.#locale;
    const [failed, loaded] = [() => additionWords(this.#locale).notLoaded, () => this.#changed()];
    this.#skills = new LatePlugin("skills", () => this.#makeSkills(), { failed, loaded });
    this.#servers = new LatePlugin("mcp", () => this.#makeServers(), { failed, loaded });
    this.plugins = [this.#skills, this.#servers];
    this.#state = this.#stateNow();
    // Another tab has changed them.
    addEventListener("storage", this.#heard);
  }

  /** The state, for `useSyncExternalStore` and the like. */
  readonly getSnapshot = (): AdditionsState => this.#state;

  /** Calls `listener` after each change. Returns a function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  get #locale(): Locale {
    return localeOf(this.options.locale?.());
  }

  get #keepsKeys(): boolean {
    return this.options.keepsKeys?.() ?? false;
  }

  #stateNow(): AdditionsState {
    const { rules, skills: sources, servers } = this.#stored;
    return {
      rules,
      ruleFiles: this.#ruleFiles,
      sources,
      sourceStates: this.#skills.plugin?.list ?? [],
      servers,
      serverStates: this.#servers.plugin?.servers ?? [],
      keepsKeys: this.#keepsKeys,
      isLost: this.#isLost,
    };
  }

  /** Loads the parts that are needed. The first request waits for it as well. */
  start(): void {
    for (const plugin of this.#wanted()) plugin.start().catch((error: unknown) => console.warn(error));
  }

  /** Sets the files with rules, and what stores a decision about them. */
  setRuleFiles(files: readonly RuleFile[], decide: DecideRuleFiles = async () => {}): void {
    [this.#ruleFiles, this.#decide] = [files, decide];
    this.#changed();
  }

  decideRuleFile(file: RuleFile, isUsed: boolean): Promise<void> {
    return this.#decide([file], isUsed);
  }

  /** The part in use now, for the option `setup` of `createAssistant`. */
  get setup(): RunSetup {
    const rules = this.#stored.rules.filter(({ enabled, text }) => enabled !== false && text.trim());
    const files = this.#ruleFiles.filter(({ consent }) => consent === undefined || consent === "given");
    return {
      skills: this.#stateNow().sourceStates.flatMap(({ skills, state }) =>
        state === "disabled" ? [] : skills.map(({ name }) => name),
      ),
      servers: this.#stateNow().serverStates.flatMap(({ name, state, tools }) =>
        state === "ready" ? [{ name, tools: tools.filter((tool) => tool.name).length }] : [],
      ),
      rules: [...rules.map(({ text }) => text.trim()), ...files.map(({ text, path }) => `${path}: ${text.trim()}`)],
    };
  }

  /** Returns the tool of a server by its name for models, for the option `serverTool` of `createAssistant`. */
  serverTool(name: string): ServerTool | null {
    return serverToolOf(name, this.#stateNow().serverStates);
  }

  setRules(rules: readonly Rule[]): void {
    this.#stored = { ...this.#stored, rules: [...rules] };
    this.#applied = { ...this.#applied, rules: this.#stored.rules };
    this.#saved();
  }

  /** Replaces the sources of skills. Fails with a sentence for the user. */
  setSources(sources: readonly SkillSource[]): Promise<void> {
    return this.#replace("skills", [...sources], this.#skills);
  }

  /** Replaces the servers. Fails with a sentence for the user. */
  setServers(servers: Readonly<Record<string, McpHttpServer>>): Promise<void> {
    return this.#replace("servers", { ...servers }, this.#servers);
  }

  async refresh(id: string): Promise<void> {
    await this.#skills.plugin?.refresh(id);
  }

  async reconnect(name: string): Promise<void> {
    await this.#servers.plugin?.reconnect(name);
  }

  /** Saves or removes the keys, after the user has changed whether they are remembered. */
  keysChanged(): void {
    this.#saved();
  }

  async #makeSkills(): Promise<SkillsPlugin> {
    const { skills } = await import("../skills.js");
    this.#keep("skills", (all) => all.filter((source) => isAccepted(() => skills([source]))));
    const plugin = skills(this.#stored.skills, { locale: this.#locale });
    plugin.subscribe(() => this.#changed());
    return plugin;
  }

  async #makeServers(): Promise<McpPlugin> {
    const { mcp } = await import("../mcp.js");
    this.#keep("servers", (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([name, server]) => isAccepted(() => mcp({ mcpServers: { [name]: server } }))),
      ),
    );
    const plugin = mcp({ mcpServers: this.#stored.servers }, { locale: this.#locale });
    plugin.subscribe(() => this.#changed());
    return plugin;
  }

  #wanted(): LatePlugin<SkillsPlugin | McpPlugin>[] {
    const { skills, servers } = this.#stored;
    return [...(skills.length ? [this.#skills] : []), ...(Object.keys(servers).length ? [this.#servers] : [])];
  }

  /** Leaves out saved entries that cannot be used, so that they do not keep the others from it. */
  #keep<K extends "skills" | "servers">(name: K, usable: (saved: Stored[K]) => Stored[K]): void {
    const before = this.#applied[name];
    this.#applied = { ...this.#applied, [name]: usable(before) };
    if (this.#stored[name] === before) this.#stored = { ...this.#stored, [name]: this.#applied[name] };
  }

  /** Applies a change, or takes it back; other changes meanwhile stay. */
  async #replace<K extends "skills" | "servers">(
    name: K,
    value: Stored[K],
    late: LatePlugin<SkillsPlugin | McpPlugin>,
  ): Promise<void> {
    this.#stored = { ...this.#stored, [name]: value };
    this.#changed();
    try {
      await this.#apply(late);
    } catch (error) {
      if (this.#stored[name] === value) {
        this.#stored = { ...this.#stored, [name]: this.#applied[name] };
        this.#changed();
      }
      console.warn(error);
      const isInvalid = error instanceof CopydeskError && error.code === "invalid_parameter";
      throw new LocalizedError(additionTexts(isInvalid ? name : "notLoaded"), { cause: error });
    }
    this.#applied = { ...this.#applied, [name]: this.#stored[name] };
    this.#saved();
  }

  async #apply(late: LatePlugin<SkillsPlugin | McpPlugin>): Promise<void> {
    if (!this.#wanted().includes(late)) return late.end();
    await late.start();
    if (late === this.#skills) this.#skills.plugin?.configure(this.#stored.skills);
    else this.#servers.plugin?.configure({ mcpServers: this.#stored.servers });
  }

  /** Begins again if the language of the page is another one. That ends calls, so it waits for the end of a run. */
  localeChanged(): void {
    if (this.#language === this.#locale) return;
    this.#language = this.#locale;
    for (const plugin of [this.#skills, this.#servers]) plugin.end();
    this.#changed();
    this.start();
  }

  #read(): void {
    const before = new Map(Object.entries(this.#stored.servers));
    this.#applied = load(this.#items);
    // Keys that are not saved are known here only; of those that are, the removed ones are gone.
    if (!this.#keepsKeys)
      for (const [name, server] of Object.entries(this.#applied.servers))
        if (before.get(name)?.url === server.url) server.headers = before.get(name)?.headers ?? {};
    this.#stored = this.#applied;
    for (const plugin of [this.#skills, this.#servers])
      this.#apply(plugin).catch((error: unknown) => console.warn(error));
    this.#changed();
  }

  #saved(): void {
    this.#isLost = !save(this.#items, this.#applied, this.#keepsKeys);
    this.#changed();
  }

  #changed(): void {
    this.#state = this.#stateNow();
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Ends the plugins, and releases everything. */
  dispose(): void {
    removeEventListener("storage", this.#heard);
    for (const plugin of [this.#skills, this.#servers]) plugin.end();
    this.#listeners.clear();
  }
}

/** Returns true if a plugin takes an entry. */
function isAccepted(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch (error) {
    console.warn(error);
    return false;
  }
}
