/** The options of an assistant, and its state. */

import type { Editor } from "@tiptap/core";
import type { AgentEvent, LlmConfig } from "copydesk";
import type { AssistantAgentOptions } from "./agent-options.js";
import type { Attachment, AttachmentReader } from "./attachment.js";
import type { EditMode } from "./edit-mode.js";
import type { Run } from "./run.js";
import type { AssistantStorage, StorageProblem } from "./storage.js";
import type { ConversationHeader, RunSetup } from "./stored.js";
import type { ServerTool } from "./tool-names.js";

/** A model to choose from. */
export interface AssistantModel {
  id: string;
  /** Its name for people. */
  name: string;
  llmConfig: LlmConfig;
}

export interface AssistantOptions {
  /** An editor with the extension `Copydesk`. */
  editor: Editor;
  /** The options of the agent, or a function that is called when an agent is created. */
  agent: AssistantAgentOptions | (() => AssistantAgentOptions);
  /** The storage of conversations. Default: `memoryStorage()`. */
  storage?: AssistantStorage | undefined;
  /** The models that the user can choose from; the first one answers at first. */
  models?: readonly AssistantModel[] | undefined;
  /** The edit mode at first. Default: that of the extension, or `ask` if the agent asks before edits. */
  mode?: EditMode | undefined;
  /** The id of the stored conversation that is shown at first, or null for a new one. Default: the one that changed last. */
  conversation?: string | null | undefined;
  /** Loads the wasm. Default: `init`. */
  load?: (() => Promise<void>) | undefined;
  /** Returns whether costs are exact, estimated from list prices, or without a meaning. Default: exact. */
  costs?: (() => "exact" | "estimated" | "none") | undefined;
  /** Returns the tool of a server that has a name for the model. Default: that of the plugins. */
  serverTool?: ((toolName: string) => ServerTool | null) | undefined;
  /** Readers of files that the package does not read by itself, such as `pdf` of copydesk/pdf. */
  readers?: readonly AttachmentReader[] | undefined;
  /** Returns what a run begins with, which is its first line. Default: none. */
  setup?: (() => RunSetup | undefined) | undefined;
  /** Returns false for events that are not part of the conversation. Default: all are. */
  shows?: ((event: AgentEvent) => boolean) | undefined;
}

/** The current activity of the assistant; `call` is the text of a call about itself. */
export type Activity =
  | { readonly is: "start" | "model" | "thinking" | "answering" | "approval" }
  | { readonly is: "call"; readonly toolId: string }
  | { readonly is: "retry"; readonly due: number; readonly reason: string };

/** The state that a view shows. A new object after every change; unchanged parts are the same objects. */
export interface AssistantState {
  /** `loading`: the wasm is not there yet. `failed`: it could not be loaded; `load()` tries again. */
  readonly engine: "loading" | "ready" | "failed";
  /** True while a run is under way. */
  readonly isWorking: boolean;
  readonly activity: Activity | null;
  readonly conversation: ConversationHeader;
  /** The stored conversations, the newest first. */
  readonly conversations: readonly ConversationHeader[];
  readonly runs: readonly Run[];
  /** Messages that are sent after the current step. */
  readonly queue: readonly string[];
  /** The attachments of the next message. */
  readonly attachments: readonly Attachment[];
  /** Messages that were queued and not sent, for `takeUnsent`. */
  readonly unsent: string;
  readonly mode: EditMode;
  readonly models: readonly AssistantModel[];
  /** The id of the model that answers; null if there is no choice. */
  readonly model: string | null;
  /** The call whose edit is under the pointer in the document. */
  readonly pointed: string | null;
  /** The reason why conversations are not kept; null if they are. */
  readonly storageProblem: StorageProblem | null;
}
