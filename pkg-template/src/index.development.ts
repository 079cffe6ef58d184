/** `copydesk` during development, with copies of the wasm. */

import { copyOf } from "./copies.js";
import { onDemand } from "./on-demand.js";
import { provide } from "./parts.js";

provide({ ...onDemand, copyOf });

export * from "./api.js";
