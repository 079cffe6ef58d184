/** `copydesk/worker-agent/worker` during development, with copies of the wasm. */

import { Marked, Tokenizer } from "marked";
import { copyOf } from "./copies.js";
import { full } from "./full-build.js";
import { provide } from "./parts.js";

const build = async () => full;

provide({ page: build, full: build, marked: async () => ({ Marked, Tokenizer }), copyOf });

export { serveAgents, type ServeOptions, type WorkerScope } from "./worker-agent/serve.js";
