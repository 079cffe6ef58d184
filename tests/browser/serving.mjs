// Chromium, pages built by Vite and servers on loopback, for tests and benchmarks.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, extname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = fileURLToPath(new URL("../../", import.meta.url));
const built = join(root, "tests/browser/.built");

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser;
const browsers = new Set();
const servers = new Set();

/** The shared Chromium, started on first use. */
export function theBrowser() {
  browser ??= launch("~NOTFOUND");
  return browser;
}

/**
 * Starts a separate Chromium that resolves every host but this machine to `foreign`: a host with a port, or
 * `~NOTFOUND`. `flags` are further arguments.
 */
export function launch(foreign, flags = []) {
  // Requests of Chromium itself reach no server.
  const own = ["*.googleapis.com", "accounts.google.com", "*.gvt1.com"].map((host) => `MAP ${host} ~NOTFOUND, `).join("");
  const rules = `--host-resolver-rules=${own}MAP * ${foreign}, EXCLUDE 127.0.0.1, EXCLUDE localhost`;
  const started = chromium.launch({ executablePath: chromePath(), args: [...FLAGS, rules, ...flags] });
  browsers.add(started);
  return started;
}

/** Closes all browsers and servers. */
export async function closeAll() {
  for (const started of browsers) await (await started).close();
  await Promise.all([...servers].map((server) => server.close()));
}

/** Returns the browser that CHROME names, or the first on PATH. */
function chromePath() {
  if (process.env.CHROME) return process.env.CHROME;
  const names = ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  for (const dir of process.env.PATH.split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return join(dir, name);
      } catch {
        // Try the next one.
      }
    }
  }
  throw new Error("there is no Chromium: set CHROME, or run these tests by `cargo xtask test --only browser`");
}

const served = new Map();
/**
 * Builds `tests/browser/pages/<name>/` (an `index.html` and its imports) and serves it. Returns its URL, which is the same for
 * all tests of a process that give no options.
 */
export function servePage(name, options) {
  const start = async () => (await serve(await buildPage(join(root, "tests/browser/pages", name)), options)).url;
  if (options) return start();
  if (!served.has(name)) served.set(name, start());
  return served.get(name);
}

/**
 * Builds a folder with an `index.html` with Vite, unless it is unchanged. Returns the output folder. Its name contains
 * the hash of the inputs: test files that run at the same time may build the same page, and never replace it.
 */
export async function buildPage(dir) {
  const name = resolve(dir).slice(root.length).split(sep).at(-1);
  const beside = ["tests/oracle", "tests/bench", "tests/workspace", "tests/mcp", "tests/browser/pages/common", "tests/browser/pages/editor", "package-lock.json"].map((path) => join(root, path));
  const inputs = hash([dir, realpathSync(join(root, "node_modules/copydesk")), ...beside]);
  const out = join(built, `${name}.${inputs.slice(0, 16)}`);
  if (existsSync(out)) return out;

  const { build } = await import("vite");
  const fresh = `${out}.${process.pid}`;
  await mkdir(built, { recursive: true });
  await build({
    root: dir,
    configFile: false,
    base: "./",
    logLevel: "warn",
    resolve: { dedupe: ["@tiptap/core", "@tiptap/pm"] },
    build: { outDir: fresh, emptyOutDir: true, target: "es2022", minify: false, chunkSizeWarningLimit: 5000 },
    // Vite's default format has no dynamic imports.
    worker: { format: "es" },
  });
  for (const other of await readdir(built)) {
    // Those with a process id may be under way.
    const isOld = other === name || (/\.[0-9a-f]{16}$/.test(other) && other.startsWith(`${name}.`) && !out.endsWith(other));
    if (isOld) await rm(join(built, other), { recursive: true, force: true });
  }
  await rename(fresh, out).catch(() => rm(fresh, { recursive: true, force: true }));
  assert.ok(existsSync(out), `${name} was built`);
  return out;
}

function hash(paths) {
  const digest = createHash("sha256");
  const add = (path, name) => digest.update(`${name}\0`).update(readFileSync(path)).update("\0");
  for (const path of paths) {
    const entries = path.endsWith(".json") ? null : readdirSync(path, { recursive: true, withFileTypes: true });
    if (!entries) add(path, "");
    for (const entry of entries ?? []) {
      const file = join(entry.parentPath ?? entry.path, entry.name);
      // The lock file lists npm packages.
      if (entry.isFile() && !file.startsWith(join(path, "node_modules"))) add(file, entry.name);
    }
  }
  return digest.digest("hex");
}

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
};

/**
 * Serves a folder on a free port of 127.0.0.1 and returns `{ url, close }`; `url` ends in a slash.
 *
 * `headers` are added to every response. `answer(request, response)` runs first; true means that it has responded.
 */
export async function serve(dir, { headers = {}, answer } = {}) {
  const base = resolve(dir);
  return listen(async (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (await answer?.(request, response)) return;
    const { pathname } = new URL(request.url, "http://localhost");
    const file = join(base, decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    const found = file.startsWith(base + sep) && (await stat(file).catch(() => null))?.isFile();
    if (!found) return response.writeHead(pathname === "/favicon.ico" ? 204 : 404).end();
    // Vite names what is in this folder by its content.
    const caching = pathname.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store";
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "cache-control": caching });
    response.end(await readFile(file));
  });
}

/** Serves a request listener on a free port of 127.0.0.1: `{ url, close }`. */
export async function listen(listener) {
  const server = createServer(async (request, response) => {
    try {
      await listener(request, response);
    } catch (error) {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error?.stack ?? error));
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const handle = {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      servers.delete(handle);
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
  servers.add(handle);
  return handle;
}
