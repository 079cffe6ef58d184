/** List prices of the providers' models, in US dollars per million tokens, for the costs that the page estimates. */
import type { LlmConfig } from "copydesk";
import type { PresetId } from "./presets";
import prices from "./prices.json";

type Cost = NonNullable<LlmConfig["model"]["cost"]>;

/** The day of the prices. */
export const PRICE_DATE = prices.date;

/** Returns the list price of a provider's model; undefined if it is not known. */
export function listPrice(preset: PresetId, modelId: string): Cost | undefined {
  const models = (prices.models as Partial<Record<string, Record<string, Cost>>>)[preset];
  return models && Object.hasOwn(models, modelId) ? models[modelId] : undefined;
}
