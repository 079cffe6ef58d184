/** The runs of a recording that was replayed, as an assistant shows them. */

import type { AgentEvent } from "copydesk";
import type { Replayed } from "../full.js";

/** The part of a recording's file that is read here. */
interface RecordingFile {
  inputs?: { name: string; after?: number; value?: unknown }[];
}

/** A run of a recording, for `assistant.showRuns`. */
export interface ReplayedRun {
  prompt: string;
  events: AgentEvent[];
}

/** Returns the runs of a recording: `played` is the result of `replay`, `json` the file, and `again` the prompt of a run that
 * begins without one. */
export function replayedRuns({ events }: Pick<Replayed, "events">, json: string, again: string): ReplayedRun[] {
  const recorded = JSON.parse(json) as RecordingFile;
  const runs: ReplayedRun[] = [];
  for (const event of events) {
    if (event.type === "agent_start") {
      const prompt = promptOf(recorded, event.seq);
      // Continuing after a failure belongs to the same run.
      if (prompt !== null || !runs.length) runs.push({ prompt: prompt ?? again, events: [] });
    }
    runs.at(-1)?.events.push(event);
  }
  return runs;
}

/** Returns the prompt of the run that starts with event `seq`, or null where the run was continued. */
function promptOf({ inputs = [] }: RecordingFile, seq: number): string | null {
  const begun = inputs.findLast(({ name, after = 0 }) => (name === "prompt" || name === "continue") && after < seq);
  const prompt =
    begun?.name === "prompt" && Array.isArray(begun.value) ? (begun.value as { content?: unknown }[]) : null;
  return prompt?.map(({ content }) => textOf(content)).join("\n") ?? null;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}
