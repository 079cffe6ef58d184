/** The page build, for pages with an editor: without HTML parser and recorder. */

import type { Build } from "./build.js";
import * as glue from "../wasm/page/copydesk.js";

export const page: Build = {
  name: "page",
  glue,
  source: () => new URL("../wasm/page/copydesk_bg.wasm", import.meta.url),
};
