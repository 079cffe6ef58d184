/** `copydesk/worker-agent/worker` during development, with copies of the wasm. */

import { copyOf } from "./loading/copies.js";
import { full } from "./loading/full-build.js";
import { markdownToHTML } from "./markdown/markdown-content.js";
import { provide } from "./loading/parts.js";

const build = async () => full;

provide({ page: build, full: build, markdown: async () => ({ markdownToHTML }), copyOf });

export { serveAgents, type ServeOptions, type WorkerScope } from "./worker-agent/serve.js";
