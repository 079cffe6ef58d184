/** What the user gives the assistant besides a model: rules, skills and tool servers. Saved across visits. */
import type { AgentPlugin, Rule } from "copydesk";
import type { McpConfig, McpPlugin, McpServerState } from "copydesk/mcp";
import type { SkillSource, SkillSourceState, SkillsPlugin } from "copydesk/skills";
import type { ServerItem } from "../panels/assistant";
import { loadItem, removeItem, saveItem } from "../storage";
import { LazyPlugin } from "./lazy-plugin";

/** The state of an extra that the assistant works with, as it is told at the beginning of a run. */
export interface InUse {
  rules: number;
  skills: string[];
  servers: string[];
}

export class Extras {
  rules: readonly Rule[] = savedList("rules");
  sources: readonly SkillSource[] = savedList("skills");
  servers: readonly ServerItem[] = savedServers();
  private skills = new LazyPlugin<SkillsPlugin>("skills", async () => {
    const { skills } = await import("copydesk/skills");
    const plugin = skills([...this.sources]);
    plugin.subscribe(() => this.tell());
    return plugin;
  });
  private mcp = new LazyPlugin<McpPlugin>("mcp", async () => {
    const { mcp } = await import("copydesk/mcp");
    const plugin = mcp(this.mcpConfig());
    plugin.subscribe(() => this.tell());
    return plugin;
  });
  private listeners = new Set<() => void>();

  /** `keepsKeys` says whether the user has keys saved; `onRules` is called with other rules. */
  constructor(
    private keepsKeys: () => boolean,
    private onRules: (rules: readonly Rule[]) => void,
  ) {
    if (this.sources.length) this.load(this.skills);
    if (this.servers.length) this.load(this.mcp);
  }

  /** The plugins for an agent. */
  get plugins(): AgentPlugin[] {
    return [this.skills, this.mcp];
  }

  get skillStates(): readonly SkillSourceState[] {
    return this.skills.current?.list ?? [];
  }

  get serverStates(): readonly McpServerState[] {
    return this.mcp.current?.servers ?? [];
  }

  get inUse(): InUse {
    const ready = this.skillStates.filter(({ state }) => state === "ready");
    return {
      rules: this.rules.filter(({ enabled, text }) => enabled !== false && text.trim()).length,
      skills: ready.flatMap(({ skills }) => skills.map(({ name }) => name)),
      servers: this.serverStates.filter(({ state }) => state === "ready").map(({ name }) => name),
    };
  }

  /** Calls `listener` after each change of a state. */
  subscribe(listener: () => void): void {
    this.listeners.add(listener);
  }

  setRules(rules: readonly Rule[]): void {
    this.rules = rules;
    saveItem("rules", JSON.stringify(rules));
    this.onRules(rules);
  }

  setSources(sources: readonly SkillSource[]): void {
    this.sources = sources;
    saveItem("skills", JSON.stringify(sources));
    if (this.skills.current) this.skills.current.configure([...sources]);
    else if (sources.length) this.load(this.skills);
  }

  setServers(servers: readonly ServerItem[]): void {
    this.servers = servers;
    saveItem("servers", JSON.stringify(servers.map(({ key: _, ...server }) => server)));
    const keys = Object.fromEntries(servers.flatMap(({ name, key }) => (key ? [[name, key]] : [])));
    if (this.keepsKeys() && Object.keys(keys).length) saveItem("server-keys", JSON.stringify(keys));
    else removeItem("server-keys");
    if (this.mcp.current) this.mcp.current.configure(this.mcpConfig());
    else if (servers.length) this.load(this.mcp);
  }

  async look(id: string): Promise<void> {
    await this.skills.current?.refresh(id);
  }

  async reconnect(name: string): Promise<void> {
    await this.mcp.current?.reconnect(name);
  }

  private mcpConfig(): McpConfig {
    const server = ({ name, url, key, enabled }: ServerItem) =>
      [name, { url, enabled, ...(key ? { headers: { authorization: `Bearer ${key}` } } : {}) }] as const;
    return { mcpServers: Object.fromEntries(this.servers.map(server)) };
  }

  private load(plugin: LazyPlugin<AgentPlugin>): void {
    plugin.load().then(
      () => this.tell(),
      (error: unknown) => console.warn(error),
    );
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Reads a saved value; what cannot be read is none. */
function saved(name: string): unknown {
  try {
    return JSON.parse(loadItem(name) ?? "null");
  } catch {
    return null;
  }
}

function savedList<T>(name: string): T[] {
  const value = saved(name);
  return Array.isArray(value) ? (value as T[]) : [];
}

function savedServers(): ServerItem[] {
  const keys = (saved("server-keys") ?? {}) as Record<string, string | undefined>;
  return savedList<ServerItem>("servers").map((server) => {
    const key = keys[server.name];
    return key ? { ...server, key } : server;
  });
}
