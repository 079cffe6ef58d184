/** copydesk's own format: each event as JSON, with its `seq` as id. */

import { historyOf } from "../history.js";
import type { StreamFormat } from "./format.js";

export const copydesk: StreamFormat = {
  canApprove: false,
  members: (body) => body,
  read: ({ message, history }, wrong) => ({ message, history: historyOf(history, wrong), decisions: [] }),
  writer: () => ({ headers: {}, write: (event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n` }),
};
