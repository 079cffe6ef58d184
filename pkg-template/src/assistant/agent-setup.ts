/** The agent of an assistant: the options of the app, with what was chosen and configured since. */

import { Agent, type AgentSettings } from "copydesk";
import type { AgentHooks } from "../agent/options.js";
import type { AssistantAgentOptions } from "./agent-options.js";
import { asksBeforeEdits, needsApproval, type EditMode } from "./edit-mode.js";
import type { AssistantOptions, AssistantState } from "./state.js";
import { serverToolOf, type ServerTool } from "./tool-names.js";

export interface AgentSetupHost {
  readonly state: Pick<AssistantState, "mode" | "model" | "models">;
  /** True if the agent has other options than it would be created with. */
  readonly isOutdated: boolean;
}

export class AgentSetup {
  #settings: Partial<AgentSettings & AgentHooks> = {};

  constructor(
    private given: AssistantOptions,
    private host: AgentSetupHost,
  ) {}

  /** The options that an agent has now. */
  get options(): AssistantAgentOptions {
    const { agent } = this.given;
    return { ...(typeof agent === "function" ? agent() : agent), ...this.#settings };
  }

  create(): Agent {
    const { options } = this;
    const { models, model: chosen } = this.host.state;
    const model = models.find(({ id }) => id === chosen);
    return new Agent({
      toolArgs: "partial",
      ...options,
      ...(model ? { llmConfig: model.llmConfig } : {}),
      needsApproval: this.needsApproval(options),
      document: this.given.editor,
    });
  }

  /** Changes settings of later agents, and of the one that there is. */
  configure(settings: Partial<AgentSettings & AgentHooks>, agent: Agent | null): void {
    const given = "needsApproval" in settings ? { ...settings } : settings;
    this.#settings = { ...this.#settings, ...given };
    const change = agent && "needsApproval" in given ? { needsApproval: this.needsApproval() } : {};
    agent?.configure({ ...given, ...change });
  }

  /** Returns the tools whose calls wait for approval in the edit mode. */
  needsApproval(options: AssistantAgentOptions = this.options): string[] {
    return needsApproval(options, {
      mode: this.host.state.mode,
      hasFiles: options.workspace !== undefined && !this.host.isOutdated,
      asksAtFirst: asksBeforeEdits(this.given.agent),
    });
  }

  /** Lets edits of the agent wait for review or not. */
  applyMode(mode: EditMode): void {
    this.given.editor.commands.setReviewMode(mode === "review" ? "review" : "auto");
  }

  /** Returns the tool of a server that the model calls by a name, as the settings are now; null for other tools. */
  serverTool(name: string): ServerTool | null {
    if (this.given.serverTool) return this.given.serverTool(name);
    const { plugins = [] } = this.options;
    return serverToolOf(
      name,
      plugins.flatMap((plugin) => ("servers" in plugin ? (plugin.servers as never[]) : [])),
    );
  }
}
