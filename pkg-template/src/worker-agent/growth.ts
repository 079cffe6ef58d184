/** The arguments of a call as they arrive, without sending all of them each time. */

import { isObject } from "../base/json.js";
import type { Growth } from "./messages.js";

/** Returns how a value has changed; undefined if it has not. */
export function growth(before: unknown, now: unknown): Growth | undefined {
  if (before === now) return undefined;
  if (typeof before === "string" && typeof now === "string" && now.startsWith(before))
    return { add: now.slice(before.length) };
  const isGrown =
    isObject(before) &&
    isObject(now) &&
    Array.isArray(before) === Array.isArray(now) &&
    Object.keys(before).every((key) => Object.hasOwn(now, key));
  if (!isGrown) return { value: now };
  const members: [string, Growth][] = [];
  for (const [key, value] of Object.entries(now)) {
    const isKnown = Object.hasOwn(before, key);
    const changed = isKnown ? growth((before as Record<string, unknown>)[key], value) : { value };
    if (changed) members.push([key, changed]);
  }
  return members.length ? { members: Object.fromEntries(members) } : undefined;
}

/** Returns the value that `growth` compared with `before`. What has not changed is shared. */
export function grown(before: unknown, change: Growth | undefined): unknown {
  if (!change) return before;
  if ("value" in change) return change.value;
  if ("add" in change) return String(before) + change.add;
  const members = Object.entries(change.members).map(([key, member]) => [
    key,
    grown((before as Record<string, unknown>)[key], member),
  ]);
  if (!Array.isArray(before)) return { ...(before as object), ...Object.fromEntries(members) };
  const items = [...before];
  for (const [key, member] of members) items[Number(key)] = member;
  return items;
}
