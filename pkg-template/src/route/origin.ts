/** Pages that may use the route: those of its own origin, and those of an allow-list. */

import { check } from "../base/error.js";
import type { Locale } from "../types/index.js";
import { routeError } from "./errors.js";
import { RUN_HEADER, TOKEN_HEADER } from "./run-key.js";

/** Origins such as `https://app.example.com`; `"any"` allows all. */
export type Origins = "any" | readonly string[];

/** Names of hosts without port, such as `app.example.com` and `*.example.com`; `"any"` allows all. */
export type Hosts = "any" | readonly string[];

export interface Access {
  readonly origins?: Origins | undefined;
  readonly hosts?: Hosts | undefined;
}

/** @throws CopydeskError `invalid_parameter` for settings of another form. */
export function checkAccess({ origins = [], hosts = "any" }: Access): void {
  check(origins === "any" || Array.isArray(origins), "origins", origins, 'a list of origins or "any"');
  const isPattern = (host: unknown) => typeof host === "string" && /^(?:\*\.)?[^\s/:@*]+$|^\[[\da-f:.]+\]$/i.test(host);
  const isList = hosts === "any" || (Array.isArray(hosts) && hosts.every(isPattern));
  check(isList, "hosts", hosts, 'a list of names such as app.example.com or *.example.com, without port, or "any"');
}

/**
 * Fails for requests that a page of a foreign site may have sent: one with a foreign origin, or one whose name of the host
 * leads to this server although it is not the server's (DNS rebinding). Clients that are not pages send no origin.
 *
 * @throws RouteError
 */
export function checkOrigin(request: Request, { origins = [], hosts }: Access, locale: Locale): void {
  const host = hostOf(request);
  const name = nameOf(host);
  const isKnown = isKnownHost(name, hosts, origins);
  if (hosts !== undefined && !isKnown) throw routeError("host_not_allowed", locale, { host: shown(host) });
  const origin = request.headers.get("origin");
  if (origin === null || origins === "any" || origins.includes(origin)) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase())
    throw routeError("origin_not_allowed", locale, { origin });
  // A page of another name has no certificate of this server, so it is not loaded from there by https.
  if (!isKnown && !origin.startsWith("https:")) throw routeError("host_not_allowed", locale, { host: shown(host) });
}

/** @throws RouteError unless the host is one of the server's: browsers send no origin with `GET` to the own site. */
export function checkHost(request: Request, { origins = [], hosts }: Access, locale: Locale): void {
  const host = hostOf(request);
  if (!isKnownHost(nameOf(host), hosts, origins)) throw routeError("host_not_allowed", locale, { host: shown(host) });
}

/**
 * Returns the host that was asked. A proxy that ends TLS leaves the host as it is, but not the scheme. Frameworks state a
 * host of their own in the URL; service workers have no header.
 */
function hostOf(request: Request): string {
  return request.headers.get("host") ?? new URL(request.url).host;
}

/** Returns the name of a host without port, as URL parsers normalize it; undefined for an invalid one. */
function nameOf(host: string): string | undefined {
  if (/[\s/\\?#@]/.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, "");
}

/** Names that no other server can take (the loopback interface), numbers, and those that the settings list. */
function isKnownHost(name: string | undefined, hosts: Hosts | undefined, origins: Origins): boolean {
  if (hosts === "any") return true;
  if (name === undefined) return false;
  if (name === "localhost" || name.endsWith(".localhost") || /^\[|^\d+(?:\.\d+){3}$/.test(name)) return true;
  const ofOrigins = origins === "any" ? [] : origins.filter((origin) => URL.canParse(origin));
  const listed = [...(hosts ?? []), ...ofOrigins.map((origin) => new URL(origin).hostname)];
  return listed.some((pattern) => {
    const own = nameOf(pattern.replace(/^\*\./, ""));
    return pattern.startsWith("*.") ? name.endsWith(`.${own}`) : name === own;
  });
}

function shown(host: string): string {
  return host.slice(0, 200);
}

/** Returns the headers that allow the page of a checked request to read the answer. */
export function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get("origin");
  if (origin === null) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": `${TOKEN_HEADER}, ${RUN_HEADER}`,
    vary: "origin",
  };
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
