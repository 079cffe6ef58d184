/** `copydesk/full/inline`: the full build with its wasm inlined, for servers that deliver JavaScript only. */

import { full as fetched } from "./loading/full-build.js";
import { unpack } from "./loading/inlined.js";
import base64 from "./wasm/full/copydesk_bg.base64.js";

/** The full build, for `init(undefined, full)`. Its wasm is a third larger than the file. */
export const full: typeof fetched = { ...fetched, source: () => unpack(base64) };
