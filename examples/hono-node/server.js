// The page and the route on one server. The key of the model stays here: OPENAI_API_KEY, and BASE_URL and MODEL.
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { createDocAgentRoute, memoryLog } from "copydesk/route";
import { Hono } from "hono";

const { OPENAI_API_KEY, BASE_URL = "https://api.openai.com/v1", MODEL = "gpt-4.1-mini", PORT = "8787", DIST = "dist" } = process.env;

const route = createDocAgentRoute({
  llmConfig: {
    model: { api: "openai-completions", modelId: MODEL },
    streamOptions: { baseUrl: BASE_URL, apiKey: OPENAI_API_KEY ?? "" },
  },
  log: memoryLog(),
});

const app = new Hono();
app.all("/api/doc-agent-chat", ({ req }) => route.fetch(req.raw));
app.all("/api/doc-agent-chat/config", ({ req }) => route.fetch(req.raw));
app.use("*", serveStatic({ root: DIST }));

serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/`);
});
