/** copydesk's own format: each event as JSON, with its `seq` as id. */

import { textOf } from "../client-writer.js";
import { historyOf } from "../history.js";
import type { StreamFormat } from "./format.js";

export const copydesk: StreamFormat = {
  canApprove: false,
  needsToken: false,
  headers: {},
  members: (body) => body,
  threadOf: () => undefined,
  stored: ({ documentContent = "" }) => ({ documentContent }),
  read: ({ message, history }, wrong) => ({ message, history: historyOf(history, wrong), decisions: [] }),
  writer: () => ({ write: textOf }),
};
