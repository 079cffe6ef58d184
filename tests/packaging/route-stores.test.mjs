// Logs of runs in real servers, where their programs are installed: `apt-get install redis-server postgresql`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { init } from "../../pkg/index.js";
import { postgresLog, redisLog } from "../../pkg/route.js";
import { call, eventsIn, llmConfigOf, model, post, random, routeOn, until } from "./route-server.mjs";
import { checkRunLog } from "./run-log-suite.mjs";
import { lastFirst, needs, postgresServer, redisServer } from "./stores.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

/** A run that begins at one instance and is read at another; each has a connection of its own. */
async function checkInstances(t, logOf) {
  const sent = [];
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  const execute = async (id) => {
    sent.push(id);
    await held;
    return "sent \u0000 茶";
  };
  const tools = [{ name: "send_mail", description: "Sends a mail.", parameters: { type: "object", properties: {} }, execute }];
  const llm = await model(t, [{ say: "Mail.", calls: [call("m0", "send_mail")] }, { say: "Sent." }]);
  const urls = [];
  for (let at = 0; at < 2; at += 1) urls.push(await routeOn(t, { log: await logOf(), tools, lease: 5_000 }));
  const headers = { "copydesk-run-token": crypto.randomUUID() };
  const body = { message: "Send it.", documentContent: "<p>A \u0000 leaf.</p>", runId: "r", llmConfig: llmConfigOf(llm) };
  const all = urls.map((url) => post(url, body, { headers }).then((response) => response.text()));
  await until(() => sent.length === 1);
  goOn();
  const [one, other] = (await Promise.all(all)).map(eventsIn);
  assert.deepEqual(one, other);
  assert.equal(one.at(-1).type, "complete");
  assert.deepEqual(sent, ["m0"]);
}

test("a log in Redis is one that instances can share", needs.redis, async (t) => {
  const { connect: clientOf } = await redisServer(lastFirst(t));
  const client = await clientOf();
  let count = 0;
  await checkRunLog(() => redisLog(client, { prefix: `test-${count++}:` }), random(seed));
  await checkInstances(t, async () => redisLog(await clientOf()));
  const kept = await client.keys("copydesk:*");
  assert.ok(kept.length >= 2 && !JSON.stringify(kept).includes("sk-test"));
  const ages = await Promise.all(kept.map((key) => client.pTTL(key)));
  assert.ok(ages.every((ms) => ms > 0), "runs are removed after a day");
});

test("a log in PostgreSQL is one that instances can share", needs.postgres, async (t) => {
  const { connect: poolOf } = await postgresServer(lastFirst(t));
  const pool = await poolOf();
  let count = 0;
  const schemas = ["one", "two"];
  for (const schema of schemas) await pool.query(`create schema ${schema}`);
  await checkRunLog(() => postgresLog(pool, { schema: schemas[count++] }), random(seed));
  await checkInstances(t, async () => postgresLog(await poolOf()));
});
