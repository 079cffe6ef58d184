// An example as its reader starts it: by the script of its package.json, on a port of its own.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { atEnd } from "../at-end.mjs";
import { openPage, root } from "./harness.mjs";

/** Starts an example, or a copy of it, by a script of its package.json. Resolves to its URL when it answers. */
export async function startExample(t, name, script, env = {}, cwd = join(root, "examples", name)) {
  const port = await freePort();
  const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  // Vite sets NODE_ENV where it builds a page for another test of this process: a development server would not be one.
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, NODE_ENV: _mode, ...given } = process.env;
  const all = { ...given, PATH: path, PORT: String(port), NO_COLOR: "1", CI: "1", ...env };
  // A group of its own: npm starts further processes.
  const child = spawn("npm", ["run", script], { cwd, env: all, stdio: "pipe", detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const ended = new Promise((resolve) => child.on("exit", resolve));
  atEnd(t, async () => {
    if (child.exitCode === null) process.kill(-child.pid);
    await ended;
  });
  const url = `http://127.0.0.1:${port}/`;
  while (!(await fetch(url).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`${name} has ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return url;
}

/**
 * Problems of a development server here only: it delivers no files outside of the example, and the package is linked.
 * The page loads the copy of the wasm for such servers.
 */
const LINKED = /status of 403 .*copydesk_bg\.wasm/;

/** Returns the document of the editor, without the preview of what the agent is writing. */
export const shown = (page) =>
  page.evaluate(() => [...document.querySelectorAll(".tiptap > :not(.copydesk-preview)")].map(({ outerHTML }) => outerHTML).join(""));

/**
 * Opens a page of a development server. It may load the page again when it has found the packages that the page
 * imports, so it is visited once before.
 */
export async function openDevelopment(t, url, { expected = [], ...options } = {}) {
  const first = await openPage(t, url, { expected: [/./] });
  // It bundles what the page imports first, which takes long beside other tests.
  await first.waitForSelector(".tiptap", { timeout: 120_000 }).catch((error) => {
    throw new Error(`no editor; the page had these problems:\n${first.problems.join("\n")}`, { cause: error });
  });
  await first.waitForLoadState("networkidle");
  await first.close();
  return openPage(t, url, { ...options, expected: [LINKED, ...expected] });
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
