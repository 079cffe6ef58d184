/** Replay of a recorded run. */

import { guardedIn, settled } from "../document/calls.js";
import { check, members, reportError } from "../base/error.js";
import { load } from "../loading/load.js";
import { localeOf } from "../base/locale.js";
import { jsonOf } from "../base/json.js";
import { parts } from "../loading/parts.js";
import type { AgentEvent, Locale, NodeJSON } from "../types/index.js";

export interface ReplayOptions {
  /** Called with every event, as a listener of the agent. */
  onEvent?: (event: AgentEvent) => void;
  /** The speed: `recorded` takes as long as the run did. Default: "fast". */
  pace?: "fast" | "recorded";
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

/** The outcome of a replay. */
export interface Replayed {
  /** The events; consecutive `tool_args` of one call are joined in one. */
  events: AgentEvent[];
  /** The document at the end, with proposals. */
  document: NodeJSON;
  /** The same as HTML. */
  html: string;
  /**
   * The first difference between the run and its recording, which other versions of copydesk may cause; null if there
   * is none. `what` is `event` or `document`; or the part of a request that differs (`url`, `method`, `body`),
   * `count` for additional requests, `answer` for additional calls of tools or hooks, `end` if something is missing;
   * then `request` and `at` (in bytes) state the position.
   */
  differs: { what: string; request?: number; at?: number; recorded: unknown; replayed: unknown } | null;
}

type ToolArgs = Extract<AgentEvent, { type: "tool_args" }>;

/** Returns one event in place of two of the same call. */
function joined(before: ToolArgs, event: ToolArgs): ToolArgs {
  // One with `partial` contains the arguments so far; all together may be longer than everything else.
  if (event.delta === undefined || before.delta === undefined || event.restart) return event;
  return { ...event, ...(before.restart && { restart: true }), delta: before.delta + event.delta };
}

/**
 * Plays the text of `agent.recording`: the same agent works on the same document, without network and editor, and
 * without calling the app's tools and hooks. Loads the full build if necessary.
 *
 * @throws CopydeskError `invalid_recording` for any other text.
 */
export async function replay(file: string | object, options: ReplayOptions = {}): Promise<Replayed> {
  const { onEvent, pace = "fast", locale } = members(options, "options");
  const isGiven = typeof file === "string" || (typeof file === "object" && file !== null);
  check(isGiven, "recording", file, "the text of a recording, or the object in it");
  check(pace === "fast" || pace === "recorded", "pace", pace, '"fast" or "recorded"');
  check(onEvent === undefined || typeof onEvent === "function", "onEvent", onEvent, "a function");
  const json = typeof file === "string" ? file : jsonOf(file, "recording");
  const events: AgentEvent[] = [];
  const listener = (event: AgentEvent) => {
    const last = events.at(-1);
    if (event.type === "tool_args" && last?.type === "tool_args" && last.toolId === event.toolId)
      events[events.length - 1] = joined(last, event);
    else events.push(event);
    try {
      onEvent?.(event);
    } catch (thrown) {
      reportError(thrown);
    }
  };
  const full = await parts().full();
  await load(full);
  const { glue } = full;
  const playing = guardedIn(glue, (wasm) =>
    wasm.replayRecording(json, listener, pace === "recorded", localeOf(locale)),
  );
  return { events, ...(await settled<Omit<Replayed, "events">>(playing, glue)) };
}
