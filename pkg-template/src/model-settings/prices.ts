/** The list price of a model. */

import type { PresetId } from "./presets.js";
import { listPrices, type ListPrice } from "./list-prices.js";

/** Returns the list price of a provider's model; undefined if it is not known. */
export function listPrice(preset: PresetId, modelId: string): ListPrice | undefined {
  const models = Object.hasOwn(listPrices, preset) ? listPrices[preset] : undefined;
  return models && Object.hasOwn(models, modelId) ? models[modelId] : undefined;
}
