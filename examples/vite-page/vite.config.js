// The page and the route on one server. The key of the model stays here: OPENAI_API_KEY, and BASE_URL and MODEL.
import { getRequestListener } from "@hono/node-server";
import react from "@vitejs/plugin-react";
import { createDocAgentRoute } from "copydesk/route";
import { defineConfig } from "vite";

const { OPENAI_API_KEY, BASE_URL = "https://api.openai.com/v1", MODEL = "gpt-4.1-mini", PORT = "5173" } = process.env;

/** The route, beside the page of `vite` and of `vite preview`. */
function docAgent() {
  const route = createDocAgentRoute({
    format: "ui-message-stream",
    llmConfig: {
      model: { api: "openai-completions", modelId: MODEL },
      streamOptions: { baseUrl: BASE_URL, apiKey: OPENAI_API_KEY ?? "" },
    },
    needsApproval: ["update_section"],
  });
  const serve = ({ middlewares }) => void middlewares.use("/api/doc-agent-chat", getRequestListener(route.fetch));
  return { name: "doc-agent", configureServer: serve, configurePreviewServer: serve };
}

const server = { host: "127.0.0.1", port: Number(PORT) };

export default defineConfig({
  plugins: [react(), docAgent()],
  server,
  preview: server,
  build: { target: "es2022", chunkSizeWarningLimit: 5000 },
});
