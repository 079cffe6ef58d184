// The page and the rooms on one server. Rooms are in memory: see Hocuspocus' extensions for databases.
import { Server } from "@hocuspocus/server";
import sirv from "sirv";

const { PORT = "8788", DIST = "dist" } = process.env;
const files = sirv(DIST);

const server = new Server({
  address: "127.0.0.1",
  port: Number(PORT),
  quiet: true,
  onRequest({ request, response }) {
    files(request, response, () => response.writeHead(404).end());
    // The request is answered.
    return Promise.reject();
  },
});

await server.listen();
console.log(`http://127.0.0.1:${PORT}/?name=Ada and http://127.0.0.1:${PORT}/?name=Bo`);
