/** The agent of the page: created from the settings, and created again for a new conversation or another model. */
import { Agent, type AgentEvent, type AgentOptions, type Message, type Rule, type RunResult } from "copydesk";
import type { Editor } from "@tiptap/core";
import { agentActions, type AgentAction } from "copydesk/tiptap";
import type { WorkspaceHost } from "copydesk/workspace";
import type { Situation } from "./demo-model/fits";
import type { DemoModel } from "./demo-model/model";
import { editModeOf } from "./editor";
import type { Engine } from "./engine";
import { Additions } from "./plugins/additions";
import {
  isDemo,
  isEstimated,
  llmConfigOf,
  loadSettings,
  remembersKeys,
  saveSettings,
  servicesOf,
  type Settings,
} from "./settings/store";
import { locale } from "./locale";
import { loadItem, removeItem, saveItem } from "./storage";

/** The tools that change files. */
const WRITING_TOOLS = ["write_file", "write_chapter", "edit_file"];

/** The tools that change the document. */
const EDITING_TOOLS = [
  "edit_current_editor_document",
  "replace_text",
  "set_attributes",
  "update_section",
  "insert_image",
  "move_section",
];

/** Returns the tools whose calls need the user's approval, with those for files if the agent has them. */
const toolsToApprove = (hasFiles: boolean) =>
  editModeOf() === "ask" ? [...EDITING_TOOLS, ...(hasFiles ? WRITING_TOOLS : [])] : [];

/** Returns the id of the menu item with an instruction. */
function actionWith(instruction: string, actions = agentActions): string | undefined {
  for (const { id, instruction: texts, choices } of actions) {
    if (!choices && Object.values(texts).includes(instruction)) return id;
    const found = choices && actionWith(instruction, choices);
    if (found) return found;
  }
  return undefined;
}

/** Returns true if runs are recorded, so that users can report faults. That takes the full build of copydesk. */
export const recordsRuns = (): boolean => loadItem("record") === "1";

/** Sets whether runs are recorded. It holds after the page was loaded again. */
export const setRecordsRuns = (on: boolean): void => {
  if (on) saveItem("record", "1");
  else removeItem("record");
};

export class Session {
  settings: Settings = loadSettings();
  private current: Agent | null = null;
  /** The conversation that the next agent continues. */
  private saved: Message[] = [];
  private listeners = new Set<(event: AgentEvent) => void>();

  /** The messages to be sent after the current step. */
  private queued: readonly string[] = [];
  /** A run waits for the wasm (`loading`), has not begun its first step (`starting`), or has. */
  private phase: "idle" | "loading" | "starting" | "running" = "idle";
  /** The files of the user, once there are some. */
  private files: WorkspaceHost | null = null;
  /** Returns true for rules in files that the agent may follow. */
  private acceptsRule: AgentOptions["ruleFiles"];
  /** The agent was created without the files. */
  private isOutdated = false;
  /** The number of the user's files; null before there is a place for them. */
  fileCount: number | null = null;
  /** The rules that the agent has. */
  private rules: Rule[] = [];
  /** The file that is open in the editor. */
  private path: string | undefined;
  /** The demo model, once it is loaded. */
  private demoModel: DemoModel | null = null;
  /** Ends the wait of a run for the wasm. */
  private endWait: () => void = () => {};

  /** The user's skills, servers and rules. */
  readonly additions = new Additions(remembersKeys);

  constructor(
    private editor: Editor,
    private engine: Engine,
  ) {
    this.additions.subscribe(() => this.rulesChanged());
  }

  get documentPath(): string | undefined {
    return this.path;
  }

  /** Tells the assistant which file is open in the editor. */
  set documentPath(path: string | undefined) {
    if (path === this.path) return;
    this.path = path;
    this.current?.configure({ documentPath: path });
  }

  /** The agent, created when it is needed first: it is not part of what makes the page ready. */
  get agent(): Agent {
    return (this.current ??= this.createAgent(this.saved));
  }

  /** Loads and creates everything for the first request, so that it does not wait, and works offline. */
  async prepare(): Promise<void> {
    // If it fails here, the first request loads it again.
    const loaded = this.demo
      ? Promise.allSettled([this.loadDemoModel().then((model) => model.prepare(locale()))])
      : undefined;
    this.additions.start();
    await this.engine.load();
    // Creating an agent takes longer than a frame.
    await new Promise((resolve) => setTimeout(resolve));
    void this.agent;
    await loaded;
  }

  get demo(): boolean {
    return isDemo(this.settings);
  }

  /** Loads the demo model, which a page with a model of its own does not need. */
  private async loadDemoModel(): Promise<DemoModel> {
    const { DemoModel } = await import("./demo-model/model");
    return (this.demoModel ??= new DemoModel(this));
  }

  /** What the demo model knows of the page. */
  get situation(): Situation {
    const { editor, files, fileCount } = this;
    const { status, instruction, range } = editor.storage.copydesk.ask;
    if (status !== "running" || !range) return { editor, files, fileCount };
    const selection = editor.state.doc.textBetween(range.from, range.to, "\n");
    return { editor, files, fileCount, action: actionWith(instruction), selection };
  }

  /** Returns the prompts that the demo model can answer now, of those it suggests. */
  async demoSuggestions(): Promise<string[]> {
    return (await this.loadDemoModel()).suggestions(locale());
  }

  /** Returns the actions of the menus. */
  get actions(): readonly AgentAction[] {
    return (this.demo && this.demoModel?.actions(agentActions)) || agentActions;
  }

  private createAgent(conversation: Message[] = []): Agent {
    this.rules = this.additions.rules;
    const agent = new Agent({
      document: this.editor,
      ...(this.files ? { workspace: this.files, ruleFiles: this.acceptsRule ?? true } : {}),
      llmConfig: llmConfigOf(this.settings),
      services: servicesOf(this.settings),
      locale: locale(),
      needsApproval: toolsToApprove(this.files !== null),
      toolArgs: "partial",
      documentPath: this.path,
      record: recordsRuns(),
      rules: this.rules,
      plugins: [...this.additions.plugins],
      ...(this.demo ? { fetch: async (input, init) => (await this.loadDemoModel()).fetch(input, init) } : {}),
    });
    if (conversation.length) agent.messages = conversation;
    agent.subscribe((event) => {
      // The page asks for consent in a notice of its own.
      if (event.type === "notice" && event.code === "rules_not_accepted") return;
      if (event.type === "agent_start") this.demoModel?.begin();
      if (event.type === "turn_start" && this.phase === "starting") {
        this.phase = "running";
        if (this.queued.length) this.sendQueue();
      }
      for (const listener of this.listeners) listener(event);
    });
    return agent;
  }

  /** Gives the assistant the files of the user, after a run that is under way. `acceptsRule` asks for consent. */
  useFiles(files: WorkspaceHost, acceptsRule: AgentOptions["ruleFiles"]): void {
    [this.files, this.acceptsRule] = [files, acceptsRule];
    this.isOutdated = this.current !== null;
    // Its skills may be in these files.
    if (this.isOutdated && this.phase === "idle") this.begin(this.messages);
  }

  subscribe(listener: (event: AgentEvent) => void): void {
    this.listeners.add(listener);
  }

  /** Runs a prompt, as soon as the wasm is loaded. Returns null if it was stopped before. */
  prompt(text: string): Promise<RunResult | null> {
    return this.run(() => this.currentAgent().prompt(text));
  }

  /** Takes over a run that was started in the document. */
  follow(result: Promise<RunResult>): Promise<RunResult | null> {
    return this.run(() => {
      this.phase = "running";
      return result;
    });
  }

  /** Continues the conversation after a failure. */
  continue(): Promise<RunResult | null> {
    return this.run(() => this.currentAgent().continue());
  }

  /** The agent with the files that there are now. */
  private currentAgent(): Agent {
    if (this.isOutdated) this.begin(this.messages);
    return this.agent;
  }

  private async run(begin: () => Promise<RunResult>): Promise<RunResult | null> {
    try {
      if (this.engine.state !== "ready") {
        this.phase = "loading";
        const stopped = new Promise<true>((resolve) => (this.endWait = () => resolve(true)));
        if (await Promise.race([this.engine.load(), stopped])) return null;
      }
      this.phase = "starting";
      return await begin();
    } finally {
      this.phase = "idle";
      this.queued = [];
      // A change of language has waited for it.
      this.additions.localeChanged();
    }
  }

  /** Sends these messages after the current step, in place of those queued before. */
  queue(texts: readonly string[]): void {
    this.queued = [...texts];
    // Before the first step they would become part of the prompt.
    if (this.phase === "running") this.sendQueue();
    else this.current?.clearQueues();
  }

  private sendQueue(): void {
    this.agent.clearQueues();
    for (const text of this.queued) this.agent.steer(text);
  }

  approve(toolId: string, approved: boolean): void {
    this.agent.approve(toolId, approved);
  }

  /** Returns the tokens of some turns, and their cost in US dollars, or null where a price is unknown. */
  usage(turnIds: readonly string[]): { tokens: number; cost: number | null; estimated: boolean } {
    const turns = this.agent.ledger.turns.filter(({ turnId }) => turnIds.includes(turnId));
    const cost = turns.reduce<number | null>(
      (sum, turn) => (sum === null || turn.cost === null ? null : sum + turn.cost),
      0,
    );
    const tokens = turns.reduce((sum, { usage }) => sum + usage.totalTokens, 0);
    return { tokens, cost, estimated: isEstimated(this.settings) };
  }

  stop(): void {
    if (this.phase === "loading") this.endWait();
    else if (this.phase !== "idle") this.agent.abort();
  }

  /** Applies new settings. Returns true if another model answers now; the caller then begins a new conversation. */
  configure(settings: Settings): boolean {
    const before = this.settings;
    this.settings = settings;
    saveSettings(settings);
    this.additions.keysChanged();
    const another =
      isDemo(before) !== isDemo(settings) ||
      (!isDemo(settings) &&
        (before.api !== settings.api || before.baseUrl !== settings.baseUrl || before.modelId !== settings.modelId));
    if (!another) this.current?.configure({ llmConfig: llmConfigOf(settings), services: servicesOf(settings) });
    return another;
  }

  /** Applies the edit mode after the user has changed it. */
  modeChanged(): void {
    this.current?.configure({ needsApproval: toolsToApprove(this.files !== null && !this.isOutdated) });
  }

  /** Applies the language after the user has changed it. */
  localeChanged(): void {
    this.current?.configure({ locale: locale() });
    if (this.phase === "idle") this.additions.localeChanged();
  }

  /** Applies the rules, if they have changed: also in a run under way. */
  private rulesChanged(): void {
    const { rules } = this.additions;
    if (!this.current || rules === this.rules) return;
    this.rules = rules;
    this.current.configure({ rules });
  }

  /** Starts a new conversation and a new recording, or continues one that was saved. */
  begin(messages: Message[] = []): void {
    const before = this.current;
    this.saved = messages;
    this.current = null;
    this.isOutdated = false;
    before?.dispose();
    if (before) this.current = this.createAgent(messages);
  }

  /** The conversation as the model knows it. */
  get messages(): Message[] {
    return this.current?.messages ?? this.saved;
  }

  /** The conversation as a file that can be replayed. */
  get recording(): string {
    return this.agent.recording;
  }
}
