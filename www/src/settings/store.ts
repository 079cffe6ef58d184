/** The settings, saved across visits; keys are saved only if the user chooses so. */
import type { LlmConfig } from "copydesk";
import {
  isApi,
  lacksKey,
  llmConfigOf as configOf,
  presetOf,
  settingsOf,
  thinkingLevels,
  type KeyOwner,
  type ModelSettings,
} from "copydesk/assistant";
import { removeItem, loadItem, saveItem } from "../storage";

type SavedSettings = Omit<ModelSettings, "keys" | "fromLink" | "rememberKeys">;

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

/** Returns true if the user has chosen, in this tab or another, that keys are saved. */
export const remembersKeys = (): boolean => loadItem("keys") !== null;

/** Returns the saved settings, overridden by `?baseUrl=&model=&api=` of the URL. A key is never read from the URL. */
export function loadSettings(search = location.search): ModelSettings {
  const saved = parse(loadItem("settings")) as Partial<SavedSettings>;
  const preset = presetOf(saved.preset);
  const plain = settingsOf(preset.id);
  const settings: ModelSettings = {
    ...plain,
    api: isApi(saved.api) && preset.apis.includes(saved.api) ? saved.api : plain.api,
    modelId: saved.modelId ?? plain.modelId,
    baseUrl: saved.baseUrl ?? plain.baseUrl,
    temperature: saved.temperature ?? "",
    thinkingLevel: thinkingLevels.includes(saved.thinkingLevel ?? "") ? (saved.thinkingLevel ?? "") : "",
    priceIn: saved.priceIn ?? "",
    priceOut: saved.priceOut ?? "",
    web: saved.web === "tavily" ? "tavily" : "wikipedia",
    tavilyUrl: saved.tavilyUrl ?? plain.tavilyUrl,
    images: saved.images === "unsplash" ? "unsplash" : "openverse",
    unsplashUrl: saved.unsplashUrl ?? plain.unsplashUrl,
    rememberKeys: remembersKeys(),
    keys: parse(loadItem("keys")) as ModelSettings["keys"],
  };
  return overridden(settings, new URLSearchParams(search));
}

/** Returns the settings with the endpoint of the page's URL. */
function overridden(settings: ModelSettings, query: URLSearchParams): ModelSettings {
  const baseUrl = query.get("baseUrl");
  if (!baseUrl || !isHttp(baseUrl)) return settings;
  const api = query.get("api");
  return {
    ...settings,
    preset: "custom",
    baseUrl,
    modelId: query.get("model") ?? "default",
    api: isApi(api) ? api : "openai-completions",
    // A link must not be able to send a saved key to an endpoint of its choice.
    keys: { ...settings.keys, custom: undefined },
    fromLink: true,
  };
}

/** Saves the settings; keys only if the user chose to remember them, otherwise they are removed. */
export function saveSettings(settings: ModelSettings): void {
  const { keys, fromLink, rememberKeys, ...saved } = settings;
  if (!fromLink) saveItem("settings", JSON.stringify(saved));
  const entered = Object.entries(keys).flatMap(([owner, key]) => (key?.trim() ? [owner] : []));
  if (rememberKeys || !entered.length) removeItem(FORGOTTEN);
  else saveItem(FORGOTTEN, entered.join(" "));
  if (!rememberKeys) removeItem("keys");
  else {
    const before = parse(loadItem("keys")) as ModelSettings["keys"];
    saveItem("keys", JSON.stringify(fromLink ? { ...keys, custom: before.custom } : keys));
  }
}

/** The owners of keys that were entered and not saved, in `localStorage`. */
const FORGOTTEN = "keys.entered";

/** Returns the owners of keys that are needed now, and were entered in an earlier page without being remembered. */
export function forgottenKeys(settings: ModelSettings): KeyOwner[] {
  const entered = (loadItem(FORGOTTEN) ?? "").split(" ");
  const { preset, web, images, keys } = settings;
  const used: KeyOwner[] = [preset, ...(web === "tavily" ? [web] : []), ...(images === "unsplash" ? [images] : [])];
  return used.filter((owner) => entered.includes(owner) && !keys[owner]?.trim());
}

/** Returns the configuration of the agent. Without a key that is needed, the demo model answers, in its one format. */
export function llmConfigOf(settings: ModelSettings): LlmConfig {
  const config = configOf(settings);
  if (!lacksKey(settings)) return config;
  return { streamOptions: config.streamOptions, model: { api: "openai-completions", modelId: "demo" } };
}
