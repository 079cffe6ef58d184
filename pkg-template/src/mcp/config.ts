/** Reads the configuration of servers. */

import { check, members, readInput } from "../base/error.js";
import type { McpConfig, McpServerConfig } from "../types/mcp.js";

const APPROVALS = ["annotations", "always", "never"];

/** Returns the servers by name, as copies. Fails with `invalid_parameter`, which names the field. */
export function readConfig(given: McpConfig): Map<string, McpServerConfig> {
  const { mcpServers } = members(given, "the configuration of mcp()");
  const servers = members(mcpServers, "mcpServers");
  return new Map(Object.entries(servers).map(([name, config]) => [name, readServer(name, config)]));
}

/** Returns true if both are reached in the same way: what else differs needs no other connection. */
export function isSameConnection(one: McpServerConfig, other: McpServerConfig): boolean {
  const way = ({ approval: _, timeoutMs: __, tools: ___, ...rest }: McpServerConfig) =>
    JSON.stringify(Object.entries({ ...rest, enabled: rest.enabled ?? true }).sort(([a], [b]) => (a < b ? -1 : 1)));
  return way(one) === way(other);
}

/** Returns true if both are the same server, whatever it is told: its tools are likely to be the same. */
export function isSameServer(one: McpServerConfig, other: McpServerConfig): boolean {
  const place = (config: McpServerConfig) =>
    "url" in config ? [config.url] : [config.command, config.args ?? [], config.cwd];
  return JSON.stringify(place(one)) === JSON.stringify(place(other));
}

function readServer(name: string, given: McpServerConfig): McpServerConfig {
  const path = `mcpServers.${name}`;
  check(name.trim() !== "" && name.length <= 200, "a name in mcpServers", name, "1 to 200 characters");
  // A copy that later changes of the app do not reach.
  const config = readInput(path, () => JSON.parse(JSON.stringify(given ?? null)) as McpServerConfig);
  check(typeof config === "object" && config !== null, path, given, "an object with `url` or `command`");
  const both = config as { url?: unknown; command?: unknown };
  check(
    (both.url == null) !== (both.command == null),
    path,
    both.url == null ? "an object without both" : "an object with both",
    "an object with `url` or `command`",
  );
  const { enabled, timeoutMs, approval, tools } = config;
  check(enabled == null || typeof enabled === "boolean", `${path}.enabled`, enabled, "true or false");
  const isDuration = Number.isSafeInteger(timeoutMs) && timeoutMs! > 0 && timeoutMs! <= 600_000;
  check(timeoutMs == null || isDuration, `${path}.timeoutMs`, timeoutMs, "milliseconds from 1 to 600000");
  check(approval == null || APPROVALS.includes(approval), `${path}.approval`, approval, APPROVALS.join(" or "));
  check(tools == null || isTexts(tools), `${path}.tools`, tools, "a list of names of tools");
  if ("url" in config && config.url != null) {
    check(typeof config.url === "string" && isHttp(config.url), `${path}.url`, config.url, "an http or https URL");
    const { username, password } = new URL(config.url);
    // Browsers do not send them, and the URL is shown.
    check(!username && !password, `${path}.url`, "a URL with a password", "a URL without user name and password");
    const { headers } = config;
    // The values may be keys, and are not shown.
    check(headers == null || isHeaders(headers), `${path}.headers`, "another value", "an object of valid HTTP headers");
    return config;
  }
  const process = config as Extract<McpServerConfig, { command: string }>;
  const { command, args, env, cwd } = process;
  check(typeof command === "string" && command !== "", `${path}.command`, command, "the name or path of a program");
  check(args == null || isTexts(args), `${path}.args`, "another value", "a list of texts");
  const isEnv = typeof env === "object" && env !== null && isTexts(Object.values(env));
  check(env == null || isEnv, `${path}.env`, "another value", "an object of texts");
  check(cwd == null || typeof cwd === "string", `${path}.cwd`, cwd, "the path of a folder");
  return process;
}

function isTexts(given: unknown): boolean {
  return Array.isArray(given) && given.every((item) => typeof item === "string");
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function isHeaders(given: object): boolean {
  if (typeof given !== "object" || !isTexts(Object.values(given))) return false;
  try {
    new Headers(given as Record<string, string>);
    return true;
  } catch {
    // An invalid name or value: the caller reports this without the value.
    return false;
  }
}
