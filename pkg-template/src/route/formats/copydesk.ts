/** copydesk's own format: each event as JSON, with its `seq` as id. */

import type { EventWriter } from "./format.js";

export function copydeskWriter(): EventWriter {
  return { headers: {}, write: (event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n` };
}
