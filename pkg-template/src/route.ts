/** `copydesk/route`: the chat route, where modules are loaded on demand. */

import { onDemand } from "./on-demand.js";
import { provide } from "./parts.js";

provide(onDemand);

export * from "./route/api.js";
