/** Replay of a recorded run. */

import { guardedIn, settled } from "./calls.js";
import { check, members, reportError } from "./error.js";
import { full } from "./full-build.js";
import { load } from "./load.js";
import { localeOf } from "./locale.js";
import { jsonOf } from "./json.js";
import type { AgentEvent, Locale, NodeJSON } from "./types.js";

export interface ReplayOptions {
  /** Is called with every event, as a listener of the agent was. */
  onEvent?: (event: AgentEvent) => void;
  /** The speed: `recorded` takes as long as the run did. Default: "fast". */
  pace?: "fast" | "recorded";
  /** The language of errors. Default: the page's. */
  locale?: Locale;
}

/** The outcome of a replay. */
export interface Replayed {
  /** The events; of consecutive `tool_args` of one call only the last. */
  events: AgentEvent[];
  /** The document at the end, as the agent sees it. */
  document: NodeJSON;
  /** The same as HTML, as copydesk writes it. */
  html: string;
  /**
   * Where the run first went another way than it was recorded, which another version of copydesk may do; null where all is the same.
   * `what` is `event` or `document`; or it is what of a request differs (`url`, `method`, `body`), `count` where more was asked than
   * then, `answer` where a tool or a hook was, `end` where less happened, and then `request` and `at` say where: from which byte on.
   */
  differs: { what: string; request?: number; at?: number; recorded: unknown; replayed: unknown } | null;
}

/**
 * Plays what `agent.recording` gave: the same agent works on the same document, and nothing is asked of the outside. No editor is
 * needed, and the app's tools and hooks are not called. The full build is loaded where another one is in use.
 *
 * @throws CopydeskError `invalid_recording` where it is none.
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
    // Each holds all that came before: together they may be longer than everything else.
    if (event.type === "tool_args" && last?.type === "tool_args" && last.toolId === event.toolId) events.pop();
    events.push(event);
    try {
      onEvent?.(event);
    } catch (thrown) {
      reportError(thrown);
    }
  };
  await load(full);
  const { glue } = full;
  const playing = guardedIn(glue, (wasm) => wasm.replayRecording(json, listener, pace === "recorded", localeOf(locale)));
  return { events, ...(await settled<Omit<Replayed, "events">>(playing, glue)) };
}
