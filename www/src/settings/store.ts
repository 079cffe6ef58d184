/** The settings, saved across visits; keys are saved only if the user chooses so. */
import type { Api, LlmConfig, Services, ThinkingLevel } from "copydesk";
import { removeItem, loadItem, saveItem } from "../storage";
import { isApi, presetOf, services, type PresetId } from "./presets";
import { listPrice } from "./prices";

/** The owner of a key. Each provider has its own, so that no key is sent to another one. */
export type KeyOwner = PresetId | "tavily" | "unsplash";

export interface Settings {
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
  rememberKeys: boolean;
  keys: Partial<Record<KeyOwner, string>>;
  /** The endpoint comes from the page's URL, not from the user. */
  fromLink: boolean;
}

type SavedSettings = Omit<Settings, "keys" | "fromLink" | "rememberKeys">;

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return value && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

export const thinkingLevels: readonly (ThinkingLevel | "")[] = ["", "off", "minimal", "low", "medium", "high", "xhigh"];

/** Returns true if the user has chosen, in this tab or another, that keys are saved. */
export const remembersKeys = (): boolean => loadItem("keys") !== null;

/** Returns the saved settings, overridden by `?baseUrl=&model=&api=` of the URL. A key is never read from the URL. */
export function loadSettings(search = location.search): Settings {
  const saved = parse(loadItem("settings")) as Partial<SavedSettings>;
  const savedKeys = parse(loadItem("keys")) as Settings["keys"];
  const preset = presetOf(saved.preset);
  const settings: Settings = {
    preset: preset.id,
    api: isApi(saved.api) && preset.apis.includes(saved.api) ? saved.api : preset.apis[0]!,
    modelId: saved.modelId ?? preset.modelId,
    baseUrl: saved.baseUrl ?? preset.baseUrl,
    temperature: saved.temperature ?? "",
    thinkingLevel: thinkingLevels.includes(saved.thinkingLevel ?? "") ? (saved.thinkingLevel ?? "") : "",
    priceIn: saved.priceIn ?? "",
    priceOut: saved.priceOut ?? "",
    web: saved.web === "tavily" ? "tavily" : "wikipedia",
    tavilyUrl: saved.tavilyUrl ?? services.tavily,
    images: saved.images === "unsplash" ? "unsplash" : "openverse",
    unsplashUrl: saved.unsplashUrl ?? services.unsplash,
    rememberKeys: remembersKeys(),
    keys: savedKeys,
    fromLink: false,
  };
  const query = new URLSearchParams(search);
  const baseUrl = query.get("baseUrl");
  const modelId = query.get("model");
  if (baseUrl && isHttp(baseUrl)) {
    // A link must not be able to send a saved key to an endpoint of its choice.
    settings.preset = "custom";
    settings.baseUrl = baseUrl;
    settings.modelId = modelId ?? "default";
    const api = query.get("api");
    settings.api = isApi(api) ? api : "openai-completions";
    settings.keys = { ...settings.keys, custom: undefined };
    settings.fromLink = true;
  }
  return settings;
}

/** Saves the settings; keys only if the user chose to remember them, otherwise they are removed. */
export function saveSettings(settings: Settings): void {
  const { keys, fromLink, rememberKeys, ...saved } = settings;
  if (!fromLink) saveItem("settings", JSON.stringify(saved));
  const entered = Object.entries(keys).flatMap(([owner, key]) => (key?.trim() ? [owner] : []));
  if (rememberKeys || !entered.length) removeItem(FORGOTTEN);
  else saveItem(FORGOTTEN, entered.join(" "));
  if (!rememberKeys) removeItem("keys");
  else {
    const before = parse(loadItem("keys")) as Settings["keys"];
    saveItem("keys", JSON.stringify(fromLink ? { ...keys, custom: before.custom } : keys));
  }
}

export function keyOf(settings: Settings): string {
  return settings.keys[settings.preset]?.trim() ?? "";
}

/** Returns true if the provider needs a key and there is none: the demo model answers. */
export function isDemo(settings: Settings): boolean {
  return presetOf(settings.preset).needsKey && !keyOf(settings);
}

/** Returns the price that the user has set. */
function ownPrice({ priceIn, priceOut }: Settings): { input: number; output: number } | undefined {
  const [input, output] = [Number.parseFloat(priceIn), Number.parseFloat(priceOut)];
  return Number.isFinite(input) && Number.isFinite(output) ? { input, output } : undefined;
}

/** Returns the list price of the model. Another server than the provider's own has prices of its own. */
export function knownPrice({ preset, baseUrl, modelId }: Settings): ReturnType<typeof listPrice> {
  const isProvider = baseUrl.trim().replace(/\/+$/, "") === presetOf(preset).baseUrl;
  return isProvider ? listPrice(preset, modelId.trim()) : undefined;
}

/** Returns true if costs are estimated by list prices. */
export function isEstimated(settings: Settings): boolean {
  return !ownPrice(settings) && knownPrice(settings) !== undefined;
}

/** The owners of keys that were entered and not saved, in `localStorage`. */
const FORGOTTEN = "keys.entered";

/** Returns the owners of keys that are needed now, and were entered in an earlier page without being remembered. */
export function forgottenKeys(settings: Settings): KeyOwner[] {
  const entered = (loadItem(FORGOTTEN) ?? "").split(" ");
  const { preset, web, images, keys } = settings;
  const used: KeyOwner[] = [preset, ...(web === "tavily" ? [web] : []), ...(images === "unsplash" ? [images] : [])];
  return used.filter((owner) => entered.includes(owner) && !keys[owner]?.trim());
}

export function llmConfigOf(settings: Settings): LlmConfig {
  const demo = isDemo(settings);
  const apiKey = keyOf(settings);
  const temperature = Number.parseFloat(settings.temperature);
  const price = ownPrice(settings) ?? knownPrice(settings);
  return {
    // The demo model supports one format.
    model: demo
      ? { api: "openai-completions", modelId: "demo" }
      : { api: settings.api, modelId: settings.modelId.trim(), ...(price ? { cost: price } : {}) },
    ...(settings.thinkingLevel && !demo ? { thinkingLevel: settings.thinkingLevel } : {}),
    streamOptions: {
      baseUrl: settings.baseUrl.trim().replace(/\/+$/, ""),
      ...(apiKey ? { apiKey } : {}),
      ...(Number.isFinite(temperature) ? { temperature } : {}),
    },
  };
}

export function servicesOf(settings: Settings): Services {
  return {
    web:
      settings.web === "tavily"
        ? { provider: "tavily", apiKey: settings.keys.tavily?.trim() ?? "", baseUrl: settings.tavilyUrl }
        : { provider: "wikipedia" },
    images:
      settings.images === "unsplash"
        ? { provider: "unsplash", apiKey: settings.keys.unsplash?.trim() ?? "", baseUrl: settings.unsplashUrl }
        : { provider: "openverse" },
  };
}

/** Returns the model and its host, for display. */
export function nameOf(settings: Settings): string {
  const host = URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).host : settings.baseUrl;
  return `${settings.modelId || "model"} · ${host}`;
}
