// Servers in which instances of a route keep their runs, and the one before the instances, where their programs are
// installed: `apt-get install redis-server postgresql nginx`.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createClient } from "redis";
import { until } from "./route-server.mjs";

const isInstalled = (program) => spawnSync("which", [program]).status === 0;

/** The folder of PostgreSQL's programs, which Debian keeps out of the path. */
function postgresPrograms() {
  const all = "/usr/lib/postgresql";
  const versions = existsSync(all) ? readdirSync(all).sort((one, other) => other - one) : [];
  return versions.map((version) => join(all, version, "bin")).find((folder) => existsSync(join(folder, "initdb")));
}

const programs = postgresPrograms();

/** Options of a test that needs a program: it is skipped where that is not installed. */
export const needs = {
  redis: isInstalled("redis-server") ? {} : { skip: "redis-server is not installed" },
  postgres: programs ? {} : { skip: "PostgreSQL is not installed" },
  nginx: isInstalled("nginx") || existsSync("/usr/sbin/nginx") ? {} : { skip: "nginx is not installed" },
};

export async function freePort() {
  const server = createServer();
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Ends the connections of a test before its server, and that before its folder: the last one first. */
export function lastFirst(t) {
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

/** Starts Redis. Returns its port, and the function that connects to it. */
export async function redisServer(after) {
  const port = await freePort();
  const folder = temporary(after);
  started(after, "redis-server", ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder].map(String));
  const connect = () =>
    connected(async () => {
      const client = createClient({ socket: { host: "127.0.0.1", port, reconnectStrategy: false } });
      client.on("error", () => {});
      await client.connect();
      after(() => client.close());
      return client;
    });
  return { port, connect };
}

/** Starts PostgreSQL, which does not run as root: it is started as its own user then. Returns the same. */
export async function postgresServer(after) {
  const isRoot = userInfo().uid === 0;
  const id = (flag) => Number(spawnSync("id", [flag, "postgres"]).stdout);
  const owner = isRoot ? { uid: id("-u"), gid: id("-g") } : undefined;
  const folder = temporary(after, owner);
  const data = join(folder, "data");
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", "copydesk", "-A", "trust"], { ...owner, cwd: folder });
  assert.equal(made.status, 0, String(made.stderr));
  const port = await freePort();
  started(after, join(programs, "postgres"), ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1", "-F"], { ...owner, cwd: folder });
  const connect = () =>
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
  return { port, connect };
}

/**
 * Starts nginx before instances on these ports. Returns the base URLs of its servers: one that passes events on at once,
 * one that buffers them whatever the route says, and one that speaks HTTP/2.
 */
export async function nginxServer(after, ports) {
  const folder = temporary(after);
  mkdirSync(join(folder, "logs"));
  const [direct, buffered, http2] = [await freePort(), await freePort(), await freePort()];
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const server = (port, more, protocol = "") => `
  server {
    listen 127.0.0.1:${port}${protocol};
    location / {
      proxy_pass http://route;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_connect_timeout 1s;
      proxy_read_timeout 3s;
      # A run with an id begins once, however often it is sent.
      proxy_next_upstream error timeout http_503 non_idempotent;
      ${more}
    }
  }`;
  const config = `
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  client_max_body_size 16m;
  ${temp.join("\n  ")}
  upstream route {
    ${ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join("\n    ")}
  }
${server(direct, "")}
${server(buffered, "proxy_buffering on; proxy_ignore_headers X-Accel-Buffering;")}
${server(http2, "", " http2")}
}
`;
  writeFileSync(join(folder, "nginx.conf"), config);
  const path = { env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` } };
  started(after, "nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "logs/error.log")], path);
  await until(() => fetch(`http://127.0.0.1:${direct}/`).then(() => true, () => false));
  return Object.fromEntries(Object.entries({ direct, buffered, http2 }).map(([name, port]) => [name, `http://127.0.0.1:${port}`]));
}
