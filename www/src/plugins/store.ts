/** The user's skills, servers and rules, saved across visits; keys of servers only if the settings keep keys. */
import type { Rule } from "copydesk";
import type { McpHttpServer } from "copydesk/mcp";
import type { SkillSource } from "copydesk/skills";
import { loadItem, removeItem, saveItem } from "../storage";

export interface Stored {
  skills: SkillSource[];
  servers: Record<string, McpHttpServer>;
  rules: Rule[];
}

type Headers = Record<string, Record<string, string>>;

/** The item with the keys of servers, which is removed where keys are not remembered. */
const KEYS = "server-keys";

export function load(): Stored {
  const servers = objectIn<Record<string, McpHttpServer>>("servers");
  const headers = objectIn<Headers>(KEYS);
  return {
    skills: listIn<SkillSource>("skills", ({ id, source }) => typeof id === "string" && typeof source === "string"),
    servers: Object.fromEntries(
      Object.entries(servers)
        .filter(([, server]) => typeof server?.url === "string")
        .map(([name, server]) => [name, { ...server, headers: headers[name] ?? {} }]),
    ),
    rules: listIn<Rule>("rules", ({ id, text }) => typeof id === "string" && typeof text === "string"),
  };
}

export function save({ skills, servers, rules }: Stored, remembersKeys: boolean): void {
  const open = Object.entries(servers).map(([name, { headers: _, ...server }]) => [name, server] as const);
  const secret = Object.entries(servers).flatMap(([name, { headers = {} }]) =>
    Object.keys(headers).length ? [[name, headers] as const] : [],
  );
  put("skills", skills.length > 0, skills);
  put("servers", open.length > 0, Object.fromEntries(open));
  put("rules", rules.length > 0, rules);
  put(KEYS, remembersKeys && secret.length > 0, Object.fromEntries(secret));
}

function put(name: string, isNeeded: boolean, value: unknown): void {
  if (isNeeded) saveItem(name, JSON.stringify(value));
  else removeItem(name);
}

function parsed(name: string): unknown {
  try {
    return JSON.parse(loadItem(name) ?? "null");
  } catch {
    // What cannot be read is replaced with the next change.
    return null;
  }
}

function listIn<T>(name: string, isValid: (entry: T) => boolean): T[] {
  const list = parsed(name);
  return Array.isArray(list) ? list.filter((entry: T | null) => !!entry && isValid(entry)) : [];
}

function objectIn<T extends object>(name: string): T {
  const value = parsed(name);
  return (value && typeof value === "object" && !Array.isArray(value) ? value : {}) as T;
}
