// Installs the packed package into the app of an environment, runs it and judges the outcome.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root, serve, theBrowser } from "../../browser/serving.mjs";
import { ANSWER, answerTo, ARTICLE } from "./model.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const EDITED = "<h2>A</h2><p>New.</p>";
const HEADLESS = `complete: Done. ${EDITED}`;
const LIMIT_MS = 600_000;

/** Returns the README's first example, as a reader would paste it. */
export function snippet(path = "README.md") {
  return /^```js\n([^]*?)^```$/m.exec(readFileSync(join(root, path), "utf8"))[1];
}

/** Packs pkg/ as npm publishes it. Returns the file. */
export function packed(work) {
  const flags = ["--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", work];
  const answer = JSON.parse(run(work, ["npm", "pack", join(root, "pkg"), ...flags]));
  // Newer npm returns an object by package name, older versions a list.
  const [made] = Array.isArray(answer) ? answer : Object.values(answer);
  return join(work, made.filename);
}

/** Installs and runs an environment. Returns its row, with `error` if it does not work. */
export async function played(target, file, work) {
  const dir = join(work, target.name.replace(/\W+/g, "-"));
  try {
    install(target, file, dir);
    for (const command of target.build ?? []) run(dir, command);
    if (target.page) return { target, ...(await judged(target, (await serve(join(dir, target.page))).url)) };
    if (target.server) return { target, ...(await served(target, dir)) };
    for (const command of target.run ?? []) {
      const output = run(dir, command);
      if (!output.includes(HEADLESS)) throw new Error(`the output is ${output}`);
    }
    for (const command of target.tests ?? []) run(dir, command);
    return { target };
  } catch (error) {
    return { target, error: error instanceof Error ? error.message : String(error) };
  } finally {
    // Some of these take hundreds of megabytes.
    rmSync(dir, { recursive: true, force: true });
  }
}

function install({ packages, recipe, files = {} }, file, dir) {
  mkdirSync(dir, { recursive: true });
  cpSync(join(here, "app"), dir, { recursive: true });
  for (const [from, to] of Object.entries(recipe ?? {})) {
    cpSync(join(here, "recipes", from), join(dir, to), { recursive: true });
  }
  const dependencies = { copydesk: `file:${file}`, ...packages };
  const manifest = { name: "app", private: true, type: "module", dependencies, ...files["package.json"] };
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
  for (const [name, content] of Object.entries(files)) {
    if (name === "package.json") continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
  npmInstall(dir);
}

/** Installs the packages of a folder's manifest. */
export function npmInstall(dir) {
  run(dir, ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]);
}

/** Runs a program of the app, or of this machine. Returns its output. */
function run(dir, [program, ...args]) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: dir,
    encoding: "utf8",
    timeout: LIMIT_MS,
    maxBuffer: 1 << 27,
    env: environment(dir),
  });
  if (!error && status === 0) return stdout;
  const end = (stdout + stderr).slice(-4000);
  throw new Error(`${[program, ...args].join(" ")}: ${error ?? `exit code ${status}`}\n${end}`);
}

function environment(dir, port = "") {
  const path = [join(dir, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const silent = { WRANGLER_SEND_METRICS: "false", NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" };
  // A test runner's variables would make `node --test` and others of the app part of that run.
  const { NODE_TEST_CONTEXT, NODE_OPTIONS, ...given } = process.env;
  return { ...given, ...silent, CI: "1", NO_COLOR: "1", PATH: path, HOST: "127.0.0.1", PORT: String(port) };
}

async function served(target, dir) {
  const port = await freePort();
  const [program, ...args] = target.server.map((arg) => arg.replace("{port}", port));
  // A group of its own: servers start further processes.
  const child = spawn(program, args, { cwd: dir, env: environment(dir, port), stdio: "pipe", detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  try {
    const url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; !(await fetch(url).catch(() => null))?.ok; tries++) {
      if (tries > 300 || child.exitCode !== null) throw new Error(`the server does not answer\n${output.slice(-4000)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    for (const route of target.routes ?? []) {
      const text = await (await fetch(url + route)).text();
      if (text !== HEADLESS) throw new Error(`${route}: ${text.slice(0, 2000)}\n${output.slice(-4000)}`);
    }
    return await judged(target, url);
  } finally {
    const ended = new Promise((resolve) => child.on("exit", resolve));
    try {
      process.kill(-child.pid);
      await ended;
    } catch {
      // It has ended by itself.
    }
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Opens a page, waits for its outcome and adds up what it loads. */
async function judged(target, url) {
  const context = await (await theBrowser()).newContext();
  await context.route("https://api.openai.com/v1/chat/completions", answerTo);
  try {
    // A development server may reload the page when it has found the dependencies.
    for (const isLast of [false, true]) {
      const { bytes, wrong } = await visited(target, await context.newPage(), url);
      if (!wrong) return { bytes };
      if (isLast) throw new Error(wrong);
    }
  } finally {
    await context.close();
  }
}

async function visited(target, page, url) {
  const bytes = { js: 0, wasm: 0 };
  const problems = [];
  const sizes = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("response", (response) => sizes.push(counted(response, bytes)));
  page.on("dialog", (dialog) => dialog.accept("sk-from-the-user"));
  try {
    await page.goto(url);
    const [given, expected] = await (target.asks ? asked(target, page) : outcome(page));
    await page.waitForLoadState("networkidle");
    await Promise.all(sizes);
    const [shown, wanted] = [given, expected].map((value) => JSON.stringify(value));
    if (shown !== wanted) problems.push(`${shown} instead of ${wanted}`);
  } catch (error) {
    problems.push(error.message);
  }
  await page.close();
  return { bytes, wrong: problems.join("\n") };
}

/** The page of app/, which runs an agent in the page and one in a worker. */
async function outcome(page) {
  const ended = await page.waitForFunction("globalThis.outcome", null, { timeout: 60_000 });
  return [await ended.jsonValue(), { agent: "complete: Done.", editor: EDITED, inWorker: HEADLESS }];
}

/** A page that asks the model by itself (`asks: true`) or at a button of this name, and shows the answer. */
async function asked({ asks }, page) {
  if (asks !== true) await page.getByRole("button", { name: asks }).click({ timeout: 60_000 });
  await page.getByText(ANSWER).waitFor({ timeout: 60_000 });
  return [await page.innerHTML(".tiptap"), ARTICLE];
}

async function counted(response, bytes) {
  const { pathname } = new URL(response.url());
  const body = await response.body().catch(() => null);
  if (!body) return;
  if (pathname.endsWith(".wasm")) bytes.wasm += body.length;
  else if (/javascript/.test(response.headers()["content-type"] ?? "")) bytes.js += body.length;
}
