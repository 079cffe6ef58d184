/** A plugin of the agent whose code is loaded when there is something for it to do. */
import type { AgentPlugin, PluginConnection, PluginHost } from "copydesk";

interface Entry {
  host: PluginHost;
  connection: PluginConnection | null;
}

export class LazyPlugin<P extends AgentPlugin> implements AgentPlugin {
  /** The plugin, once it is loaded. */
  current: P | null = null;
  private loading: Promise<P> | null = null;
  private entries = new Set<Entry>();

  constructor(
    readonly name: string,
    private create: () => Promise<P>,
  ) {}

  /** Loads the plugin. After a failure the next call tries again. */
  load(): Promise<P> {
    this.loading ??= this.create().then(
      (plugin) => {
        this.current = plugin;
        for (const entry of this.entries) entry.connection = plugin.connect(entry.host);
        return plugin;
      },
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  connect(host: PluginHost): PluginConnection {
    const entry: Entry = { host, connection: this.current?.connect(host) ?? null };
    this.entries.add(entry);
    return {
      ready: async (signal) => {
        // Without its code the run goes on; whoever loads it shows the failure.
        await this.loading?.catch(() => {});
        await entry.connection?.ready(signal);
      },
      close: () => {
        this.entries.delete(entry);
        entry.connection?.close();
      },
    };
  }
}
