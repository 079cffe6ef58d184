/** `copydesk/full`: the full build, and replay of recorded runs. */

export { full } from "./full-build.js";
export { replay, type Replayed, type ReplayOptions } from "./replay.js";
