/** The input of a run, as clients of AG-UI send it. */

import { isObject } from "../../base/json.js";
import type { Message, ToolCall } from "../../types/index.js";
import { answerOf, callOf, requestOf, resultOf, type Conversation, type Decision } from "../conversation.js";
import type { Wrong } from "../errors.js";
import { isDeeper } from "../json-depth.js";

/** A message; members that the route does not need are left as they are. */
export type AgUiMessage = { id: string; role: string } & Record<string, unknown>;

/** The data that the route keeps in the state of a thread: clients send it back with the next run. */
export interface AgUiState {
  /** The document as HTML. */
  documentContent?: string;
  /** The parts of the document to which calls refer that wait for approval. */
  shown?: Record<string, unknown>;
  /** The signature of the request for approval. */
  approvalSignature?: string;
}

export interface RunAgentInput {
  threadId: string;
  runId: string;
  messages: AgUiMessage[];
  state: AgUiState & Record<string, unknown>;
  forwardedProps: Record<string, unknown>;
  resume: { interruptId?: unknown; status?: unknown; payload?: unknown }[];
}

/** The longest id of a run: events repeat it. */
const LONGEST_ID = 500;

/** Returns the input with defaults for all that is missing or of another type. */
export function inputOf(body: Record<string, unknown>): RunAgentInput {
  const { threadId, runId, messages, state, forwardedProps, resume } = body;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  const object = (value: unknown) => (isObject(value) && !Array.isArray(value) ? { ...value } : {});
  const objects = (value: unknown): any[] => (Array.isArray(value) ? value.filter(isObject) : []);
  return {
    threadId: text(threadId),
    runId: text(runId),
    messages: objects(messages),
    state: object(state),
    forwardedProps: object(forwardedProps),
    resume: objects(resume),
  };
}

/** Reads the conversation: with a message of the user at its end, or with the answers to interrupts. */
export function fromAgUi(body: Record<string, unknown>, wrong: Wrong): Conversation {
  if (!Array.isArray(body.messages)) return wrong("messages", body.messages, "an array of messages");
  const { messages, state, resume, ...ids } = inputOf(body);
  for (const name of ["threadId", "runId"] as const)
    if (ids[name].length > LONGEST_ID) wrong(name, ids[name], `an id of at most ${LONGEST_ID} characters`);
  const decisions = resume.flatMap(decisionOf);
  const last = messages.findLastIndex(({ role }) => role === "user");
  const isAsked = last === messages.length - 1 && last >= 0;
  if (decisions.length && !isAsked)
    return {
      message: undefined,
      history: historyOf(messages, state, decisions),
      decisions,
      signature: signatureIn(state),
    };
  return {
    message: last < 0 ? undefined : textOf(messages[last]!.content),
    history: historyOf(messages.slice(0, Math.max(last, 0)), state, undefined),
    decisions: [],
  };
}

function signatureIn({ approvalSignature }: { approvalSignature?: unknown }): string | undefined {
  return typeof approvalSignature === "string" ? approvalSignature : undefined;
}

function decisionOf({ interruptId, status, payload }: RunAgentInput["resume"][number]): Decision[] {
  if (typeof interruptId !== "string") return [];
  const { approved, reason } = (isObject(payload) ? payload : {}) as { approved?: unknown; reason?: unknown };
  const isApproved = status === "resolved" && approved === true;
  return [{ toolId: interruptId, approved: isApproved, ...(typeof reason === "string" && { reason }) }];
}

/** With decisions, the calls of the last answer without a result continue. Elsewhere such calls were not run. */
function historyOf(messages: AgUiMessage[], { shown }: AgUiState, open: Decision[] | undefined): Message[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message]] : [])),
  );
  const lastAnswer = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.flatMap((message, at): Message[] => {
    const text = textOf(message.content);
    if (message.role === "user") return text.trim() ? [{ role: "user", content: text }] : [];
    if (message.role !== "assistant") return [];
    const calls = (Array.isArray(message.toolCalls) ? message.toolCalls : []).flatMap(readCall);
    const known = calls.filter(({ id }) => results.has(id) || (open && at === lastAnswer));
    const after = known.flatMap((call) => {
      const result = results.get(call.id);
      if (result) return [resultOf(call, resultIn(result))];
      return open?.some(({ toolId }) => toolId === call.id) ? [requestOf(call, shown)] : [];
    });
    return [...answerOf(text, known), ...after];
  });
}

function readCall(given: unknown): ToolCall[] {
  const { id, function: called } = (isObject(given) ? given : {}) as { id?: unknown; function?: unknown };
  const { name, arguments: input } = (isObject(called) ? called : {}) as { name?: unknown; arguments?: unknown };
  if (typeof id !== "string" || typeof name !== "string" || !name) return [];
  return [callOf(id, name, typeof input === "string" ? parsed(input) : undefined)];
}

function resultIn({ content, error }: AgUiMessage): unknown {
  if (typeof error === "string") return { error: { message: error } };
  return parsed(textOf(content));
}

/** Levels of JSON in a text that are read. */
const DEEPEST = 50;

/** Returns what a text says as JSON; other texts, and JSON that is too deep, as they are. */
function parsed(text: string): unknown {
  if (isDeeper(text, DEEPEST)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = (Array.isArray(content) ? content : []) as { type?: unknown; text?: unknown }[];
  return parts.map((part) => (part?.type === "text" && typeof part.text === "string" ? part.text : "")).join("");
}
