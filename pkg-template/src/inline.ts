/** `copydesk/inline`: the page build with its wasm inlined, for servers that deliver JavaScript only. */

import type { Build } from "./loading/build.js";
import { unpack } from "./loading/inlined.js";
import { page as fetched } from "./loading/page-build.js";
import base64 from "./wasm/page/copydesk_bg.base64.js";

/** The page build, for `init(undefined, page)`. Its wasm is a third larger than the file. */
export const page: Build = { ...fetched, source: () => unpack(base64) };
