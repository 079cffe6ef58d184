/** `copydesk/route`: the chat route, where modules are loaded on demand. */

import { onDemand } from "./loading/on-demand.js";
import { provide } from "./loading/parts.js";

provide(onDemand);

export * from "./route/api.js";
