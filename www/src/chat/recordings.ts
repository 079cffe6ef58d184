/** Saves recordings as files, and replays them. */
import type { Editor } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { replayedRuns, type ReplayedRun } from "copydesk/assistant";
import type { Replayed } from "copydesk/full";
import { html, nothing } from "lit";
import type { Template } from "../draw";
import { documentOf } from "../editor";
import { loadPart } from "../lazy";
import { locale, messages, type Messages } from "../locale";
import { download } from "../files";

/** A recording that was replayed, and its runs. */
export interface Replay {
  played: Replayed;
  runs: ReplayedRun[];
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
  return { played, runs: replayedRuns(played, json, messages().tryAgain) };
}

/** Returns the sentence about the result of a replay, below a conversation. */
export function resultLine({ differs }: Replayed): Template {
  const sentence = (m: Messages) => (differs ? m.replayDiffers(difference(differs, m)) : m.replayed);
  return (m) => html`<p class="notice replayed" slot="end" data-differs=${differs?.what ?? nothing}>${sentence(m)}</p>`;
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

function difference({ what, request }: NonNullable<Replayed["differs"]>, m: Messages): string {
  return m.replayDifferences[what] ?? m.replayRequest(request ?? 1);
}
