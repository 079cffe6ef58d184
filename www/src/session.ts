/** The agent of the page: made from the settings, made anew when another model takes over. */
import { Agent, type AgentEvent, type RunResult } from "copydesk";
import type { Editor } from "@tiptap/core";
import { demoFetch } from "./demo-model/fetch";
import { isDemo, llmConfigOf, loadSettings, saveSettings, servicesOf, type Settings } from "./settings/store";
import { locale } from "./words";

export class Session {
  settings: Settings = loadSettings();
  running = false;
  private agent: Agent;
  private listeners = new Set<(event: AgentEvent) => void>();

  constructor(private editor: Editor) {
    this.agent = this.makeAgent();
  }

  get demo(): boolean {
    return isDemo(this.settings);
  }

  private makeAgent(): Agent {
    const agent = new Agent({
      document: this.editor,
      llmConfig: llmConfigOf(this.settings),
      services: servicesOf(this.settings),
      locale: locale(),
      ...(this.demo ? { fetch: demoFetch } : {}),
    });
    agent.subscribe((event) => {
      for (const listener of this.listeners) listener(event);
    });
    return agent;
  }

  subscribe(listener: (event: AgentEvent) => void): void {
    this.listeners.add(listener);
  }

  async prompt(text: string): Promise<RunResult> {
    this.running = true;
    try {
      return await this.agent.prompt(text);
    } finally {
      this.running = false;
    }
  }

  stop(): void {
    if (this.running) this.agent.abort();
  }

  /** Takes new settings. Returns whether another model answers from now on, and so a new conversation begins. */
  configure(settings: Settings): boolean {
    const before = this.settings;
    this.settings = settings;
    saveSettings(settings);
    const another =
      isDemo(before) !== isDemo(settings) ||
      (!isDemo(settings) && (before.baseUrl !== settings.baseUrl || before.modelId !== settings.modelId));
    if (isDemo(before) !== isDemo(settings)) this.agent = this.makeAgent();
    else {
      if (another) this.agent.reset();
      this.agent.configure({ llmConfig: llmConfigOf(settings), services: servicesOf(settings) });
    }
    return another;
  }

  relocate(): void {
    this.agent.configure({ locale: locale() });
  }

  reset(): void {
    this.agent.reset();
  }
}
