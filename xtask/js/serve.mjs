// Serves the built demo page on this machine only, and prints its URL.
import { preview } from "vite";

const [root, port] = process.argv.slice(2);
// If the port is taken, Vite uses the next one.
const server = await preview({ root, logLevel: "warn", preview: { host: "127.0.0.1", port: Number(port) } });
console.log(`copydesk demo: ${server.resolvedUrls.local[0]}\nPress Ctrl-C to stop.`);
