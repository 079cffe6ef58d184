/** The full build: includes an HTML parser, recording and replay. */

import type { Build } from "./build.js";
import * as glue from "../wasm/full/copydesk.js";

/**
 * The full build, for `init(undefined, full)`. Workers and runtimes like Node load it by default. A page needs it to
 * parse HTML without an editor (`Document.fromHTML`) and to record runs (`record: true`).
 */
export const full: Build<typeof glue> = {
  name: "full",
  glue,
  source: () => new URL("../wasm/full/copydesk_bg.wasm", import.meta.url),
};
