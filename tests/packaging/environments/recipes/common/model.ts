import type { AgentOptions } from "copydesk";

export const llmConfig: AgentOptions["llmConfig"] = {
  model: { api: "openai-completions", modelId: "gpt-4.1-mini" },
  // Every user of the page can read a key in it: use the user's own, or a proxy.
  streamOptions: { baseUrl: "https://api.openai.com/v1", apiKey: "sk-your-key" },
};
