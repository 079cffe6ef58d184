/** Plays recorded runs. The ids of its calls say how far a run is, so that it goes on after a reload. */
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
    const { text, calls } = withImage(turn, said);
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
  if (failed) return { text: /"code":"rejected"/.test(JSON.stringify(failed.content)) ? demo.denied : demo.differs };
  return runWithId(run)?.turns[turn + 1] ?? { text: demo.differs };
}

/** Returns a turn with the values of the first image that was found in place of `{{image.url}}` and the like. */
function withImage(turn: Turn, said: readonly Message[]): Turn {
  const search = said.findLast((message) => message.role === "toolResult" && message.toolName === "search_image");
  const { images } = ((search as ToolResult | undefined)?.content ?? {}) as { images?: Record<string, unknown>[] };
  const fill = (text: string) =>
    text.replace(/\{\{image\.(\w+)\}\}/g, (_, field: string) => String(images?.[0]?.[field] ?? ""));
  return JSON.parse(JSON.stringify(turn), (_, value: unknown) => (typeof value === "string" ? fill(value) : value));
}
