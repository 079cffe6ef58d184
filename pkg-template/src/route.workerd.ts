/** `copydesk/route` in workerd (Cloudflare Workers). */

import "./index.workerd.js";

export * from "./route/api.js";
