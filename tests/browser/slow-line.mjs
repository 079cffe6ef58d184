// The demo as a visitor gets it: compressed by the server of `cargo xtask demo`, over a slow line.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./serving.mjs";

/** Starts that server on a free port. Returns its URL and `close`. */
export async function serveCompressed() {
  const server = spawn(process.execPath, [join(root, "xtask/js/serve.mjs"), join(root, "www"), "0"], { cwd: root });
  const url = await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.stderr.once("data", (data) => reject(new Error(String(data))));
    server.stdout.once("data", (data) => resolve(/http:\S+/.exec(String(data))[0]));
  });
  return { url, close: () => server.kill() };
}

/** Slows a page's line down to 9 Mbit/s and 60 ms. Returns the session of the browser's protocol, with its network on. */
export async function slowLine(page) {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 1e6 / 8 });
  return client;
}
