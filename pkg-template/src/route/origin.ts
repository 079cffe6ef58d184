/** Pages that may use the route: those of its own origin, and those of an allow-list. */

import type { Locale } from "../types.js";
import { routeError } from "./errors.js";

/** Origins such as `https://app.example.com`; `"any"` allows all. */
export type Origins = "any" | readonly string[];

/** @throws RouteError for a page of a foreign origin. Clients that are no pages send no origin. */
export function checkOrigin(request: Request, origins: Origins, locale: Locale): void {
  const origin = request.headers.get("origin");
  if (origin === null || origins === "any" || origins.includes(origin)) return;
  // A proxy that ends TLS leaves the host as it is, but not the scheme. Frameworks state a host of their own in the URL;
  // service workers have no header.
  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw routeError("origin_not_allowed", locale, { origin });
}

/** Returns the headers that allow the page of a checked request to read the answer. */
export function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get("origin");
  return origin === null ? {} : { "access-control-allow-origin": origin, vary: "origin" };
}

/** Returns the answer to a preflight request. */
export function preflight(request: Request, methods: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request),
      "access-control-allow-methods": methods,
      "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "content-type",
      "access-control-max-age": "86400",
    },
  });
}
