import { serveAgents } from "copydesk/worker-agent/worker";

serveAgents(self, { wasm: new URL("/missing.wasm", location.href) });
