// Service worker: answers requests for the user's own images, which the page has put into the cache.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (!pathname.includes("/images/own/")) return;
  const answer = async () => (await caches.match(event.request.url)) ?? new Response(null, { status: 404 });
  event.respondWith(answer());
});
