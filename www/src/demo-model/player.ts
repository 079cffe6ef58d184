/** Plays recorded runs. The ids of its calls state how far a run is, so that it continues after a reload. */
import type { Message } from "copydesk";
import { messagesIn } from "../locale";
import { languageOf, runWithId, type RecordedCall, type Run, type Turn } from "./runs";

/** An answer of the demo model. */
export interface Answer {
  text: string;
  calls: (RecordedCall & { id: string })[];
}

type AssistantMessage = Extract<Message, { role: "assistant" }>;
type ToolResult = Extract<Message, { role: "toolResult" }>;

/** The position in a run: the prompt by its index in the conversation, and the turn. */
interface Position {
  run: string;
  prompt: number;
  turn: number;
}

export class Player {
  /** The index of the first message of the agent's run. */
  private start = 0;
  private isNew = true;

  /** `find` returns the run that answers a prompt now. */
  constructor(private find: (prompt: string) => Promise<Run | undefined>) {}

  /** Begins a run of the agent: runs that were stopped before it are over. */
  begin(): void {
    this.isNew = true;
  }

  /** Returns the next answer in a conversation. Prompts that came meanwhile are answered after those before them. */
  async next(messages: readonly Message[]): Promise<Answer> {
    const said = messages.filter(({ role }) => role === "user" || role === "assistant" || role === "toolResult");
    if (this.isNew && said.at(-1)?.role === "user") this.start = said.length - 1;
    this.isNew = false;
    const at = said.findLastIndex(({ role }) => role === "assistant");
    const last = at >= this.start ? (said[at] as AssistantMessage) : undefined;
    const position = last && positionOf(last);
    const parts: string[] = [];
    let pending = Math.max(this.start, last ? at : 0);
    if (position) {
      const results = said.slice(at + 1).filter(({ role }) => role === "toolResult") as ToolResult[];
      const turn = nextTurn(position, results, promptAt(said, position.prompt));
      const answer = this.answer(turn, { ...position, turn: position.turn + 1 }, said, parts);
      if (answer) return answer;
      pending = position.prompt + 1;
    }
    for (let index = pending; index < said.length; index++) {
      if (said[index]!.role !== "user") continue;
      const prompt = promptAt(said, index);
      const run = await this.find(prompt);
      const turn = run?.turns[0] ?? { text: messagesIn(languageOf(prompt)).demo.needsModel };
      const answer = this.answer(turn, { run: run?.id ?? "", prompt: index, turn: 0 }, said, parts);
      if (answer) return answer;
    }
    return { text: parts.join("\n\n"), calls: [] };
  }

  /** Adds the text of a turn to `parts`; returns the whole answer if the turn has calls. */
  private answer(turn: Turn, position: Position, said: readonly Message[], parts: string[]): Answer | undefined {
    const { demo } = messagesIn(languageOf(promptAt(said, position.prompt)));
    const { text, calls } = filled(turn, said) ?? { text: demo.nothingFound };
    if (text) parts.push(text);
    return calls && { text: parts.join("\n\n"), calls: calls.map((call) => ({ ...call, id: idOf(position) })) };
  }
}

const idOf = ({ run, prompt, turn }: Position) =>
  `${run}.${prompt}.${turn}.${crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36)}`;

function positionOf({ content }: AssistantMessage): Position | undefined {
  const call = content.find((part) => part.type === "toolCall");
  const [, run, prompt, turn] = /^(.+)\.(\d+)\.(\d+)\.\w+$/.exec(call?.id ?? "") ?? [];
  return run ? { run, prompt: Number(prompt), turn: Number(turn) } : undefined;
}

function promptAt(said: readonly Message[], index: number): string {
  const message = said[index];
  if (message?.role !== "user") return "";
  const { content } = message;
  return typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join("");
}

/** Returns the turn after a position. A recorded model cannot know what to do about a call that failed. */
function nextTurn({ run, turn }: Position, results: readonly ToolResult[], prompt: string): Turn {
  const { demo } = messagesIn(languageOf(prompt));
  const failed = results.find(({ isError }) => isError);
  if (failed && /"code":"rejected"/.test(JSON.stringify(failed.content))) return { text: demo.denied };
  if (failed) return { text: failed.toolName.startsWith("search_") ? demo.searchFailed : demo.differs };
  return runWithId(run)?.turns[turn + 1] ?? { text: demo.differs };
}

const PLACEHOLDER = /\{\{(\w+)\.([\w.]+)\}\}/g;

/**
 * Returns a turn with values of the last result of a tool in place of `{{search_image.images.0.url}}` and the like;
 * undefined if there is no such value, because a search has found nothing.
 */
function filled(turn: Turn, said: readonly Message[]): Turn | undefined {
  let isComplete = true;
  const valueOf = (tool: string, path: string) => {
    const result = said.findLast((message) => message.role === "toolResult" && message.toolName === tool);
    const value = path
      .split(".")
      .reduce<unknown>(
        (at, name) => (at as Record<string, unknown> | undefined)?.[name],
        (result as ToolResult)?.content,
      );
    isComplete &&= value !== undefined;
    return String(value);
  };
  const fill = (text: string) => text.replace(PLACEHOLDER, (_, tool: string, path: string) => valueOf(tool, path));
  const copy = JSON.parse(JSON.stringify(turn), (_, value: unknown) =>
    typeof value === "string" ? fill(value) : value,
  );
  return isComplete ? (copy as Turn) : undefined;
}
