/**
 * Copies of the wasm in JavaScript modules, for development servers that bundle dependencies (Vite 7 and older): they
 * move the JavaScript and leave the wasm behind.
 */

import type { Parts } from "./parts.js";

export const copyOf: Parts["copyOf"] = (name) =>
  name === "page" ? import("../wasm/page/copydesk_bg.base64.js") : import("../wasm/full/copydesk_bg.base64.js");
