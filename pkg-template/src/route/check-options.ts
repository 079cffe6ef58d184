/** The options of a route, checked and divided. */

import { check } from "../base/error.js";
import { SHORTEST_SECRET } from "./approvals.js";
import type { StreamFormat } from "./formats/format.js";
import { FORMATS } from "./formats/index.js";
import type { DocAgentRouteOptions } from "./options.js";
import { checkAccess } from "./origin.js";

/** Returns the format of a route. @throws CopydeskError for an option that is wrong. */
export function checkOptions(options: DocAgentRouteOptions, lease: number): StreamFormat {
  const { whenBusy = "queue", baseUrls, format = "copydesk" } = options;
  check(["queue", "refuse"].includes(whenBusy), "whenBusy", whenBusy, '"queue" or "refuse"');
  check(typeof lease === "number" && lease > 0 && lease < 2 ** 31, "lease", lease, "a time in milliseconds above 0");
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
  check(baseUrls === undefined || Array.isArray(baseUrls), "baseUrls", baseUrls, "a list of URLs");
  return FORMATS[format];
}

/** The secrets themselves are in no error. */
function checkSecrets({ approvalSecret, approveWithin = 1 }: DocAgentRouteOptions): void {
  const isTime = typeof approveWithin === "number" && approveWithin > 0 && Number.isFinite(approveWithin);
  check(isTime, "approveWithin", approveWithin, "a time in milliseconds above 0");
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
  const {
    llmConfig: _llmConfig,
    guards: _guards,
    wasm: _wasm,
    searchService: _search,
    imageService: _image,
    exposeKeys: _exposeKeys,
    exposeErrors: _exposeErrors,
    origins: _origins,
    hosts: _hosts,
    baseUrls: _baseUrls,
    maxBodyBytes: _maxBodyBytes,
    totalTimeout: _totalTimeout,
    keepAlive: _keepAlive,
    document: _document,
    whenBusy: _whenBusy,
    onEnd: _onEnd,
    log: _log,
    resumeWithin: _resumeWithin,
    lease: _lease,
    approvalSecret: _approvalSecret,
    approveWithin: _approveWithin,
    openTelemetry: _openTelemetry,
    format: _format,
    ...rest
  } = options;
  return rest;
}
