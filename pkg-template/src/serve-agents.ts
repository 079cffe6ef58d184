/** `copydesk/worker-agent/worker`: the worker's side of `copydesk/worker-agent`, in one piece, with the full build. */

import { Marked, Tokenizer } from "marked";
import { full } from "./full-build.js";
import { provide } from "./parts.js";

const build = async () => full;

provide({ page: build, full: build, marked: async () => ({ Marked, Tokenizer }) });

export { serveAgents, type ServeOptions, type WorkerScope } from "./worker-agent/serve.js";
