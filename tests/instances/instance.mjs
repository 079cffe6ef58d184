// One instance of the route in a process of its own, which tests kill. Its settings are JSON in the first argument:
// {port, name, format, lease, mails, redis | postgres}.
import { serve } from "@hono/node-server";
import pg from "pg";
import { createClient } from "redis";
import { createDocAgentRoute, postgresLog, redisLog } from "../../pkg/route.js";
import { init } from "../../pkg/index.js";

const { port, name, format, lease, mails, redis, postgres } = JSON.parse(process.argv[2]);
// Nothing outlives the test.
process.on("disconnect", () => process.exit());

async function logOf() {
  if (postgres) return postgresLog(new pg.Pool({ host: "127.0.0.1", port: postgres, user: "copydesk", database: "postgres" }));
  const client = createClient({ socket: { host: "127.0.0.1", port: redis } });
  client.on("error", () => {});
  return redisLog(await client.connect());
}

/** Sends a mail, and waits until it has arrived. */
async function execute(id) {
  const answer = await fetch(mails, { method: "POST", body: JSON.stringify({ id, name }) });
  return answer.text();
}

const tool = { name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute };
// The model learns which instance asks.
const named = (url, init) => fetch(url, { ...init, headers: { ...init.headers, "x-instance": name } });
await init();
const log = await logOf();
const route = createDocAgentRoute({ log, format, lease, tools: [tool], keepAlive: 500, fetch: named });
process.on("SIGTERM", async () => {
  await route.close({ within: 5_000 });
  process.exit();
});
serve({ fetch: route.fetch, port, hostname: "127.0.0.1" }, () => process.send("ready"));
