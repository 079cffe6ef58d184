/** A request as the log keeps it: another instance continues its run with it. */

import type { ChatRequest } from "./body.js";
import type { Body } from "./chat-body.js";
import type { StreamFormat } from "./formats/format.js";
import type { LoggedRun } from "./run-log.js";

/** The member that names the claim of a request: it begins one run, and its decisions count for that one. */
const CLAIM = "copydesk_claim";

type StoredBody = Body & { [CLAIM]?: string };

export function storedRequest({ body }: ChatRequest, format: StreamFormat, claim: string): string {
  return JSON.stringify({ ...format.stored(body), [CLAIM]: claim });
}

export function bodyIn({ request }: LoggedRun): Body {
  return JSON.parse(request) as StoredBody;
}

export function claimIn(run: LoggedRun): string | undefined {
  return (bodyIn(run) as StoredBody)[CLAIM];
}

/** Returns the document that the request brought. */
export function contentIn(run: LoggedRun, format: StreamFormat): string {
  return format.members(bodyIn(run)).documentContent ?? "";
}
