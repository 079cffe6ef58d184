/** `copydesk/route` in edge functions (Vercel, Next.js). */

import "./index.edge-light.js";

export * from "./route/api.js";
