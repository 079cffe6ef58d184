/** `copydesk/service-worker`: the chat route in a service worker, for pages without a backend. */

import "./worker.js";

export { installDocAgentRoutes, type ServiceWorkerRoutes } from "./route/service-worker.js";
