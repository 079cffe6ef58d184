/** The settings, stored across visits; keys are stored only if the user chooses so. */

import type { Items } from "../base/items.js";
import { isApi } from "../agent/wire-formats.js";
import { presetOf } from "./presets.js";
import { settingsOf, thinkingLevels, type KeyOwner, type ModelSettings } from "./settings.js";

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
export const keepsKeys = (items: Items): boolean => items.get("keys") !== null;

/** Returns the stored settings. */
export function loadSettings(items: Items): ModelSettings {
  const saved = parse(items.get("settings")) as Partial<SavedSettings>;
  const preset = presetOf(saved.preset);
  const plain = settingsOf(preset.id);
  return {
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
    rememberKeys: keepsKeys(items),
    keys: parse(items.get("keys")) as ModelSettings["keys"],
  };
}

/** Returns the settings with the endpoint that a link to the page names: `?baseUrl=&model=&api=`. A key is never read from a
 * link. */
export function linkedSettings(settings: ModelSettings, search: string): ModelSettings {
  const query = new URLSearchParams(search);
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

/** Stores the settings, unless they are those of a link; keys only if the user has chosen so, otherwise they are removed. */
export function saveSettings(items: Items, settings: ModelSettings): void {
  const { keys, fromLink, rememberKeys, ...saved } = settings;
  if (!fromLink) items.set("settings", JSON.stringify(saved));
  const entered = Object.entries(keys).flatMap(([owner, key]) => (key?.trim() ? [owner] : []));
  if (rememberKeys || !entered.length) items.remove(FORGOTTEN);
  else items.set(FORGOTTEN, entered.join(" "));
  if (!rememberKeys) items.remove("keys");
  else {
    const before = parse(items.get("keys")) as ModelSettings["keys"];
    items.set("keys", JSON.stringify(fromLink ? { ...keys, custom: before.custom } : keys));
  }
}

/** The owners of keys that were entered and not saved, in `localStorage`. */
const FORGOTTEN = "keys.entered";

/** Returns the owners of keys that are needed now, and were entered in an earlier page without being remembered. */
export function forgottenKeys(items: Items, settings: ModelSettings): KeyOwner[] {
  const entered = (items.get(FORGOTTEN) ?? "").split(" ");
  const { preset, web, images, keys } = settings;
  const used: KeyOwner[] = [preset, ...(web === "tavily" ? [web] : []), ...(images === "unsplash" ? [images] : [])];
  return used.filter((owner) => entered.includes(owner) && !keys[owner]?.trim());
}
