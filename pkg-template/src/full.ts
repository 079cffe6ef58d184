/** `copydesk/full`: the full build, and replay of recorded runs. */

export { full } from "./loading/full-build.js";
export { replay, type Replayed, type ReplayOptions } from "./agent/replay.js";
