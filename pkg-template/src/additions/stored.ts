/** The user's skills, servers and rules, saved across visits; keys of servers only if the settings keep keys. */

import type { Items } from "../base/items.js";
import type { McpApproval, McpHttpServer } from "../types/mcp.js";
import type { Rule } from "../types/plugins.js";
import type { SkillSource } from "../types/skills.js";

/** The additions as they are stored. */
export interface Stored {
  skills: SkillSource[];
  servers: Record<string, McpHttpServer>;
  rules: Rule[];
}

/** The item with the keys of servers, which is removed where keys are not remembered. */
const KEYS = "server-keys";

/** Returns the saved choices. Of data that others wrote there, only values of the right form are used. */
export function load(items: Items): Stored {
  const headers = new Map(Object.entries(objectIn(items, KEYS)));
  const skills = new Map(
    listIn(items, "skills")
      .flatMap(sourceIn)
      .map((source) => [source.id, source]),
  );
  return {
    skills: [...skills.values()],
    servers: Object.fromEntries(
      Object.entries(objectIn(items, "servers")).flatMap(([name, server]) => serverIn(name, server, headers.get(name))),
    ),
    rules: listIn(items, "rules").flatMap(ruleIn),
  };
}

/** Returns false if there was no room. */
export function save(items: Items, { skills, servers, rules }: Stored, keepsKeys: boolean): boolean {
  const open = Object.entries(servers).map(([name, { headers: _, ...server }]) => [name, server] as const);
  const secret = Object.entries(servers).flatMap(([name, { headers = {} }]) =>
    Object.keys(headers).length ? [[name, headers] as const] : [],
  );
  const saved = [
    put(items, "skills", skills.length > 0, skills),
    put(items, "servers", open.length > 0, Object.fromEntries(open)),
    put(items, "rules", rules.length > 0, rules),
    put(items, KEYS, keepsKeys && secret.length > 0, Object.fromEntries(secret)),
  ];
  return saved.every(Boolean);
}

function put(items: Items, name: string, isNeeded: boolean, value: unknown): boolean {
  if (isNeeded) return items.set(name, JSON.stringify(value));
  items.remove(name);
  return true;
}

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === "string";

function sourceIn({ id, source, ref, path, enabled }: Fields): SkillSource[] {
  if (!isText(id) || !isText(source)) return [];
  return [
    {
      id,
      source,
      ...(isText(ref) && { ref }),
      ...(isText(path) && { path }),
      ...(typeof enabled === "boolean" && { enabled }),
    },
  ];
}

function serverIn(name: string, server: unknown, headers: unknown): [string, McpHttpServer][] {
  const { url, enabled, approval, timeoutMs, tools } = fieldsOf(server);
  if (!isText(url)) return [];
  const given: McpHttpServer = {
    url,
    ...(typeof enabled === "boolean" && { enabled }),
    ...(isText(approval) && { approval: approval as McpApproval }),
    ...(typeof timeoutMs === "number" && { timeoutMs }),
    ...(Array.isArray(tools) && tools.every(isText) && { tools }),
    headers: Object.fromEntries(
      Object.entries(fieldsOf(headers)).filter((header): header is [string, string] => isText(header[1])),
    ),
  };
  return [[name, given]];
}

function ruleIn({ id, text, enabled }: Fields): Rule[] {
  return isText(id) && isText(text) ? [{ id, text, enabled: enabled !== false }] : [];
}

function parsed(items: Items, name: string): unknown {
  try {
    return JSON.parse(items.get(name) ?? "null");
  } catch {
    // What cannot be read is replaced with the next change.
    return null;
  }
}

function listIn(items: Items, name: string): Fields[] {
  const list = parsed(items, name);
  return Array.isArray(list) ? list.map(fieldsOf) : [];
}

const objectIn = (items: Items, name: string): Fields => fieldsOf(parsed(items, name));

/** Returns the fields of an object; none of another value. */
function fieldsOf(value: unknown): Fields {
  return value && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {};
}
