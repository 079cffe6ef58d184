import { serveAgents } from "copydesk/worker-agent/worker";

serveAgents(self);
