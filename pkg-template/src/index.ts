/** copydesk: a document agent that runs in the page. Await `init()` once, then use `Document` and `Agent`. */

import { onDemand } from "./loading/on-demand.js";
import { provide } from "./loading/parts.js";

provide(onDemand);

export * from "./api.js";
