// Serves the built demo page on this machine only, compressed, and prints its URL.
import { createServer } from "node:http";
import sirv from "sirv";

const [root, wanted] = process.argv.slice(2);
const handler = sirv(`${root}/dist`, {
  brotli: true,
  gzip: true,
  etag: true,
  // The names of assets contain their hash.
  setHeaders: (response, path) =>
    response.setHeader("cache-control", path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache"),
});
const server = createServer((request, response) => handler(request, response));

/** Listens on a port or, if it is taken, on the next one. */
function listen(port) {
  server.once("error", (error) => {
    if (error.code !== "EADDRINUSE" || port === 65535) throw error;
    listen(port + 1);
  });
  server.listen(port, "127.0.0.1");
}

server.once("listening", () => {
  console.log(`copydesk demo: http://127.0.0.1:${server.address().port}/\nPress Ctrl-C to stop.`);
});
listen(Number(wanted));
