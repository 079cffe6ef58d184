/** Model providers and search services. */
import type { Api } from "../types/model.js";
import { wireFormats, type WireFormat } from "../agent/wire-formats.js";

export type PresetId = "openai" | "anthropic" | "google" | "openrouter" | "deepseek" | "ollama" | "custom";

/** The wire formats, with a name and a base URL for each. */
export const formats: Readonly<Record<Api, Pick<WireFormat, "name" | "baseUrl">>> = wireFormats;

export interface Preset {
  id: PresetId;
  /** The provider's name; that of the custom preset is translated. */
  name?: string;
  /** Supported formats, the default first; the custom preset supports all. */
  apis: Api[];
  baseUrl: string;
  modelId: string;
  needsKey: boolean;
  /** The page where a key is made. */
  keyUrl?: string;
}

export const presets: Preset[] = [
  {
    id: "openai",
    name: "OpenAI",
    apis: ["openai-completions", "openai-responses"],
    baseUrl: formats["openai-completions"].baseUrl,
    modelId: "gpt-4.1",
    needsKey: true,
    keyUrl: "https://platform.openai.com/api-keys",
  },
  {
    id: "anthropic",
    name: "Anthropic",
    apis: ["anthropic-messages"],
    baseUrl: formats["anthropic-messages"].baseUrl,
    modelId: "claude-sonnet-4-5",
    needsKey: true,
    keyUrl: "https://platform.claude.com/settings/keys",
  },
  {
    id: "google",
    name: "Google",
    apis: ["google-generative-ai"],
    baseUrl: formats["google-generative-ai"].baseUrl,
    modelId: "gemini-2.5-flash",
    needsKey: true,
    keyUrl: "https://aistudio.google.com/apikey",
  },
  {
    id: "openrouter",
    name: "OpenRouter",
    apis: ["openai-completions"],
    baseUrl: "https://openrouter.ai/api/v1",
    modelId: "openai/gpt-4.1",
    needsKey: true,
    keyUrl: "https://openrouter.ai/settings/keys",
  },
  {
    id: "deepseek",
    name: "DeepSeek",
    apis: ["openai-completions"],
    baseUrl: "https://api.deepseek.com/v1",
    modelId: "deepseek-chat",
    needsKey: true,
    keyUrl: "https://platform.deepseek.com/api_keys",
  },
  {
    id: "ollama",
    name: "Ollama",
    apis: ["openai-completions"],
    baseUrl: "http://localhost:11434/v1",
    modelId: "qwen3",
    needsKey: false,
  },
  { id: "custom", apis: Object.keys(formats) as Api[], baseUrl: "", modelId: "", needsKey: false },
];

export function presetOf(id: string | undefined): Preset {
  return presets.find((preset) => preset.id === id) ?? presets[0]!;
}

/** The pages on which the search services make keys. */
export const serviceKeyUrls = {
  tavily: "https://app.tavily.com/home",
  unsplash: "https://unsplash.com/oauth/applications",
} as const;

export const services = {
  tavily: "https://api.tavily.com",
  unsplash: "https://api.unsplash.com",
} as const;
