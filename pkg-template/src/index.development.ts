/** `copydesk` during development, with copies of the wasm. */

import { copyOf } from "./loading/copies.js";
import { onDemand } from "./loading/on-demand.js";
import { provide } from "./loading/parts.js";

provide({ ...onDemand, copyOf });

export * from "./api.js";
