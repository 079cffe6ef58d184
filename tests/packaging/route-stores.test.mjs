// Logs of runs in real servers, where their programs are installed: `apt-get install redis-server postgresql`.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import pg from "pg";
import { createClient } from "redis";
import { init } from "../../pkg/index.js";
import { postgresLog, redisLog } from "../../pkg/route.js";
import { call, eventsIn, llmConfigOf, model, post, random, routeOn, until } from "./route-server.mjs";
import { checkRunLog } from "./run-log-suite.mjs";

await init();

const seed = Number(process.env.COPYDESK_SEED) || Math.floor(Math.random() * 2 ** 31);
console.log(`COPYDESK_SEED=${seed}`);

const isInstalled = (program) => spawnSync("which", [program]).status === 0;

/** The folder of PostgreSQL's programs, which Debian keeps out of the path. */
function postgresPrograms() {
  const all = "/usr/lib/postgresql";
  const versions = existsSync(all) ? readdirSync(all).sort((one, other) => other - one) : [];
  return versions.map((version) => join(all, version, "bin")).find((folder) => existsSync(join(folder, "initdb")));
}

async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Ends the connections of a test before its server, and that before its folder: the last one first. */
function lastFirst(t) {
  const tasks = [];
  t.after(async () => {
    for (const task of tasks.reverse()) await task();
  });
  return (task) => tasks.push(task);
}

/** Starts a program until the end of a test. */
function started(after, program, args, options = {}) {
  const child = spawn(program, args, { stdio: "ignore", ...options });
  after(() => new Promise((ended) => (child.on("exit", ended), child.kill("SIGINT"))));
  return child;
}

function temporary(after, owner) {
  const folder = mkdtempSync(join(tmpdir(), "copydesk-store-"));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Connects as soon as the server takes connections. */
async function connected(connect) {
  let connection;
  await until(async () => (connection = await connect().catch(() => undefined)));
  return connection;
}

async function redisClients(t) {
  const after = lastFirst(t);
  const port = await freePort();
  const folder = temporary(after);
  started(after, "redis-server", ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder].map(String));
  return () =>
    connected(async () => {
      const client = createClient({ socket: { host: "127.0.0.1", port, reconnectStrategy: false } });
      client.on("error", () => {});
      await client.connect();
      after(() => client.close());
      return client;
    });
}

/** PostgreSQL does not run as root: it is started as its own user then. */
async function postgresPools(t, programs) {
  const isRoot = userInfo().uid === 0;
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"]).stdout);
  const owner = isRoot ? { uid: id("-u"), gid: id("-g") } : undefined;
  const after = lastFirst(t);
  const folder = temporary(after, owner);
  const data = join(folder, "data");
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", "copydesk", "-A", "trust"], { ...owner, cwd: folder });
  assert.equal(made.status, 0, String(made.stderr));
  const port = await freePort();
  started(after, join(programs, "postgres"), ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1", "-F"], { ...owner, cwd: folder });
  return () =>
    connected(async () => {
      const pool = new pg.Pool({ host: "127.0.0.1", port, user: "copydesk", database: "postgres" });
      pool.on("error", () => {});
      await pool.query("select 1").catch(async (reason) => {
        await pool.end();
        throw reason;
      });
      after(() => pool.end());
      return pool;
    });
}

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

const redis = isInstalled("redis-server") ? {} : { skip: "redis-server is not installed" };
test("a log in Redis is one that instances can share", redis, async (t) => {
  const clientOf = await redisClients(t);
  const client = await clientOf();
  let count = 0;
  await checkRunLog(() => redisLog(client, { prefix: `test-${count++}:` }), random(seed));
  await checkInstances(t, async () => redisLog(await clientOf()));
  const kept = await client.keys("copydesk:*");
  assert.ok(kept.length >= 2 && !JSON.stringify(kept).includes("sk-test"));
  const ages = await Promise.all(kept.map((key) => client.pTTL(key)));
  assert.ok(ages.every((ms) => ms > 0), "runs are removed after a day");
});

const programs = postgresPrograms();
test("a log in PostgreSQL is one that instances can share", programs ? {} : { skip: "PostgreSQL is not installed" }, async (t) => {
  const poolOf = await postgresPools(t, programs);
  const pool = await poolOf();
  let count = 0;
  const schemas = ["one", "two"];
  for (const schema of schemas) await pool.query(`create schema ${schema}`);
  await checkRunLog(() => postgresLog(pool, { schema: schemas[count++] }), random(seed));
  await checkInstances(t, async () => postgresLog(await poolOf()));
});
