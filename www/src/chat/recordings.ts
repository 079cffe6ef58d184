/** Saves recordings as files, and replays them. */
import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { CopydeskError, type AgentEvent } from "copydesk";
import { replay, type Replayed } from "copydesk/full";
import { h } from "../dom";
import { documentOf } from "../editor";
import { localize, locale, messages, type Messages } from "../locale";

/** The part of a recording's file that is read here. */
interface RecordingFile {
  inputs?: { name: string; after?: number; value?: unknown }[];
}

/** A view of a run. */
interface View {
  ended: boolean;
  handle(event: AgentEvent): void;
  resume(): void;
}

export function saveRecording(recording: string): void {
  const url = URL.createObjectURL(new Blob([recording], { type: "application/json" }));
  const day = new Date().toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  h("a", { href: url, download: `copydesk-recording-${day}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Replays a file; `begin` creates the view of each run. Returns an element that states the result. */
export async function replayFile(file: File, editor: Editor, begin: (prompt: string) => View): Promise<HTMLElement> {
  let played: Replayed;
  let recorded: RecordingFile;
  try {
    const json = await file.text();
    played = await replay(json, { locale: locale() });
    recorded = JSON.parse(json) as RecordingFile;
  } catch (error) {
    return h("div", { class: "failure", "data-code": error instanceof CopydeskError ? error.code : "internal" }, h("p", {}, error instanceof Error ? error.message : String(error)));
  }
  showDocument(editor, played);
  let run: View | undefined;
  for (const event of played.events) {
    if (event.type === "agent_start") {
      const prompt = promptOf(recorded, event.seq);
      // Continuing after a failure belongs to the same run.
      if (prompt === null && run) run.resume();
      else run = begin(prompt ?? messages().tryAgain);
    }
    run?.handle(event);
  }
  const line = h("p", { class: "notice replayed", "data-differs": played.differs?.what ?? false });
  localize((m) => (line.textContent = played.differs ? m.replayDiffers(difference(played.differs, m)) : m.replayed));
  return line;
}

/** Replaces the document with the replayed one, as one undo step. */
function showDocument(editor: Editor, { document, html }: Replayed): void {
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
  const prompt = begun?.name === "prompt" && Array.isArray(begun.value) ? (begun.value as { content?: unknown }[]) : null;
  return prompt?.map(({ content }) => textOf(content)).join("\n") ?? null;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}

function difference({ what, request }: NonNullable<Replayed["differs"]>, m: Messages): string {
  return m.replayDifferences[what] ?? m.replayRequest(request ?? 1);
}
