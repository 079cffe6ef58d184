/** What the user has given the assistant beside its own abilities: skills, servers and rules. */
import { CopydeskError, type AgentPlugin, type Rule } from "copydesk";
import type { RuleFile } from "copydesk/ui";
import { LocalizedError } from "copydesk/ui/words";
import type { McpHttpServer, McpPlugin, McpServerState } from "copydesk/mcp";
import type { SkillSource, SkillSourceState, SkillsPlugin } from "copydesk/skills";
import { inAllLocales, locale, messages, type Messages } from "../locale";
import { LatePlugin } from "./late-plugin";
import { load, save, type Stored } from "./store";
import { serverToolOf, type RunSetup, type ServerTool } from "copydesk/assistant";

/** Stores the user's decision about files with rules. */
type Decide = (files: readonly RuleFile[], isUsed: boolean) => Promise<void>;

export class Additions {
  /** The rules in the files of the user, which the agent reads itself. */
  private files: readonly RuleFile[] = [];
  private decide: Decide = async () => {};
  /** What the user has chosen. */
  private stored: Stored = load();
  /** What of it is in use, and saved: all but changes that are being applied. */
  private applied: Stored = this.stored;
  private language = locale();
  private listeners = new Set<() => void>();
  private skillsPlugin = new LatePlugin<SkillsPlugin>("skills", () => this.makeSkills(), notLoaded);
  private serversPlugin = new LatePlugin<McpPlugin>("mcp", () => this.makeServers(), notLoaded);
  /** The plugins for agents. They load nothing before there is something for them. */
  readonly plugins: readonly AgentPlugin[] = [this.skillsPlugin, this.serversPlugin];

  /** `remembersKeys` returns true if keys are saved. */
  constructor(private remembersKeys: () => boolean) {
    // Another tab has changed them.
    addEventListener("storage", () => this.read());
  }

  /** True if the last change could not be saved. */
  isLost = false;

  /** Calls `listener` after each change. */
  subscribe(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Loads what is needed. The first request waits for it as well. */
  start(): void {
    for (const plugin of this.wanted()) plugin.start().catch((error: unknown) => console.warn(error));
  }

  get rules(): Rule[] {
    return this.stored.rules;
  }

  get sources(): SkillSource[] {
    return this.stored.skills;
  }

  get sourceStates(): readonly SkillSourceState[] {
    return this.skillsPlugin.plugin?.list ?? [];
  }

  get servers(): Stored["servers"] {
    return this.stored.servers;
  }

  get serverStates(): readonly McpServerState[] {
    return this.serversPlugin.plugin?.servers ?? [];
  }

  get ruleFiles(): readonly RuleFile[] {
    return this.files;
  }

  /** Sets the files with rules, and what stores a decision about them. */
  setRuleFiles(files: readonly RuleFile[], decide: Decide = async () => {}): void {
    [this.files, this.decide] = [files, decide];
    this.changed();
  }

  decideRuleFile(file: RuleFile, isUsed: boolean): Promise<void> {
    return this.decide([file], isUsed);
  }

  get keepsKeys(): boolean {
    return this.remembersKeys();
  }

  /** What is in use now. */
  get setup(): RunSetup {
    const rules = this.rules.filter(({ enabled, text }) => enabled !== false && text.trim());
    const files = this.files.filter(({ consent }) => consent === undefined || consent === "given");
    return {
      skills: this.sourceStates.flatMap(({ skills, state }) =>
        state === "disabled" ? [] : skills.map(({ name }) => name),
      ),
      servers: this.serverStates.flatMap(({ name, state, tools }) =>
        state === "ready" ? [{ name, tools: tools.filter((tool) => tool.name).length }] : [],
      ),
      rules: [...rules.map(({ text }) => text.trim()), ...files.map(({ text, path }) => `${path}: ${text.trim()}`)],
    };
  }

  serverTool(name: string): ServerTool | null {
    return serverToolOf(name, this.serverStates);
  }

  setRules(rules: readonly Rule[]): void {
    this.stored = { ...this.stored, rules: [...rules] };
    this.applied = { ...this.applied, rules: this.stored.rules };
    this.saved();
  }

  /** Replaces the sources of skills. Fails with a sentence for the user. */
  setSources(sources: readonly SkillSource[]): Promise<void> {
    return this.replace("skills", [...sources], this.skillsPlugin, (m) => m.plugins.invalidSource);
  }

  /** Replaces the servers. Fails with a sentence for the user. */
  setServers(servers: Readonly<Record<string, McpHttpServer>>): Promise<void> {
    return this.replace("servers", { ...servers }, this.serversPlugin, (m) => m.plugins.invalidServer);
  }

  async refresh(id: string): Promise<void> {
    await this.skillsPlugin.plugin?.refresh(id);
  }

  async reconnect(name: string): Promise<void> {
    await this.serversPlugin.plugin?.reconnect(name);
  }

  /** Saves or removes the keys, after the user has changed whether they are remembered. */
  keysChanged(): void {
    this.saved();
  }

  private async makeSkills(): Promise<SkillsPlugin> {
    const { skills } = await import("copydesk/skills");
    this.keep("skills", (all) => all.filter((source) => isAccepted(() => skills([source]))));
    const plugin = skills(this.stored.skills, { locale: locale() });
    plugin.subscribe(() => this.changed());
    return plugin;
  }

  private async makeServers(): Promise<McpPlugin> {
    const { mcp } = await import("copydesk/mcp");
    this.keep("servers", (all) =>
      Object.fromEntries(
        Object.entries(all).filter(([name, server]) => isAccepted(() => mcp({ mcpServers: { [name]: server } }))),
      ),
    );
    const plugin = mcp({ mcpServers: this.stored.servers }, { locale: locale() });
    plugin.subscribe(() => this.changed());
    return plugin;
  }

  private wanted(): LatePlugin<SkillsPlugin | McpPlugin>[] {
    const { skills, servers } = this.stored;
    return [
      ...(skills.length ? [this.skillsPlugin] : []),
      ...(Object.keys(servers).length ? [this.serversPlugin] : []),
    ];
  }

  /** Leaves out saved entries that cannot be used, so that they do not keep the others from it. */
  private keep<K extends "skills" | "servers">(name: K, usable: (saved: Stored[K]) => Stored[K]): void {
    const before = this.applied[name];
    this.applied = { ...this.applied, [name]: usable(before) };
    if (this.stored[name] === before) this.stored = { ...this.stored, [name]: this.applied[name] };
  }

  /** Applies a change, or takes it back; other changes meanwhile stay. */
  private async replace<K extends "skills" | "servers">(
    name: K,
    value: Stored[K],
    late: LatePlugin<SkillsPlugin | McpPlugin>,
    invalid: (m: Messages) => string,
  ): Promise<void> {
    this.stored = { ...this.stored, [name]: value };
    this.changed();
    try {
      await this.apply(late);
    } catch (error) {
      if (this.stored[name] === value) {
        this.stored = { ...this.stored, [name]: this.applied[name] };
        this.changed();
      }
      console.warn(error);
      const isInvalid = error instanceof CopydeskError && error.code === "invalid_parameter";
      const texts = inAllLocales((m) => (isInvalid ? invalid(m) : m.plugins.notLoaded));
      throw new LocalizedError(texts, { cause: error });
    }
    this.applied = { ...this.applied, [name]: this.stored[name] };
    this.saved();
  }

  private async apply(late: LatePlugin<SkillsPlugin | McpPlugin>): Promise<void> {
    if (!this.wanted().includes(late)) return late.end();
    await late.start();
    if (late === this.skillsPlugin) this.skillsPlugin.plugin?.configure(this.stored.skills);
    else this.serversPlugin.plugin?.configure({ mcpServers: this.stored.servers });
  }

  /** Begins again if the language of the page is another one. That ends calls, so it waits for the end of a run. */
  localeChanged(): void {
    if (this.language === locale()) return;
    this.language = locale();
    for (const plugin of [this.skillsPlugin, this.serversPlugin]) plugin.end();
    this.start();
  }

  private read(): void {
    const before = new Map(Object.entries(this.stored.servers));
    this.applied = load();
    // Keys that are not saved are known here only; of those that are, the removed ones are gone.
    if (!this.remembersKeys())
      for (const [name, server] of Object.entries(this.applied.servers))
        if (before.get(name)?.url === server.url) server.headers = before.get(name)?.headers ?? {};
    this.stored = this.applied;
    for (const plugin of [this.skillsPlugin, this.serversPlugin])
      this.apply(plugin).catch((error: unknown) => console.warn(error));
    this.changed();
  }

  private saved(): void {
    this.isLost = !save(this.applied, this.remembersKeys());
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
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

function notLoaded(): string {
  return messages().plugins.notLoaded;
}
