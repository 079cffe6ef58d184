/** The formats by name. */

import { agUi } from "./ag-ui.js";
import { copydesk } from "./copydesk.js";
import type { StreamFormat } from "./format.js";
import { uiMessageStream } from "./ui-message-stream.js";

/** A form of bodies and streams: copydesk's, the AI SDK's, or that of AG-UI. */
export type FormatName = "copydesk" | "ui-message-stream" | "ag-ui";

export const FORMATS: Record<FormatName, StreamFormat> = {
  copydesk,
  "ui-message-stream": uiMessageStream,
  "ag-ui": agUi,
};
