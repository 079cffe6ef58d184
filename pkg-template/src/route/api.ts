/** `copydesk/route`: the chat route, for servers, edge functions and workers. */

export { createDocAgentRoute, type DocAgentRoute } from "./create.js";
export type { RequestContext } from "./arrival.js";
export type { ChatBody, ChatModel } from "./chat-body.js";
export type { HistoryEntry } from "./history.js";
export type { DocAgentRouteOptions, RouteSettings, RunEnd } from "./options.js";
export type { Hosts, Origins } from "./origin.js";
export type { ImageServiceConfigs, SearchServiceConfigs, ServiceConfig, ServiceSource } from "./services.js";
export { streamDocAgentChat, type ChatStreamOptions } from "./stream-chat.js";
export {
  createDocAgentTools,
  type AiTool,
  type DocAgentTools,
  type DocAgentToolsOptions,
  type OpenAiTool,
  type PiTool,
} from "./agent-tools.js";
export {
  memoryLog,
  type LoggedEvent,
  type LoggedRun,
  type RunLog,
  type RunOwner,
  type RunState,
  type RunStatus,
} from "./run-log.js";
export { postgresLog, type PostgresClient, type PostgresLogOptions } from "./postgres-log.js";
export { redisLog, type RedisClient, type RedisLogOptions } from "./redis-log.js";
export { resumableFetch, type ResumableFetchOptions } from "./resumable-fetch.js";
export type { OpenTelemetryApi } from "./telemetry.js";
export type { FormatName } from "./formats/index.js";
export { AgentChatTransport } from "./agent-transport.js";
