/** The plugin that adds the tools of servers to agents. */

import { check, reportError } from "../base/error.js";
import { localeOf } from "../base/locale.js";
import type { McpConfig, McpOptions, McpPlugin, McpServerState } from "../types/mcp.js";
import type { PluginConnection, PluginHost } from "../types/plugins.js";
import type { AgentTool } from "../types/tools.js";
import { isSameConnection, isSameServer, readConfig } from "./config.js";
import type { McpFailure } from "./messages.js";
import { asks, offerOf, type Offer, type OfferedTool } from "./offer.js";
import { McpServer, type ServerEvents } from "./server.js";

/** An agent that uses the plugin. */
interface Agent {
  host: PluginHost;
  /** False until its first request: before it nobody may listen to its notices. */
  isListening: boolean;
  /** The failures that it was told of, and the servers whose tools are left out. */
  told: Set<McpServer | McpFailure>;
  logged: Set<McpFailure>;
  /** The tools that it has. */
  tools: readonly OfferedTool[];
}

/** Fields are private to JavaScript as well: the settings contain keys, and apps print their plugins. */
export class McpServers implements McpPlugin {
  readonly name = "mcp";

  readonly #byName = new Map<string, McpServer>();
  readonly #agents = new Set<Agent>();
  readonly #listeners = new Set<() => void>();
  readonly #options: McpOptions;
  readonly #events: ServerEvents;
  #offer: Offer = { tools: [], leftOut: new Map() };
  #isChanging = false;

  constructor(config: McpConfig, options: McpOptions) {
    this.#options = { ...options, locale: localeOf(options.locale) };
    this.#events = {
      changed: () => this.#changed(),
      problem: (server, reason) => {
        for (const { host } of this.#agents) host.logger?.debug?.("mcp problem", { server, reason });
      },
    };
    this.configure(config);
  }

  get servers(): readonly McpServerState[] {
    return [...this.#byName.values()].map((server) => this.#stateOf(server));
  }

  configure(config: McpConfig): void {
    const given = readConfig(config);
    const before = new Map(this.#byName);
    this.#byName.clear();
    for (const [name, settings] of given) {
      const same = before.get(name);
      if (same && isSameConnection(same.config, settings)) {
        before.delete(name);
        same.configure(settings);
        this.#byName.set(name, same);
        continue;
      }
      const server = new McpServer(name, settings, this.#options, this.#events);
      if (same && isSameServer(same.config, settings) && this.#agents.size > 0) server.inherit(same);
      this.#byName.set(name, server);
    }
    this.#isChanging = true;
    for (const server of before.values()) this.#closed(server.close());
    if (this.#agents.size > 0) for (const server of this.#byName.values()) void server.open();
    this.#isChanging = false;
    this.#changed();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async reconnect(name: string): Promise<void> {
    const server = this.#byName.get(name);
    check(
      server !== undefined,
      "the name of a server",
      name,
      [...this.#byName.keys()].join(" or ") || "configured first",
    );
    if (this.#agents.size > 0) await server!.reopen();
  }

  connect(host: PluginHost): PluginConnection {
    const agent: Agent = { host, isListening: false, told: new Set(), logged: new Set(), tools: [] };
    this.#agents.add(agent);
    if (this.#agents.size === 1) for (const server of this.#byName.values()) void server.open();
    for (const server of this.#byName.values()) this.#log(agent, server);
    this.#provide(agent);
    return {
      ready: async (signal) => {
        agent.isListening = true;
        try {
          await Promise.all([...this.#byName.values()].map((server) => server.settled(signal)));
        } catch (error) {
          // The run was stopped: it does not wait any longer.
          if (!signal.aborted) throw error;
        }
        this.#tell(agent);
      },
      close: () => {
        if (!this.#agents.delete(agent) || this.#agents.size > 0) return;
        for (const server of this.#byName.values()) this.#closed(server.close());
        this.#changed();
      },
    };
  }

  #changed(): void {
    // Several servers change together.
    if (this.#isChanging) return;
    const ready = [...this.#byName.values()].filter(({ state }) => state === "ready" || state === "connecting");
    this.#offer = offerOf(ready);
    for (const agent of this.#agents) {
      for (const server of this.#byName.values()) this.#log(agent, server);
      this.#provide(agent);
      this.#tell(agent);
    }
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (thrown) {
        reportError(thrown);
      }
    }
  }

  /** Gives an agent the tools, if they are others than it has. */
  #provide(agent: Agent): void {
    const { tools } = this.#offer;
    if (isSameOffer(agent.tools, tools)) return;
    agent.tools = tools;
    try {
      agent.host.provide({ tools: tools.map((offered) => agentTool(offered)) });
    } catch (thrown) {
      // The other agents and the servers continue.
      reportError(thrown);
    }
  }

  /** Logs a failure at once, be there a request or not, and once. */
  #log(agent: Agent, server: McpServer): void {
    const { failure } = server;
    if (!failure || agent.logged.has(failure)) return;
    agent.logged.add(failure);
    agent.host.logger?.error?.("mcp server failed", { server: server.name, code: failure.code });
  }

  /** Tells an agent, once each, which servers have failed and which tools are left out. */
  #tell({ host, isListening, told }: Agent): void {
    if (!isListening) return;
    for (const server of this.#byName.values()) {
      const { failure } = server;
      if (failure && !told.has(failure)) {
        told.add(failure);
        host.notice(failure.code, failure.in(host.locale));
      }
      const leftOut = this.#offer.leftOut.get(server);
      if (leftOut && !told.has(server)) {
        told.add(server);
        host.notice(leftOut.code, leftOut.in(host.locale));
      }
    }
  }

  #stateOf(server: McpServer): McpServerState {
    const { name, state, transport, protocolVersion, failure, listed, config } = server;
    const names = new Map(
      this.#offer.tools.filter((offered) => offered.server === server).map((one) => [one.tool, one.name]),
    );
    return {
      name,
      state,
      ...(transport && { transport }),
      ...(protocolVersion && { protocolVersion }),
      tools: listed.wanted.map((tool) => ({
        ...(names.has(tool) && { name: names.get(tool)! }),
        tool: tool.name,
        ...(tool.title !== undefined && { title: tool.title }),
        ...(tool.description !== undefined && { description: tool.description }),
        inputSchema: tool.inputSchema,
        needsApproval: asks(tool, config.approval ?? "annotations"),
      })),
      ...(failure && { error: { code: failure.code, message: failure.in(this.#options.locale ?? "en") } }),
    };
  }

  #closed(closing: Promise<void>): void {
    closing.catch((thrown: unknown) => this.#events.problem("", String(thrown)));
  }
}

/** Returns true if a model could not tell the tools apart, and calls go to the same servers. */
function isSameOffer(one: readonly OfferedTool[], other: readonly OfferedTool[]): boolean {
  const shown = ({ name, description, parameters, needsApproval }: OfferedTool) =>
    JSON.stringify([name, description, parameters, needsApproval]);
  return (
    one.length === other.length &&
    one.every((tool, at) => tool.server === other[at]!.server && shown(tool) === shown(other[at]!))
  );
}

function agentTool({ name, description, parameters, needsApproval, server, tool }: OfferedTool): AgentTool {
  return {
    name,
    description,
    parameters,
    needsApproval,
    execute: (_, params, signal, onUpdate) => server.call(tool.name, params, signal, onUpdate),
  };
}
