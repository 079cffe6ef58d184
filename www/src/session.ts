/** The dependencies of the page's assistant: the settings, the demo model, the files, and skills, servers and rules. */
import type { AgentOptions, LlmConfig, Message, Rule } from "copydesk";
import {
  keepsKeys,
  lacksKey,
  linkedSettings,
  llmConfigOf as configOf,
  loadSettings,
  saveSettings,
  servicesOf,
  type Assistant,
  type AssistantAgentOptions,
  type ModelSettings,
} from "copydesk/assistant";
import type { Editor } from "@tiptap/core";
import { agentActions, type AgentAction } from "copydesk/tiptap";
import type { WorkspaceHost } from "copydesk/workspace";
import type { Situation } from "./demo-model/fits";
import type { DemoModel } from "./demo-model/model";
import type { Engine } from "./engine";
import { Additions } from "copydesk/additions";
import { locale } from "./locale";
import { items, loadItem, removeItem, saveItem } from "./storage";

/** Returns the id of the menu item with an instruction. */
function actionWith(instruction: string, actions = agentActions): string | undefined {
  for (const { id, instruction: texts, choices } of actions) {
    if (!choices && Object.values(texts).includes(instruction)) return id;
    const found = choices && actionWith(instruction, choices);
    if (found) return found;
  }
  return undefined;
}

/** Returns the configuration of the agent. Without a key that is needed, the demo model answers, in its one format. */
function llmConfigOf(settings: ModelSettings): LlmConfig {
  const config = configOf(settings);
  if (!lacksKey(settings)) return config;
  return { streamOptions: config.streamOptions, model: { api: "openai-completions", modelId: "demo" } };
}

/** Returns true if runs are recorded, so that users can report faults. That takes the full build of copydesk. */
export const recordsRuns = (): boolean => loadItem("record") === "1";

/** Sets whether runs are recorded. It holds after the page was loaded again. */
export const setRecordsRuns = (on: boolean): void => {
  if (on) saveItem("record", "1");
  else removeItem("record");
};

export class Session {
  settings: ModelSettings = linkedSettings(loadSettings(items), location.search);
  /** The files of the user, once there are some. */
  private files: WorkspaceHost | null = null;
  /** Returns true for rules in files that the agent may follow. */
  private acceptsRule: AgentOptions["ruleFiles"];
  /** The number of the user's files; null before there is a place for them. */
  fileCount: number | null = null;
  /** The rules that the agent has. */
  private rules: readonly Rule[] = [];
  /** The file that is open in the editor. */
  private path: string | undefined;
  /** The demo model, once it is loaded. */
  private demoModel: DemoModel | null = null;
  private assistant: Assistant | null = null;

  /** Returns further options of the agent, such as the tools of a room. */
  furtherOptions: () => Partial<AssistantAgentOptions> = () => ({});

  /** The user's skills, servers and rules. */
  readonly additions = new Additions({ keepsKeys: () => keepsKeys(items), locale });

  constructor(
    private editor: Editor,
    private engine: Engine,
  ) {
    this.additions.subscribe(() => this.rulesChanged());
  }

  /** Sets the assistant that works with this. */
  attach(assistant: Assistant): void {
    this.assistant = assistant;
    assistant.onEvent(({ type }) => type === "agent_start" && this.demoModel?.begin());
    let wasWorking = false;
    assistant.subscribe(() => {
      const { isWorking } = assistant.getSnapshot();
      // A change of language has waited for the end of the run.
      if (wasWorking && !isWorking) this.additions.localeChanged();
      wasWorking = isWorking;
    });
  }

  get documentPath(): string | undefined {
    return this.path;
  }

  /** Tells the assistant which file is open in the editor. */
  set documentPath(path: string | undefined) {
    if (path === this.path) return;
    this.path = path;
    this.assistant?.configure({ documentPath: path });
  }

  /** Loads and creates everything for the first request, so that it does not wait, and works offline. */
  async prepare(): Promise<void> {
    // If it fails here, the first request loads it again.
    const loaded = this.demo
      ? Promise.allSettled([this.loadDemoModel().then((model) => model.prepare(locale()))])
      : undefined;
    this.additions.start();
    await this.engine.load();
    await this.assistant?.prepare();
    await loaded;
  }

  get demo(): boolean {
    return lacksKey(this.settings);
  }

  /** Loads the demo model, which a page with a model of its own does not need. */
  private async loadDemoModel(): Promise<DemoModel> {
    // An import looks into the page, even of what is loaded.
    if (this.demoModel) return this.demoModel;
    const { DemoModel } = await import("./demo-model/model");
    return (this.demoModel ??= new DemoModel(this));
  }

  /** The state of the page for the demo model. */
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

  /** Returns the options of an agent that is created now. */
  agentOptions(): AssistantAgentOptions {
    this.rules = this.additions.getSnapshot().rules;
    return {
      ...(this.files ? { workspace: this.files, ruleFiles: this.acceptsRule ?? true } : {}),
      llmConfig: llmConfigOf(this.settings),
      services: servicesOf(this.settings),
      locale: locale(),
      documentPath: this.path,
      record: recordsRuns(),
      rules: [...this.rules],
      plugins: [...this.additions.plugins],
      ...this.furtherOptions(),
      ...(this.demo ? { fetch: async (input, init) => (await this.loadDemoModel()).fetch(input, init) } : {}),
    };
  }

  /** Gives the assistant the files of the user, after a run that is under way. `acceptsRule` asks for consent. */
  useFiles(files: WorkspaceHost, acceptsRule: AgentOptions["ruleFiles"]): void {
    [this.files, this.acceptsRule] = [files, acceptsRule];
    // Its skills may be in these files.
    this.assistant?.renew();
  }

  /** Applies new settings. Returns true if another model answers now; the caller then begins a new conversation. */
  configure(settings: ModelSettings): boolean {
    const before = this.settings;
    this.settings = settings;
    saveSettings(items, settings);
    this.additions.keysChanged();
    const another =
      lacksKey(before) !== lacksKey(settings) ||
      (!lacksKey(settings) &&
        (before.api !== settings.api || before.baseUrl !== settings.baseUrl || before.modelId !== settings.modelId));
    if (!another) this.assistant?.configure({ llmConfig: llmConfigOf(settings), services: servicesOf(settings) });
    return another;
  }

  /** Applies the language after the user has changed it. */
  localeChanged(): void {
    this.assistant?.configure({ locale: locale() });
    if (!this.assistant?.state.isWorking) this.additions.localeChanged();
  }

  /** Applies the rules, if they have changed: also in a run under way. */
  private rulesChanged(): void {
    const { rules } = this.additions.getSnapshot();
    if (!this.assistant || rules === this.rules) return;
    this.rules = rules;
    this.assistant.configure({ rules: [...rules] });
  }

  /** The conversation as the model knows it. */
  get messages(): Message[] {
    return this.assistant?.messages ?? [];
  }
}
