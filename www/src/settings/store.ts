/** The settings: what the person chose, kept across visits, and the keys, kept only if they say so. */
import type { Api, LlmConfig, Services, ThinkingLevel } from "copydesk";
import { forget, recall, remember } from "../storage";
import { isApi, presetOf, services, type PresetId } from "./presets";

/** Whose key it is. Each provider has its own, so that none is ever sent to another. */
export type KeyOwner = PresetId | "tavily" | "unsplash";

export interface Settings {
  preset: PresetId;
  api: Api;
  modelId: string;
  baseUrl: string;
  /** As typed; empty leaves it to the model. */
  temperature: string;
  /** Empty leaves it to the model. */
  thinkingLevel: ThinkingLevel | "";
  /** Dollars per million tokens, as typed; both are needed for a run's cost. */
  priceIn: string;
  priceOut: string;
  web: "wikipedia" | "tavily";
  tavilyUrl: string;
  images: "openverse" | "unsplash";
  unsplashUrl: string;
  rememberKeys: boolean;
  keys: Partial<Record<KeyOwner, string>>;
  /** The endpoint came with the address of the page, not from the person. */
  fromLink: boolean;
}

type Kept = Omit<Settings, "keys" | "fromLink" | "rememberKeys">;

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

/** What is kept on the device, then `?baseUrl=&model=&api=` of the address over it. A key is never read from the address. */
export function loadSettings(search = location.search): Settings {
  const kept = parse(recall("settings")) as Partial<Kept>;
  const keptKeys = parse(recall("keys")) as Settings["keys"];
  const preset = presetOf(kept.preset);
  const settings: Settings = {
    preset: preset.id,
    api: isApi(kept.api) && preset.apis.includes(kept.api) ? kept.api : preset.apis[0]!,
    modelId: kept.modelId ?? preset.modelId,
    baseUrl: kept.baseUrl ?? preset.baseUrl,
    temperature: kept.temperature ?? "",
    thinkingLevel: thinkingLevels.includes(kept.thinkingLevel ?? "") ? (kept.thinkingLevel ?? "") : "",
    priceIn: kept.priceIn ?? "",
    priceOut: kept.priceOut ?? "",
    web: kept.web === "tavily" ? "tavily" : "wikipedia",
    tavilyUrl: kept.tavilyUrl ?? services.tavily,
    images: kept.images === "unsplash" ? "unsplash" : "openverse",
    unsplashUrl: kept.unsplashUrl ?? services.unsplash,
    rememberKeys: recall("keys") !== null,
    keys: keptKeys,
    fromLink: false,
  };
  const query = new URLSearchParams(search);
  const baseUrl = query.get("baseUrl");
  const modelId = query.get("model");
  if (baseUrl && isHttp(baseUrl)) {
    // A link must not be able to lead a remembered key to an address of its choice.
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

/** Keeps the choices; the keys only where the person ticked it, and otherwise removes them. */
export function saveSettings(settings: Settings): void {
  const { keys, fromLink, rememberKeys, ...kept } = settings;
  if (!fromLink) remember("settings", JSON.stringify(kept));
  if (!rememberKeys) forget("keys");
  else {
    const before = parse(recall("keys")) as Settings["keys"];
    remember("keys", JSON.stringify(fromLink ? { ...keys, custom: before.custom } : keys));
  }
}

export function keyOf(settings: Settings): string {
  return settings.keys[settings.preset]?.trim() ?? "";
}

/** A provider that needs a key, and no key: the demo model answers. */
export function isDemo(settings: Settings): boolean {
  return presetOf(settings.preset).needsKey && !keyOf(settings);
}

export function llmConfigOf(settings: Settings): LlmConfig {
  const demo = isDemo(settings);
  const apiKey = keyOf(settings);
  const temperature = Number.parseFloat(settings.temperature);
  const [input, output] = [settings.priceIn, settings.priceOut].map(Number.parseFloat) as [number, number];
  const cost = Number.isFinite(input) && Number.isFinite(output) ? { cost: { input, output } } : {};
  return {
    // The demo model speaks one format.
    model: demo ? { api: "openai-completions", modelId: "demo" } : { api: settings.api, modelId: settings.modelId.trim(), ...cost },
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

/** Who answers, in a word or two: the model and the host it is asked at. */
export function nameOf(settings: Settings): string {
  const host = URL.canParse(settings.baseUrl) ? new URL(settings.baseUrl).host : settings.baseUrl;
  return `${settings.modelId || "model"} · ${host}`;
}
