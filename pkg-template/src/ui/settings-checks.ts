/** The checks of what a user has entered in `<copydesk-settings>`. */

import type { ModelSettings } from "../model-settings/settings.js";

/** A group of settings: the model, the search on the web, the search for images, and whether keys are remembered. */
export type SettingsPart = "model" | "web" | "images" | "keys";

/** A text field of the form. */
export type SettingsField =
  "modelId" | "baseUrl" | "temperature" | "priceIn" | "priceOut" | "tavilyUrl" | "unsplashUrl";

/** The faults of a field: the keys of their sentences. */
export type SettingsProblem = "required" | "url" | "price" | "temperature";

/** Returns the fields that are not valid, in the order of the form. */
export function invalidFields(
  draft: ModelSettings,
  parts: readonly SettingsPart[],
): ReadonlyMap<SettingsField, SettingsProblem> {
  const hasModel = parts.includes("model");
  const checks: [SettingsField, boolean, SettingsProblem][] = [
    ["modelId", hasModel && !draft.modelId.trim(), "required"],
    ["baseUrl", hasModel && !isHttp(draft.baseUrl), "url"],
    ["temperature", hasModel && !isTemperature(draft.temperature), "temperature"],
    ["priceIn", hasModel && !isPrice(draft.priceIn), "price"],
    ["priceOut", hasModel && !isPrice(draft.priceOut), "price"],
    ["tavilyUrl", parts.includes("web") && draft.web === "tavily" && !isHttp(draft.tavilyUrl), "url"],
    ["unsplashUrl", parts.includes("images") && draft.images === "unsplash" && !isHttp(draft.unsplashUrl), "url"],
  ];
  return new Map(checks.filter(([, isInvalid]) => isInvalid).map(([name, , problem]) => [name, problem]));
}

export function isHttp(url: string): boolean {
  return URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol);
}

/** Returns the origin of a URL; undefined if it is not an http(s) URL. */
export function originOf(url: string): string | undefined {
  return isHttp(url) ? new URL(url.trim()).origin : undefined;
}

function isPrice(text: string): boolean {
  return !text.trim() || (Number.isFinite(Number(text)) && Number(text) >= 0);
}

function isTemperature(text: string): boolean {
  const value = Number(text);
  return !text.trim() || (Number.isFinite(value) && value >= 0 && value <= 2);
}
