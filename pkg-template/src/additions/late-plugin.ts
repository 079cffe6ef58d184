/** A plugin whose code is loaded when it has something to do, also for agents that exist already. */

import type { AgentPlugin, PluginConnection, PluginHost } from "../types/plugins.js";

export interface LatePluginHost {
  /** Tells the user that the plugin could not be loaded. */
  failed: () => string;
  /** Called when it is loaded. */
  loaded: () => void;
}

export class LatePlugin<P extends AgentPlugin> implements AgentPlugin {
  /** The plugin, once it is loaded. */
  plugin: P | null = null;
  private loading: Promise<void> | null = null;
  private isWanted = false;
  /** Counts the loads. */
  private turn = 0;
  private hosts = new Map<PluginHost, PluginConnection | null>();

  /** `make` loads and creates the plugin. */
  constructor(
    readonly name: string,
    private make: () => Promise<P>,
    private host: LatePluginHost,
  ) {}

  /** Loads the plugin, unless it is there, and connects it with the agents. After a failure, a call tries again. */
  start(): Promise<void> {
    this.isWanted = true;
    this.loading ??= this.load();
    return this.loading;
  }

  /** Ends the plugin: the agents lose what it has added. */
  end(): void {
    this.isWanted = false;
    this.loading = null;
    this.plugin = null;
    for (const [host, connection] of this.hosts) {
      connection?.close();
      this.hosts.set(host, null);
      if (connection) host.provide({});
    }
  }

  connect(host: PluginHost): PluginConnection {
    this.hosts.set(host, this.plugin?.connect(host) ?? null);
    return {
      ready: async (signal) => {
        if (!this.isWanted) return;
        try {
          await this.start();
        } catch (error) {
          console.warn(error);
          host.notice("plugin_not_loaded", this.host.failed());
        }
        await this.hosts.get(host)?.ready(signal);
      },
      close: () => {
        this.hosts.get(host)?.close();
        this.hosts.delete(host);
      },
    };
  }

  private async load(): Promise<void> {
    const turn = ++this.turn;
    try {
      const plugin = await this.make();
      // It was ended, and perhaps started again, while it was loading.
      if (turn !== this.turn || !this.isWanted) return;
      this.plugin = plugin;
      for (const host of this.hosts.keys()) this.hosts.set(host, plugin.connect(host));
      this.host.loaded();
    } catch (error) {
      if (turn === this.turn) this.loading = null;
      throw error;
    }
  }
}
