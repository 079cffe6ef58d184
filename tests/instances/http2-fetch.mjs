// `fetch` over HTTP/2 without TLS, which Node's own does not speak.
import { connect } from "node:http2";
import { Readable } from "node:stream";

/** Returns a `fetch` with one connection a request, so that none outlives its test. */
export function http2Fetch(after) {
  return (url, { method = "GET", headers = {}, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const { origin, pathname, search } = new URL(url);
      const session = connect(origin);
      after(() => session.destroy());
      const failed = (reason) => {
        session.destroy();
        reject(new TypeError("fetch failed", { cause: reason }));
      };
      session.on("error", failed);
      const stream = session.request({ ":method": method, ":path": pathname + search, ...Object.fromEntries(new Headers(headers)) });
      stream.on("error", failed);
      stream.on("close", () => session.close());
      stream.on("response", (fields) => {
        const { ":status": status, ...rest } = fields;
        const plain = Object.entries(rest).filter(([name]) => typeof name === "string");
        const hasBody = status !== 204;
        if (!hasBody) stream.resume();
        resolve(new Response(hasBody ? Readable.toWeb(stream) : null, { status, headers: plain }));
      });
      signal?.addEventListener("abort", () => stream.destroy(signal.reason));
      stream.end(body);
    });
}
