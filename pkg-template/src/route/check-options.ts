/** The options of a route, checked and divided. */

import type { AgentOptions } from "../agent/options.js";
import { check, members } from "../base/error.js";
import { isObject } from "../base/json.js";
import { SHORTEST_SECRET } from "./approvals.js";
import type { StreamFormat } from "./formats/format.js";
import { FORMATS } from "./formats/index.js";
import type { DocAgentRouteOptions, RouteSettings } from "./options.js";
import { checkAccess } from "./origin.js";

/** The longest time of a timer. */
const LONGEST = 2 ** 31 - 1;

type Check = (name: string, given: unknown) => void;

function numberFrom(least: number, most: number, unit: string): Check {
  return (name, given) => {
    const isValid = typeof given === "number" && given >= least && given <= most;
    check(isValid, name, given, `a number of ${unit} from ${least} to ${most}`);
  };
}

const milliseconds = numberFrom(1, LONGEST, "milliseconds");
const isSwitch: Check = (name, given) => check(typeof given === "boolean", name, given, "true or false");
const isFunction: Check = (name, given) => check(typeof given === "function", name, given, "a function");
const isAny: Check = () => {};

/** The route's own options. Those that are checked together, or where they are used, take anything here. */
const OWN: Record<keyof RouteSettings, Check> = {
  llmConfig: isAny,
  fetch: isFunction,
  logger: (name, given) => check(isObject(given), name, given, "an object with debug, info, warning and error"),
  guards: isAny,
  wasm: isAny,
  searchService: isAny,
  imageService: isAny,
  exposeKeys: isSwitch,
  exposeErrors: isSwitch,
  origins: isAny,
  hosts: isAny,
  baseUrls: (name, given) => check(Array.isArray(given), name, given, "a list of URLs"),
  maxBodyBytes: numberFrom(1, Number.MAX_SAFE_INTEGER, "bytes"),
  totalTimeout: milliseconds,
  keepAlive: milliseconds,
  document: isFunction,
  whenBusy: (name, given) => check(["queue", "refuse"].includes(given as string), name, given, '"queue" or "refuse"'),
  approvalSecret: isAny,
  approveWithin: numberFrom(1, Number.MAX_SAFE_INTEGER, "milliseconds"),
  format: isAny,
  log: checkLog,
  logTimeout: milliseconds,
  resumeWithin: numberFrom(0, LONGEST, "milliseconds"),
  lease: milliseconds,
  openTelemetry: isAny,
  onEnd: isFunction,
};

/** The options that are an agent's, which checks them. */
const OF_AGENT: Record<Exclude<keyof AgentOptions, "document" | "llmConfig" | "workspace" | "record">, true> = {
  services: true,
  locale: true,
  systemPrompt: true,
  rules: true,
  reminderInterval: true,
  ruleFiles: true,
  skills: true,
  skillTokens: true,
  thinkingLevel: true,
  tools: true,
  builtInTools: true,
  needsApproval: true,
  toolExecution: true,
  toolArgs: true,
  steeringMode: true,
  followUpMode: true,
  maxTurns: true,
  runTimeout: true,
  toolTimeout: true,
  maxRetries: true,
  maxRepeats: true,
  documentInPrompt: true,
  documentPath: true,
  documentTokens: true,
  resultBytes: true,
  transformContext: true,
  convertToLlm: true,
  getApiKey: true,
  beforeToolCall: true,
  afterToolCall: true,
  plugins: true,
  fetch: true,
  logger: true,
};

/** Returns the options that are given, and the format. @throws CopydeskError `invalid_parameter` for one that is wrong. */
export function readOptions(given: DocAgentRouteOptions): { options: DocAgentRouteOptions; format: StreamFormat } {
  const all = Object.entries(members(given, "options")).filter(([, value]) => value !== undefined);
  for (const [name, value] of all) {
    if (Object.hasOwn(OWN, name)) OWN[name as keyof RouteSettings](name, value);
    else if (!Object.hasOwn(OF_AGENT, name)) {
      const names = [...new Set([...Object.keys(OWN), ...Object.keys(OF_AGENT)])].join(", ");
      check(false, name, value, `left out: it is no option of a route. The options are ${names}`);
    }
  }
  const options = Object.fromEntries(all) as DocAgentRouteOptions;
  return { options, format: formatOf(options) };
}

function formatOf(options: DocAgentRouteOptions): StreamFormat {
  const { format = "copydesk" } = options;
  const formats = Object.keys(FORMATS);
  check(formats.includes(format), "format", format, `one of ${formats.join(", ")}`);
  const asks =
    options.approvalSecret !== undefined ||
    !!options.needsApproval?.length ||
    !!options.tools?.some(({ needsApproval }) => needsApproval);
  const { canApprove } = FORMATS[format];
  const expected = "one in which calls can be approved: ui-message-stream, ag-ui";
  check(!asks || canApprove, "format", format, expected);
  checkSecrets(options);
  checkTelemetry(options);
  checkAccess(options);
  return FORMATS[format];
}

/** Checks the time to wait for runs when a route closes. */
export function checkWithin(given: unknown): void {
  const isValid = typeof given === "number" && given >= 0 && (given <= LONGEST || given === Infinity);
  check(isValid, "within", given, `a number of milliseconds from 0 to ${LONGEST}, or Infinity`);
}

const METHODS = ["claim", "append", "renew", "attend", "stop", "find", "eventsAfter", "lock", "setLatest", "latest"];

function checkLog(name: string, given: unknown): void {
  const log = (isObject(given) ? given : {}) as Record<string, unknown>;
  const missing = METHODS.filter((method) => typeof log[method] !== "function");
  const isLog = missing.length === 0 && ["function", "undefined"].includes(typeof log.changed);
  check(isLog, name, given, `an object with the methods of RunLog (${missing.join(", ") || "changed"} is no function)`);
}

/** The secrets themselves are in no error. */
function checkSecrets({ approvalSecret }: DocAgentRouteOptions): void {
  if (approvalSecret === undefined) return;
  const secrets: readonly unknown[] = Array.isArray(approvalSecret) ? approvalSecret : [approvalSecret];
  const expected = `a secret of at least ${SHORTEST_SECRET} characters, such as \`openssl rand -base64 32\` prints, or a list of them`;
  check(secrets.length > 0, "approvalSecret", "", expected);
  for (const secret of secrets) {
    const isText = typeof secret === "string";
    const shown = isText ? `a text of ${secret.length} characters` : `a ${typeof secret}`;
    check(isText && secret.length >= SHORTEST_SECRET, "approvalSecret", shown, expected);
  }
}

function checkTelemetry({ openTelemetry: given }: DocAgentRouteOptions): void {
  if (given === undefined) return;
  const isApi =
    typeof given?.metrics?.getMeter === "function" &&
    typeof given.trace?.getTracer === "function" &&
    typeof given.trace.setSpan === "function" &&
    typeof given.context?.active === "function";
  check(isApi, "openTelemetry", given, "the package @opentelemetry/api, as `import * as` gives it");
}

/** Returns the options that an agent takes as well. */
export function agentOptions(options: DocAgentRouteOptions): Omit<DocAgentRouteOptions, "document" | "llmConfig"> {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(OF_AGENT, name)));
}
