// A Hocuspocus server on the loopback interface, which can be restarted.
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { Server } from "@hocuspocus/server";
import * as Y from "yjs";
import { atEnd } from "../at-end.mjs";

/**
 * Starts a server until the test `t` has ended. Returns its URL, and `restart(isOrderly)`: a server that is stopped stores its
 * rooms; one that crashes has what it stored last.
 */
export async function roomServer(t, configuration = {}) {
  const stored = new Map();
  const start = async (port) => {
    let isStopped = false;
    const store = (name, document) => {
      if (!isStopped) stored.set(name, Y.encodeStateAsUpdate(document));
    };
    const server = new Server({
      quiet: true,
      stopOnSignals: false,
      async onLoadDocument({ documentName, document }) {
        if (stored.has(documentName)) Y.applyUpdate(document, stored.get(documentName));
      },
      async onStoreDocument({ documentName, document }) {
        store(documentName, document);
      },
      ...configuration,
    });
    const { hocuspocus, httpServer } = server;
    const sockets = new Set();
    httpServer.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    // Its own `listen` knows no host: it would listen to the whole network.
    httpServer.listen(port, "127.0.0.1");
    await once(httpServer, "listening");
    return {
      hocuspocus,
      port: httpServer.address().port,
      async stop(isOrderly) {
        // From then on it stores nothing, as after the end of a process.
        const end = () => {
          isStopped = true;
          for (const socket of sockets) socket.destroy();
        };
        if (!isOrderly) end();
        const closed = once(httpServer, "close");
        // Not awaited: it ends when no document is open, and a client whose token arrives late keeps one open forever.
        void server.destroy();
        if (isOrderly) {
          // The clients hear of it, and the server stores; the rest is stored here.
          await setImmediate();
          for (const [name, document] of hocuspocus.documents) store(name, document);
          end();
        }
        await closed;
      },
    };
  };
  let server = await start(0);
  const { port } = server;
  const again = async (isOrderly) => {
    await server.stop(isOrderly);
    server = await start(port);
  };
  let restarting;
  atEnd(t, async () => {
    // A page that fails does not wait for it.
    await restarting;
    await server.stop(true);
  });
  return {
    url: `ws://127.0.0.1:${port}`,
    get hocuspocus() {
      return server.hocuspocus;
    },
    restart: (isOrderly = true) => (restarting = again(isOrderly)),
  };
}
