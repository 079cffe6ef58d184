/** Saves recordings as files, and replays them. */
import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { AgentEvent } from "copydesk";
import type { Replayed } from "copydesk/full";
import { h } from "../dom";
import { documentOf } from "../editor";
import { loadPart } from "../lazy";
import { localize, locale, messages, type Messages } from "../locale";
import { download } from "../files";

/** The part of a recording's file that is read here. */
interface RecordingFile {
  inputs?: { name: string; after?: number; value?: unknown }[];
}

/** A recording that was replayed. */
export interface Replay {
  played: Replayed;
  recorded: RecordingFile;
}

/** A run of a recording. */
interface ReplayedRun {
  prompt: string;
  events: AgentEvent[];
}

export function saveRecording(recording: string): void {
  const day = new Date().toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  download(`copydesk-recording-${day}.json`, recording);
}

/** Replays a file. Fails with a `CopydeskError` if it is not a recording; nothing has changed then. */
export async function replayFile(file: File): Promise<Replay> {
  const json = await file.text();
  const { replay } = await loadPart(() => import("copydesk/full"));
  const played = await replay(json, { locale: locale() });
  return { played, recorded: JSON.parse(json) as RecordingFile };
}

/** Returns the runs of a recording. */
export function promptsOf({ played, recorded }: Replay): ReplayedRun[] {
  const runs: ReplayedRun[] = [];
  for (const event of played.events) {
    if (event.type === "agent_start") {
      const prompt = promptOf(recorded, event.seq);
      // Continuing after a failure belongs to the same run.
      if (prompt !== null || !runs.length) runs.push({ prompt: prompt ?? messages().tryAgain, events: [] });
    }
    runs.at(-1)?.events.push(event);
  }
  return runs;
}

/** Returns an element that states the result of a replay. */
export function resultLine({ differs }: Replayed): HTMLElement {
  const line = h("p", { class: "notice replayed", "data-differs": differs?.what ?? false });
  localize((m) => (line.textContent = differs ? m.replayDiffers(difference(differs, m)) : m.replayed));
  return line;
}

/** Replaces the document with the replayed one, as one undo step. */
export function showDocument(editor: Editor, { document, html }: Replayed): void {
  documentOf(editor).reject("all");
  editor.view.dispatch(closeHistory(editor.state.tr));
  try {
    editor.commands.setContent(document, { errorOnInvalidContent: true });
  } catch {
    // The recording is from an editor with other nodes: HTML keeps what this one supports.
    editor.commands.setContent(html);
  }
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

function difference({ what, request }: NonNullable<Replayed["differs"]>, m: Messages): string {
  return m.replayDifferences[what] ?? m.replayRequest(request ?? 1);
}
