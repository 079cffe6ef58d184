// Plays the environments of targets.mjs: `node run.mjs [--only TEXT] [--write]`. See README.md.

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { closeAll, root, serve, theBrowser } from "../../browser/serving.mjs";
import { targets } from "./targets.mjs";

const { values } = parseArgs({ options: { only: { type: "string", default: "" }, write: { type: "boolean", default: false } } });
const here = dirname(fileURLToPath(import.meta.url));
const EDITED = "<h2>A</h2><p>New.</p>";
const IN_PAGE = { agent: "complete: Done.", editor: EDITED, inWorker: `complete: Done. ${EDITED}` };
const LIMIT_MS = 300_000;

const work = mkdtempSync(join(tmpdir(), "copydesk-environments-"));
const rows = [];
try {
  const file = packed();
  for (const target of targets.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()))) {
    const row = await played(target, file);
    rows.push(row);
    console.log(`${row.error ? "FAILED" : "ok    "} ${target.name}${row.bytes ? `  ${kilobytes(row.bytes)}` : ""}${row.error ? `\n${row.error}` : ""}`);
  }
} finally {
  await closeAll();
  rmSync(work, { recursive: true, force: true });
}

const failed = rows.filter(({ error }) => error);
console.log(`${rows.length - failed.length} of ${rows.length} environments work`);
if (values.write && !failed.length) writeFileSync(join(root, "docs/PACKAGING.md"), pageOf(rows));
process.exitCode = failed.length ? 1 : 0;

/** Packs pkg/ as npm publishes it. Returns the file. */
function packed() {
  const [made] = JSON.parse(run(work, ["npm", "pack", join(root, "pkg"), "--json", "--ignore-scripts", "--pack-destination", work]));
  return join(work, made.filename);
}

/** Installs and runs an environment. Returns its row, with `error` if it does not work. */
async function played(target, file) {
  const dir = join(work, target.name.replace(/\W+/g, "-"));
  try {
    install(target, file, dir);
    for (const command of target.build ?? []) run(dir, command);
    if (target.page) return { target, ...(await judged((await serve(join(dir, target.page))).url)) };
    if (target.server) return { target, ...(await served(target, dir)) };
    const output = run(dir, target.run ?? target.tests);
    const expected = `complete: Done. ${EDITED}`;
    if (target.run && !output.includes(expected)) throw new Error(`the output is ${output}`);
    return { target };
  } catch (error) {
    return { target, error: error instanceof Error ? error.message : String(error) };
  } finally {
    // Some of these take hundreds of megabytes.
    rmSync(dir, { recursive: true, force: true });
  }
}

function install({ packages, files = {} }, file, dir) {
  mkdirSync(dir, { recursive: true });
  cpSync(join(here, "app"), dir, { recursive: true });
  const manifest = { private: true, type: "module", dependencies: { copydesk: `file:${file}`, ...packages }, ...files["package.json"] };
  writeFileSync(join(dir, "package.json"), JSON.stringify(manifest));
  for (const [name, content] of Object.entries(files)) {
    if (name === "package.json") continue;
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
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
  if (error || status !== 0) throw new Error(`${[program, ...args].join(" ")}: ${error ?? `exit code ${status}`}\n${(stdout + stderr).slice(-4000)}`);
  return stdout;
}

function environment(dir) {
  const path = [join(dir, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false", NEXT_TELEMETRY_DISABLED: "1" };
}

async function served({ server: [program, ...args] }, dir) {
  const port = await freePort();
  const child = spawn(program, args.map((arg) => arg.replace("{port}", port)), { cwd: dir, env: environment(dir), stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  try {
    const url = `http://127.0.0.1:${port}/`;
    for (let tries = 0; !(await fetch(url).catch(() => null))?.ok; tries++) {
      if (tries > 300 || child.exitCode !== null) throw new Error(`the server does not answer\n${output.slice(-4000)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return await judged(url);
  } finally {
    child.kill();
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
async function judged(url) {
  const context = await (await theBrowser()).newContext();
  const problems = [];
  const bytes = { js: 0, wasm: 0 };
  try {
    // A development server may reload the page when it has found the dependencies.
    for (const attempt of [1, 2]) {
      const page = await context.newPage();
      problems.length = bytes.js = bytes.wasm = 0;
      page.on("pageerror", (error) => problems.push(String(error)));
      page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
      const sizes = [];
      context.on("response", (response) => sizes.push(counted(response, bytes)));
      await page.goto(url);
      const ended = await page.waitForFunction("globalThis.outcome", null, { timeout: 60_000 }).catch((error) => error);
      if (ended instanceof Error) {
        if (attempt === 2) throw new Error(`${ended.message}\n${problems.join("\n")}`);
        continue;
      }
      await Promise.all(sizes);
      const outcome = await ended.jsonValue();
      if (JSON.stringify(outcome) !== JSON.stringify(IN_PAGE)) throw new Error(`${JSON.stringify(outcome)}\n${problems.join("\n")}`);
      if (problems.length) throw new Error(problems.join("\n"));
      return { bytes };
    }
  } finally {
    await context.close();
  }
}

async function counted(response, bytes) {
  const { pathname } = new URL(response.url());
  const body = await response.body().catch(() => null);
  if (!body) return;
  if (pathname.endsWith(".wasm")) bytes.wasm += body.length;
  else if (/javascript/.test(response.headers()["content-type"] ?? "")) bytes.js += body.length;
}

function kilobytes({ js, wasm }) {
  const rounded = (bytes) => Math.round(bytes / 1000).toLocaleString("en");
  return `${rounded(js)} kB JS, ${rounded(wasm)} kB wasm`;
}

function pageOf(rows) {
  const version = JSON.parse(readFileSync(join(root, "pkg/package.json"), "utf8")).version;
  const versions = ({ packages }) =>
    Object.entries(packages)
      .filter(([name]) => !name.startsWith("@tiptap/"))
      .map(([name, version]) => `${name} ${version}`)
      .join(", ");
  const lines = rows.map(({ target, bytes }) => `| ${target.name} | ${versions(target)} | yes | ${target.takes} | ${bytes ? kilobytes(bytes) : "–"} |`);
  return `# Environments

copydesk ${version}, packed and installed into one small app per environment, built and run. Generated by
\`cargo xtask matrix\` on ${new Date().toISOString().slice(0, 10)}; do not edit.

| environment | versions | works | what it takes | one visit loads, uncompressed |
| --- | --- | --- | --- | --- |
${lines.join("\n")}

A page has an editor with TipTap's StarterKit (part of its JavaScript), the page build, and a module worker with the
full build; an agent runs in both. Runtimes and test runners use the full build. The apps are in
[tests/packaging/environments](../tests/packaging/environments).
`;
}
