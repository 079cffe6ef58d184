/** The agent of the page: made from the settings, made anew when another model takes over. */
import { Agent, type AgentEvent, type RunResult } from "copydesk";
import type { Editor } from "@tiptap/core";
import { demoFetch } from "./demo-model/fetch";
import { editModeOf } from "./editor";
import { isDemo, llmConfigOf, loadSettings, saveSettings, servicesOf, type Settings } from "./settings/store";
import { locale } from "./words";

/** The tools that change the page. */
const editing = ["edit_current_editor_document", "replace_text", "update_section", "insert_image"];

/** The tools whose calls wait for the person's yes. */
const askedFor = () => (editModeOf() === "ask" ? editing : []);

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
      needsApproval: askedFor(),
      // So that a fault can be shown to others.
      record: true,
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

  prompt(text: string): Promise<RunResult> {
    return this.run(() => this.agent.prompt(text));
  }

  /** Goes on after a failure with the conversation as it is. */
  again(): Promise<RunResult> {
    return this.run(() => this.agent.continue());
  }

  private async run(begin: () => Promise<RunResult>): Promise<RunResult> {
    this.running = true;
    try {
      return await begin();
    } finally {
      this.running = false;
    }
  }

  /** Has the model hear these after the step under way, and nothing that was queued before. */
  queue(texts: readonly string[]): void {
    this.agent.clearQueues();
    for (const text of texts) this.agent.steer(text);
  }

  approve(toolId: string, approved: boolean): void {
    this.agent.approve(toolId, approved);
  }

  /** What some turns cost: tokens, and money where there are prices for all of it. */
  spent(turnIds: readonly string[]): { tokens: number; cost: number | null } {
    const turns = this.agent.ledger.turns.filter(({ turnId }) => turnIds.includes(turnId));
    const cost = turns.reduce<number | null>((sum, turn) => (sum === null || turn.cost === null ? null : sum + turn.cost), 0);
    return { tokens: turns.reduce((sum, { usage }) => sum + usage.totalTokens, 0), cost };
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
      (!isDemo(settings) && (before.api !== settings.api || before.baseUrl !== settings.baseUrl || before.modelId !== settings.modelId));
    if (isDemo(before) !== isDemo(settings)) this.agent = this.makeAgent();
    else {
      if (another) this.agent = this.makeAgent();
      else this.agent.configure({ llmConfig: llmConfigOf(settings), services: servicesOf(settings) });
    }
    return another;
  }

  /** The person chose another mode of edits. */
  modeChanged(): void {
    this.agent.configure({ needsApproval: askedFor() });
  }

  relocate(): void {
    this.agent.configure({ locale: locale() });
  }

  /** Begins anew, and so does the recording. */
  reset(): void {
    this.agent = this.makeAgent();
  }

  /** The conversation as a file that can be played. */
  get recording(): string {
    return this.agent.recording;
  }
}
