/** Answers of a route besides errors. */

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  // nginx would collect the events.
  "x-accel-buffering": "no",
};

export function streamOf(body: BodyInit, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { ...HEADERS, ...headers } });
}

export function nothing(): Response {
  return new Response(null, { status: 204 });
}
