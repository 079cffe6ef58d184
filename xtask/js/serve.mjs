// Serves the built demo page on this machine only, and says where.
import { preview } from "vite";

const [root, port] = process.argv.slice(2);
// A port that is taken is no failure: Vite goes on to the next.
const server = await preview({ root, logLevel: "warn", preview: { host: "127.0.0.1", port: Number(port) } });
console.log(`copydesk demo: ${server.resolvedUrls.local[0]}\nCtrl-C ends it.`);
