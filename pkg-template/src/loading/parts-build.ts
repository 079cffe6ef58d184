/** The page build in two files: one that shows documents and their review, and a later one for the rest. */

import type { PartsBuild } from "./build.js";
import * as glue from "../wasm/parts/copydesk.js";

/**
 * The page build in two files, for `init(undefined, page)`. `init()` resolves when an editor can be bound and its pending
 * changes can be shown and decided; {@link loadRest} loads what edits and runs agents.
 */
export const page: PartsBuild = {
  name: "parts",
  glue,
  source: () => new URL("../wasm/parts/copydesk_bg.wasm", import.meta.url),
  rest: () => new URL("../wasm/parts/copydesk_later_bg.wasm", import.meta.url),
};
