// The key of the model stays on the server: OPENAI_API_KEY, and BASE_URL and MODEL.
import { createDocAgentRoute, memoryLog } from "copydesk/route";

const { OPENAI_API_KEY, BASE_URL = "https://api.openai.com/v1", MODEL = "gpt-4.1-mini" } = process.env;

export const route = createDocAgentRoute({
  llmConfig: {
    model: { api: "openai-completions", modelId: MODEL },
    streamOptions: { baseUrl: BASE_URL, apiKey: OPENAI_API_KEY ?? "" },
  },
  log: memoryLog(),
});
