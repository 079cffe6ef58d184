/** The options of an assistant's agent. */

import type { AgentOptions } from "copydesk";

/** Those of `new Agent` without the document. */
export type AssistantAgentOptions = Omit<AgentOptions, "document">;
