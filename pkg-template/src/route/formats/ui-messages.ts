/** The messages of the AI SDK's `useChat`, as it sends them. */

import { isObject } from "../../base/json.js";
import type { Message } from "../../types/index.js";
import { answerOf, callOf, requestOf, resultOf, type Conversation, type Decision } from "../conversation.js";

/** A message of `useChat`: its text and its tool calls are parts. */
interface UIMessage {
  role: string;
  parts?: unknown[];
}

type Part = { type: string } & Record<string, unknown>;

/** The members that the route reads. Those of another type are left out. */
interface ToolPart {
  toolName: string | undefined;
  toolCallId: string | undefined;
  state: unknown;
  input: unknown;
  output: unknown;
  errorText: string | undefined;
  approval: Approval | undefined;
}

interface Approval {
  approved: boolean;
  reason: string | undefined;
  isAutomatic: boolean;
  signature: string | undefined;
  shown: unknown;
}

/**
 * Returns the last message of the user and what was said before it; or, if the last message is an answer whose calls
 * the user has decided about, the conversation up to these calls. Parts of other kinds are left out.
 */
export function fromUIMessages(given: readonly unknown[]): Conversation {
  const all = given.filter((message): message is UIMessage => isObject(message) && "role" in message);
  const decided = all.at(-1)?.role === "assistant" ? partsOf(all.at(-1)!).map(toolPartOf).filter(isDecided) : [];
  if (decided.length) {
    const history = all.flatMap((message, at) => messagesOf(message, at, at === all.length - 1));
    const signature = decided.map(({ approval }) => approval.signature).find((given) => given !== undefined);
    return { message: undefined, history, decisions: decided.map(decisionOf), signature };
  }
  const last = all.findLastIndex(({ role }) => role === "user");
  return {
    message: last < 0 ? undefined : textOf(partsOf(all[last]!)),
    history: all.slice(0, Math.max(last, 0)).flatMap((message, at) => messagesOf(message, at, false)),
    decisions: [],
  };
}

/** Returns the ids of the calls in the last message. */
export function callsInLast(given: readonly unknown[]): string[] {
  const last = given.at(-1);
  const parts = isObject(last) ? partsOf(last as UIMessage) : [];
  return parts.flatMap(({ toolCallId }) => (typeof toolCallId === "string" ? [toolCallId] : []));
}

interface DecidedPart extends ToolPart {
  toolCallId: string;
  approval: Approval;
}

function isDecided(part: ToolPart): part is DecidedPart {
  const { state, toolCallId, approval } = part;
  // The writer has approved calls that need no approval, so that the client sees an answer with every call decided.
  return state === "approval-responded" && toolCallId !== undefined && !!approval && !approval.isAutomatic;
}

function decisionOf({ toolCallId, approval: { approved, reason } }: DecidedPart): Decision {
  return { toolId: toolCallId, approved, ...(reason !== undefined && { reason }) };
}

function toolPartOf({ type, toolName, toolCallId, state, input, output, errorText, approval }: Part): ToolPart {
  return {
    toolName: textIn(toolName) ?? /^tool-(.+)$/.exec(type)?.[1],
    toolCallId: textIn(toolCallId),
    state,
    input,
    output,
    errorText: textIn(errorText),
    approval: isObject(approval) ? approvalOf(approval as Record<string, unknown>) : undefined,
  };
}

function approvalOf({ approved, reason, isAutomatic, signature, descriptor }: Record<string, unknown>): Approval {
  return {
    approved: approved === true,
    reason: textIn(reason),
    isAutomatic: isAutomatic === true,
    signature: textIn(signature),
    shown: isObject(descriptor) ? (descriptor as { shown?: unknown }).shown : undefined,
  };
}

function textIn(given: unknown): string | undefined {
  return typeof given === "string" ? given : undefined;
}

/** Returns the steps of a message. In an open one, calls without a result continue; in others they were not run. */
function messagesOf(message: UIMessage, at: number, isOpen: boolean): Message[] {
  const parts = partsOf(message);
  if (message.role === "user") {
    const content = textOf(parts);
    return content.trim() ? [{ role: "user", content }] : [];
  }
  if (message.role !== "assistant") return [];
  const steps: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === "step-start") steps.push([]);
    else steps.at(-1)!.push(part);
  }
  return steps.flatMap((step, number) => stepOf(step, `call_${at}_${number}`, isOpen));
}

function stepOf(parts: Part[], id: string, isOpen: boolean): Message[] {
  const calls = parts.flatMap((part, at) => {
    const { toolName, toolCallId = `${id}_${at}`, input, ...tool } = toolPartOf(part);
    if (!toolName) return [];
    const call = callOf(toolCallId, toolName, input);
    const result = resultIn(tool);
    if (result !== undefined) return [{ call, after: [resultOf(call, result)] }];
    const { approval } = tool;
    if (!isOpen || !approval) return [];
    return [{ call, after: approval.isAutomatic ? [] : [requestOf(call, approval.shown)] }];
  });
  const called = calls.map(({ call }) => call);
  return [...answerOf(textOf(parts), called), ...calls.flatMap(({ after }) => after)];
}

function resultIn({
  state,
  output = null,
  errorText,
  approval,
}: Pick<ToolPart, "state" | "output" | "errorText" | "approval">): unknown {
  if (state === "output-available") return output;
  if (state === "output-error") return { error: { message: errorText ?? "" } };
  if (state === "output-denied") return { error: { code: "rejected", message: approval?.reason ?? "" } };
  return undefined;
}

function textOf(parts: Part[]): string {
  return parts.map(({ type, text }) => (type === "text" && typeof text === "string" ? text : "")).join("");
}

function partsOf({ parts }: UIMessage): Part[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter((part) => isObject(part) && typeof (part as { type?: unknown }).type === "string") as Part[];
}
