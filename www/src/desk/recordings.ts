/** Recordings as files: saving one, and showing what is in one. */
import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { CopydeskError, type AgentEvent } from "copydesk";
import { replay, type Replayed } from "copydesk/full";
import { h } from "../dom";
import { documentOf } from "../editor";
import { inWords, locale, words, type Words } from "../words";

/** What of a recording's file is looked at here. */
interface Recorded {
  inputs?: { name: string; after?: number; value?: unknown }[];
}

/** Whoever shows a run. */
interface Shows {
  ended: boolean;
  handle(event: AgentEvent): void;
  goesOn(): void;
}

export function saveRecording(recording: string): void {
  const url = URL.createObjectURL(new Blob([recording], { type: "application/json" }));
  const day = new Date().toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  h("a", { href: url, download: `copydesk-recording-${day}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Plays a file: `begin` shows each run. Gives a line that says how it went. */
export async function play(file: File, editor: Editor, begin: (prompt: string) => Shows): Promise<HTMLElement> {
  let played: Replayed;
  let recorded: Recorded;
  try {
    const json = await file.text();
    played = await replay(json, { locale: locale() });
    recorded = JSON.parse(json) as Recorded;
  } catch (error) {
    return h("div", { class: "failure", "data-code": error instanceof CopydeskError ? error.code : "internal" }, h("p", {}, error instanceof Error ? error.message : String(error)));
  }
  show(editor, played);
  let run: Shows | undefined;
  for (const event of played.events) {
    if (event.type === "agent_start") {
      const prompt = promptOf(recorded, event.seq);
      // Where the person went on after a failure it is the same run.
      if (prompt === null && run) run.goesOn();
      else run = begin(prompt ?? words().tryAgain);
    }
    run?.handle(event);
  }
  const line = h("p", { class: "notice replayed", "data-differs": played.differs?.what ?? false });
  inWords((w) => (line.textContent = played.differs ? w.replayedOther(where(played.differs, w)) : w.replayed));
  return line;
}

/** Puts the document in the page; an undo brings the one before back. */
function show(editor: Editor, { document, html }: Replayed): void {
  documentOf(editor).reject("all");
  editor.view.dispatch(closeHistory(editor.state.tr));
  try {
    editor.commands.setContent(document, { errorOnInvalidContent: true });
  } catch {
    // An editor of other nodes wrote it: as much of it as this one knows.
    editor.commands.setContent(html);
  }
}

/** What the person said to begin the run whose first event this is; null where they had it go on. */
function promptOf({ inputs = [] }: Recorded, seq: number): string | null {
  const begun = inputs.findLast(({ name, after = 0 }) => (name === "prompt" || name === "continue") && after < seq);
  const said = begun?.name === "prompt" && Array.isArray(begun.value) ? (begun.value as { content?: unknown }[]) : null;
  return said?.map(({ content }) => textOf(content)).join("\n") ?? null;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.map((part: { text?: string }) => part.text ?? "").join("");
}

function where({ what, request }: NonNullable<Replayed["differs"]>, w: Words): string {
  return w.replayDiffers[what] ?? w.replayRequest(request ?? 1);
}
