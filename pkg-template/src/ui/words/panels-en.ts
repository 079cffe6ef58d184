/** English words of the panels. `panels-zh.ts` has the same keys. */
import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

const outline = {
  label: "Outline",
  introduction: "Introduction",
  noSections: "No sections yet.",
  words: (count: number) => plural(count, "word"),
  proposed: "suggested",
  deleted: "would be deleted",
};

const settings = {
  model: "Model",
  provider: "Provider",
  custom: "Custom",
  modelId: "Model",
  baseUrl: "Base URL",
  apiKey: "API key",
  keyOptional: "API key (optional)",
  getKey: (provider: string) => `Get a key from ${provider}`,
  showKey: "Show key",
  keyHint: "This provider needs an API key. Models of your own computer (Ollama) need none.",
  linkHint: "This endpoint comes from the link that opened the page. Saved keys are not sent to it.",
  ollamaHint: (origin: string) =>
    `Ollama needs no key. It must allow this page: start it with OLLAMA_ORIGINS=${origin}`,
  format: "API format",
  more: "More",
  temperature: "Temperature",
  modelDefault: "Model default",
  thinkingLevel: "Thinking",
  thinkingLevels: {
    "": "Model default",
    off: "Off",
    minimal: "Minimal",
    low: "Low",
    medium: "Medium",
    high: "High",
    xhigh: "Very high",
  },
  priceIn: "Input price (US$ per 1M tokens)",
  priceOut: "Output price (US$ per 1M tokens)",
  priceHint: "Shows the cost of a run",
  estimatedPrice: (date: string) => `Estimated from list prices of ${date}`,
  connection: {
    test: "Test connection",
    testing: "Testing…",
    works: (models: number) =>
      `The connection works. The provider has ${plural(models, "model")}; the model field lists them.`,
    notListed: (model: string, models: number) =>
      `The connection works, but “${model}” is not one of its ${plural(models, "model")}. The model field lists them.`,
    key: (_status: number) => "The server does not accept the API key.",
    url: (_status: number) => "The server answers, but has no list of models at this base URL. Check the URL.",
    unusable: (status: number) => `The server answers with an error (${status}). Try again later.`,
    offline: (_status: number) => "You are offline. Reconnect and try again.",
    blocked: (_status: number) =>
      "The server is there, but this browser may not read its answer (CORS): it has to allow requests from this page.",
    unreachable: (_status: number) => "The server cannot be reached. Check the URL, and that the server is running.",
  },
  web: "Web search",
  images: "Image search",
  keyless: (name: string) => `${name} (no key needed)`,
  rememberKeys: "Remember API keys on this device",
  rememberKeysHint: "Otherwise keys are kept in memory until the page is closed.",
  problems: {
    required: "This field is required.",
    url: "Enter an http(s) URL, such as https://api.openai.com/v1",
    price: "Enter a number of 0 or more.",
    temperature: "Enter a number from 0 to 2.",
  },
};

export const panels = {
  lang: "en" as "en" | "zh-CN",
  cancel: "Cancel",
  save: "Save",
  outline,
  settings,
};

export type PanelWords = typeof panels;
