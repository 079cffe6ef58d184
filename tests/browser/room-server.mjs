// A Hocuspocus server on the loopback interface, which can be restarted.
import { once } from "node:events";
import { Server } from "@hocuspocus/server";
import * as Y from "yjs";

/**
 * Starts a server until the test `t` has ended. Returns its URL, and `restart(isOrderly)`: a server that is stopped stores its
 * rooms; one that crashes has what it stored last.
 */
export async function roomServer(t, configuration = {}) {
  const stored = new Map();
  let isCrashing = false;
  const start = async (port) => {
    const server = new Server({
      quiet: true,
      stopOnSignals: false,
      async onLoadDocument({ documentName, document }) {
        if (stored.has(documentName)) Y.applyUpdate(document, stored.get(documentName));
      },
      async onStoreDocument({ documentName, document }) {
        if (!isCrashing) stored.set(documentName, Y.encodeStateAsUpdate(document));
      },
      ...configuration,
    });
    // Its own `listen` knows no host: it would listen to the whole network.
    server.httpServer.listen(port, "127.0.0.1");
    await once(server.httpServer, "listening");
    return server;
  };
  let server = await start(0);
  const { port } = server.httpServer.address();
  t.after(() => server.destroy());
  return {
    url: `ws://127.0.0.1:${port}`,
    get hocuspocus() {
      return server.hocuspocus;
    },
    async restart(isOrderly = true) {
      const { clients } = server.webSocketServer;
      const disconnect = () => clients.forEach((client) => client.terminate());
      isCrashing = !isOrderly;
      if (isCrashing) disconnect();
      await server.destroy();
      isCrashing = false;
      // As the end of a process does.
      disconnect();
      server = await start(port);
    },
  };
}
