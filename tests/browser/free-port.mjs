// Ports of 127.0.0.1 for servers that have to be told theirs.
import { createServer } from "node:net";

/**
 * Resolves to a free port below those that systems give by themselves (from 32768 on): no connection and no server of another
 * process takes it before the server listens, or while the server is started again.
 */
export async function freePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const server = createServer();
    const isFree = await new Promise((resolve) => server.on("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true)));
    if (!isFree) continue;
    await new Promise((closed) => server.close(closed));
    return port;
  }
}
