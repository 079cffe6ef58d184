/** Where a model can be asked, and what each place needs. */

export type PresetId = "openai" | "openrouter" | "deepseek" | "ollama" | "custom";

export interface Preset {
  id: PresetId;
  /** The provider's own name; the custom one is named by the page's language. */
  name?: string;
  baseUrl: string;
  modelId: string;
  needsKey: boolean;
}

export const presets: Preset[] = [
  { id: "openai", name: "OpenAI", baseUrl: "https://api.openai.com/v1", modelId: "gpt-4.1", needsKey: true },
  { id: "openrouter", name: "OpenRouter", baseUrl: "https://openrouter.ai/api/v1", modelId: "openai/gpt-4.1", needsKey: true },
  { id: "deepseek", name: "DeepSeek", baseUrl: "https://api.deepseek.com/v1", modelId: "deepseek-chat", needsKey: true },
  { id: "ollama", name: "Ollama", baseUrl: "http://localhost:11434/v1", modelId: "qwen3", needsKey: false },
  { id: "custom", baseUrl: "", modelId: "", needsKey: false },
];

export function presetOf(id: string | undefined): Preset {
  return presets.find((preset) => preset.id === id) ?? presets[0]!;
}

export const services = {
  tavily: "https://api.tavily.com",
  unsplash: "https://api.unsplash.com",
} as const;
