/** The chat route in a service worker. */

import { isOfThread } from "./arrival.js";
import { createDocAgentRoute } from "./create.js";
import { indexedDbLog } from "./indexed-db-log.js";
import type { DocAgentRouteOptions } from "./options.js";

export type ServiceWorkerRoutes = DocAgentRouteOptions & {
  /** The path of the route. `…/config` and `…/<id>/stream` belong to it. Default: `/api/doc-agent-chat`. */
  path?: string;
};

/** The events of a service worker, which the library of the DOM does not have. */
interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The part of `self` that is used. */
export interface ServiceWorkerScope {
  readonly location: { readonly origin: string };
  addEventListener(type: string, listener: (event: any) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

/**
 * Answers the requests of the page to the route. Call it while the worker's script runs: `installDocAgentRoutes(self)`.
 * Runs with a `runId` are logged in IndexedDB: they continue after a reload of the page and the end of the worker.
 */
export function installDocAgentRoutes(worker: ServiceWorkerScope, options: ServiceWorkerRoutes = {}): void {
  const { path = "/api/doc-agent-chat", ...rest } = options;
  const route = createDocAgentRoute({ log: indexedDbLog(), ...rest });
  const isOwn = (pathname: string) =>
    pathname === path || pathname === `${path}/config` || (pathname.startsWith(`${path}/`) && isOfThread(pathname));
  worker.addEventListener("install", (event: ExtendableEvent) => event.waitUntil(worker.skipWaiting()));
  // The page that registers the worker uses it at once.
  worker.addEventListener("activate", (event: ExtendableEvent) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("fetch", (event: FetchEvent) => {
    const { origin, pathname } = new URL(event.request.url);
    if (origin !== worker.location.origin || !isOwn(pathname)) return;
    const waitUntil = (promise: Promise<unknown>) => event.waitUntil(promise);
    event.respondWith(route.fetch(event.request, { waitUntil }));
  });
}
