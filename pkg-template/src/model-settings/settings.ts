/** The settings of a model and of the search services, as a user types them. */

import type { Api, LlmConfig, ThinkingLevel } from "../types/model.js";
import type { Services } from "../types/tools.js";
import type { ListPrice } from "./list-prices.js";
import { presetOf, services, type PresetId } from "./presets.js";
import { listPrice } from "./prices.js";

/** The owner of a key. Each provider has its own, so that no key is sent to another one. */
export type KeyOwner = PresetId | "tavily" | "unsplash";

export interface ModelSettings {
  preset: PresetId;
  api: Api;
  modelId: string;
  baseUrl: string;
  /** As typed; empty for the model's default. */
  temperature: string;
  /** Empty for the model's default. */
  thinkingLevel: ThinkingLevel | "";
  /** US dollars per million tokens, as typed; the cost of a run needs both. */
  priceIn: string;
  priceOut: string;
  web: "wikipedia" | "tavily";
  tavilyUrl: string;
  images: "openverse" | "unsplash";
  unsplashUrl: string;
  /** True if the user wants the keys to be saved. */
  rememberKeys: boolean;
  keys: Partial<Record<KeyOwner, string>>;
  /** True if the endpoint comes from a link and not from the user. */
  fromLink: boolean;
}

export const thinkingLevels: readonly (ThinkingLevel | "")[] = ["", "off", "minimal", "low", "medium", "high", "xhigh"];

/** Returns the settings of a provider without a key. */
export function settingsOf(id: PresetId = "openai"): ModelSettings {
  const { apis, baseUrl, modelId } = presetOf(id);
  return {
    preset: id,
    api: apis[0]!,
    modelId,
    baseUrl,
    temperature: "",
    thinkingLevel: "",
    priceIn: "",
    priceOut: "",
    web: "wikipedia",
    tavilyUrl: services.tavily,
    images: "openverse",
    unsplashUrl: services.unsplash,
    rememberKeys: false,
    keys: {},
    fromLink: false,
  };
}

/** Returns the key of the model's provider; an empty text if there is none. */
export function keyOf({ keys, preset }: ModelSettings): string {
  return keys[preset]?.trim() ?? "";
}

/** Returns true if the provider needs a key and there is none. */
export function lacksKey(settings: ModelSettings): boolean {
  return presetOf(settings.preset).needsKey && !keyOf(settings);
}

/** Returns the price that the user has set. */
function ownPrice({ priceIn, priceOut }: ModelSettings): ListPrice | undefined {
  const [input, output] = [Number.parseFloat(priceIn), Number.parseFloat(priceOut)];
  return Number.isFinite(input) && Number.isFinite(output) ? { input, output } : undefined;
}

/** Returns the list price of the model. Another server than the provider's own has prices of its own. */
export function knownPrice({ preset, baseUrl, modelId }: ModelSettings): ListPrice | undefined {
  const isProvider = withoutSlash(baseUrl) === presetOf(preset).baseUrl;
  return isProvider ? listPrice(preset, modelId.trim()) : undefined;
}

/** Returns true if costs are estimated by list prices. */
export function isEstimated(settings: ModelSettings): boolean {
  return !ownPrice(settings) && knownPrice(settings) !== undefined;
}

/** Returns the configuration of an agent. */
export function llmConfigOf(settings: ModelSettings): LlmConfig {
  const apiKey = keyOf(settings);
  const temperature = Number.parseFloat(settings.temperature);
  const cost = ownPrice(settings) ?? knownPrice(settings);
  return {
    model: { api: settings.api, modelId: settings.modelId.trim(), ...(cost ? { cost } : {}) },
    ...(settings.thinkingLevel ? { thinkingLevel: settings.thinkingLevel } : {}),
    streamOptions: {
      baseUrl: withoutSlash(settings.baseUrl),
      ...(apiKey ? { apiKey } : {}),
      ...(Number.isFinite(temperature) ? { temperature } : {}),
    },
  };
}

/** Returns the search services of an agent. */
export function servicesOf({ web, tavilyUrl, images, unsplashUrl, keys }: ModelSettings): Services {
  return {
    web:
      web === "tavily"
        ? { provider: "tavily", apiKey: keys.tavily?.trim() ?? "", baseUrl: tavilyUrl.trim() }
        : { provider: "wikipedia" },
    images:
      images === "unsplash"
        ? { provider: "unsplash", apiKey: keys.unsplash?.trim() ?? "", baseUrl: unsplashUrl.trim() }
        : { provider: "openverse" },
  };
}

/** Returns the model and its host, for display. */
export function modelNameOf({ baseUrl, modelId }: ModelSettings): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
  return `${modelId || "model"} · ${host}`;
}

function withoutSlash(url: string): string {
  return url.trim().replace(/\/+$/, "");
}
