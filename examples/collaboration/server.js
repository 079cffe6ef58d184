// The page and the rooms on one server. Rooms are in memory: see Hocuspocus' extensions for databases.
import { Server } from "@hocuspocus/server";
import sirv from "sirv";

const { PORT = "8788", DIST = "dist" } = process.env;
const files = sirv(DIST);

const server = new Server({
  quiet: true,
  onRequest({ request, response }) {
    files(request, response, () => response.writeHead(404).end());
    // The request is answered.
    return Promise.reject();
  },
});

// `server.listen()` would listen to the whole network.
server.httpServer.listen(Number(PORT), "127.0.0.1");
console.log(`http://127.0.0.1:${PORT}/?name=Ada and http://127.0.0.1:${PORT}/?name=Bo`);
