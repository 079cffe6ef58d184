/** The errors that the route answers with. */

/** Makes a text of the details of a failure. */
type Text = (details: Record<string, unknown>) => string;

/** The reasons why a decision about calls is refused. */
export type Refusal = "unsigned" | "changed" | "expired" | "decided";

const REFUSALS: Record<Refusal, string> = {
  unsigned: "it has no signature of this route",
  changed: "the calls, what they refer to or their conversation are not those that were asked about",
  expired: "they were asked about too long ago",
  decided: "they were decided before",
};

export const route = {
  errors: {
    not_json: ({ reason }) =>
      `The body is not a JSON object (${reason}). Send {"message", "documentContent", "history"?, "llmConfig"} as JSON.`,
    too_deep: ({ limit }) =>
      `The body nests arrays and objects deeper than ${limit} levels. Send documents as HTML, and results as texts.`,
    missing_parameter: ({ name, expected }) => `${name} is missing. Add it to the body: ${expected}.`,
    invalid_parameter: ({ name, given, expected }) => `${name} is ${given}; it must be ${expected}.`,
    base_url_not_allowed: ({ given }) =>
      `The base URL ${given}, or where it leads with this model, is not allowed. Add it to \`baseUrls\` of the route, or ` +
      "use another one.",
    origin_not_allowed: ({ origin }) =>
      `Pages of ${origin} may not use this route. Add the origin to \`origins\` of the route.`,
    host_not_allowed: ({ host }) =>
      `This route is not for requests to the host ${host}. Add its name to \`hosts\` of the route, or use https.`,
    approval_not_asked: ({ reason }) =>
      `This decision about calls is refused: ${REFUSALS[reason as Refusal]}. Nothing has run. Send a message instead of it.`,
    unknown_run: ({ id }) =>
      `There is no run ${id} with this token. Send the header copydesk-run-token of the request that began it, or send ` +
      "the message without a last-event-id header.",
    unknown_event: ({ given, last }) =>
      `The run is over and has no event ${given}; its last one is ${last}. Send the id of an event of this run as ` +
      "last-event-id, or leave out the header to read the run from its beginning.",
    method_not_allowed: ({ method, valid }) => `The method ${method} is not supported here. Use ${valid}.`,
    document_busy: () =>
      'Another run is active on this document. Wait for it, or set `whenBusy: "queue"` on the route.',
    log_failed: () =>
      "The log of runs cannot be read at the moment, so nobody knows how far this run is. Try again later.",
    closing: () => "This instance of the server is closing. Send the request again: another one answers it.",
    too_large: ({ limit }) =>
      `The body is longer than ${limit} bytes. Send a smaller document or history, or raise \`maxBodyBytes\`.`,
  } satisfies Record<string, Text>,
  /** A failure of the server itself. */
  serverFailed: "The server failed; its log has the reason. Try again later.",
  /** A failure of a service whose answers clients may not read. */
  serviceFailed: (code: string, status: number | undefined) =>
    `A service behind this server failed (${code}${status ? `, status ${status}` : ""}). Try again later, or ask whoever runs the ` +
    "server: its log has the reason.",
};
