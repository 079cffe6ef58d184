/** The edit modes, and the calls that wait for the user's approval in them. */

import type { Editor } from "@tiptap/core";
import { writersOf } from "../agent/tool-kinds.js";
import type { AssistantAgentOptions } from "./agent-options.js";

/** Handling of edits: they wait for review, are applied at once, or are applied once the user has approved their call. */
export type EditMode = "review" | "auto" | "ask";

/** The tools that change the document, and those that change files. */
const EDITING_TOOLS = writersOf("document");
const WRITING_TOOLS = writersOf("workspace");

/** Returns the mode at first: that of the editor's extension, or `ask` if the agent asks before edits. */
export function firstMode(editor: Editor, agent: AssistantAgentOptions | (() => AssistantAgentOptions)): EditMode {
  return asksBeforeEdits(agent) ? "ask" : modeOfEditor(editor);
}

/** Returns true if options that are not a function name all tools that edit. */
export function asksBeforeEdits(agent: AssistantAgentOptions | (() => AssistantAgentOptions)): boolean {
  const own = typeof agent === "function" ? undefined : agent.needsApproval;
  return !!own && EDITING_TOOLS.every((name) => own.includes(name));
}

/** Returns the tools whose calls wait for approval: the agent's own, and in the mode `ask` those that edit. */
export function needsApproval(
  { needsApproval: own = [] }: AssistantAgentOptions,
  { mode, hasFiles, asksAtFirst }: { mode: EditMode; hasFiles: boolean; asksAtFirst: boolean },
): string[] {
  const asked = mode === "ask" ? [...EDITING_TOOLS, ...(hasFiles ? WRITING_TOOLS : [])] : [];
  // Those that are named to ask before edits hold in that mode alone.
  return [...new Set([...own.filter((name) => !EDITING_TOOLS.includes(name) || !asksAtFirst), ...asked])];
}

function modeOfEditor(editor: Editor): EditMode {
  const { options } = editor.extensionManager.extensions.find(({ name }) => name === "copydesk") ?? {};
  return options?.mode === "review" ? "review" : "auto";
}
