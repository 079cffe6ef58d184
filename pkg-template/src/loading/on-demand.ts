/** The parts for bundlers and browsers that load modules on demand: a page loads only what it uses. */

import type { Parts } from "./parts.js";

export const onDemand: Parts = {
  page: async () => (await import("./page-build.js")).page,
  full: async () => (await import("./full-build.js")).full,
  markdown: () => import("../markdown/markdown-content.js"),
};
