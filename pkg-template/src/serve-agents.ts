/** `copydesk/worker-agent/worker`: the worker's side of `copydesk/worker-agent`, in one piece, with the full build. */

import { full } from "./loading/full-build.js";
import { markdownToHTML } from "./markdown/markdown-content.js";
import { provide } from "./loading/parts.js";

const build = async () => full;

provide({ page: build, full: build, markdown: async () => ({ markdownToHTML }) });

export { serveAgents, type ServeOptions, type WorkerScope } from "./worker-agent/serve.js";
