/** A log of runs in Redis. */

import type { LoggedEvent, LoggedRun, RunLog, RunOwner, RunState, RunStatus } from "./run-log.js";

/** The part of a client that the log needs: `createClient()` of the package `redis` has it. */
export interface RedisClient {
  eval: (script: string, options: { keys: string[]; arguments: string[] }) => Promise<unknown>;
}

export interface RedisLogOptions {
  /** The beginning of all keys. Default: `copydesk:`. */
  prefix?: string;
  /** The time in milliseconds after which a run is removed that nothing was added to. Default: a day. */
  keptFor?: number;
}

/** `now` in milliseconds by the clock of the server, and the run: its owner, the end of its lease, … */
const HEAD = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function field(name) return redis.call("HGET", KEYS[1], name) or "" end
local function number(name) return tonumber(field(name)) or 0 end
local function status(isOwner)
  return { isOwner and 1 or 0, number("stopped"), number("attended") > now and 1 or 0 }
end
local function run()
  if redis.call("EXISTS", KEYS[1]) == 0 then return {} end
  local left = math.max(0, number("until") - now)
  return { field("request"), field("state"), field("last"), field("over"), tostring(left) }
end
`;

const SCRIPTS = {
  claim: `
local before = run()
local isFree = #before == 0 or (field("over") ~= "1" and (field("owner") == ARGV[1] or number("until") <= now))
if isFree then
  if #before == 0 then redis.call("HSET", KEYS[1], "request", ARGV[3], "last", "-1") end
  redis.call("HSET", KEYS[1], "owner", ARGV[1], "until", now + ARGV[2])
  redis.call("PEXPIRE", KEYS[1], ARGV[4])
end
return { isFree and 1 or 0, before }`,
  append: `
if redis.call("EXISTS", KEYS[1]) == 0 then return { 1, 0, 0 } end
if field("owner") ~= ARGV[1] or field("last") ~= ARGV[3] then return status(false) end
for at = 7, #ARGV, 2 do
  redis.call("XADD", KEYS[2], string.format("%d-1", ARGV[at] + 1), "text", ARGV[at + 1])
  redis.call("HSET", KEYS[1], "last", ARGV[at])
end
if ARGV[4] ~= "" then redis.call("HSET", KEYS[1], "state", ARGV[4]) end
if ARGV[5] == "1" then redis.call("HSET", KEYS[1], "over", "1") end
redis.call("HSET", KEYS[1], "until", now + ARGV[2])
redis.call("PEXPIRE", KEYS[1], ARGV[6])
redis.call("PEXPIRE", KEYS[2], ARGV[6])
return status(true)`,
  renew: `
if redis.call("EXISTS", KEYS[1]) == 0 then return { 1, 0, 0 } end
local isOwner = field("owner") == ARGV[1]
if isOwner then redis.call("HSET", KEYS[1], "until", now + ARGV[2]) end
return status(isOwner)`,
  attend: `
if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("HSET", KEYS[1], "attended", now + ARGV[1]) end`,
  stop: `
if redis.call("EXISTS", KEYS[1]) == 0 or field("over") == "1" then return 0 end
redis.call("HSET", KEYS[1], "stopped", "1")
return 1`,
  find: `
return run()`,
  eventsAfter: `
local found = {}
for _, entry in ipairs(redis.call("XRANGE", KEYS[2], string.format("(%d-1", ARGV[1] + 1), "+")) do
  table.insert(found, { entry[1], entry[2][2] })
end
return found`,
  lock: `
local owner = redis.call("GET", KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
if tonumber(ARGV[2]) > 0 then redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) else redis.call("DEL", KEYS[1]) end
return 1`,
  setLatest: `
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])`,
  latest: `
return redis.call("GET", KEYS[1])`,
} as const;

/** Scripts about something else than a run. */
const OTHERS = { lock: "document", setLatest: "thread", latest: "thread" } as const;

/** Creates a log in Redis 5 or later, for any number of instances. Runs are hashes, their events streams. */
export function redisLog(client: RedisClient, options: RedisLogOptions = {}): RunLog {
  const { prefix = "copydesk:", keptFor = 24 * 60 * 60 * 1000 } = options;
  // In a cluster, keys with the same name in braces are at one node.
  const call = async <T>(name: keyof typeof SCRIPTS, id: string, ...given: (string | number)[]): Promise<T> => {
    const kind = name in OTHERS ? OTHERS[name as keyof typeof OTHERS] : undefined;
    const keys = kind ? [`${prefix}${kind}:${id}`] : [`${prefix}{${id}}:run`, `${prefix}{${id}}:events`];
    return (await client.eval(HEAD + SCRIPTS[name], { keys, arguments: given.map(String) })) as T;
  };
  const of = ({ owner, lease }: RunOwner): [string, number] => [owner, Math.ceil(lease)];
  return {
    async claim(id, owner, request) {
      const [isOwner, before] = await call<[number, string[]]>("claim", id, ...of(owner), request, keptFor);
      return { isOwner: isOwner === 1, run: runOf(before) };
    },
    async append(id, owner, after, { events, state, isOver }) {
      const stored = state ? JSON.stringify(state) : "";
      const texts = events.flatMap(({ seq, text }) => [seq, text]);
      return statusOf(await call("append", id, ...of(owner), after, stored, isOver ? 1 : 0, keptFor, ...texts));
    },
    renew: async (id, owner) => statusOf(await call("renew", id, ...of(owner))),
    attend: async (id, ms) => void (await call("attend", id, ms)),
    stop: async (id) => (await call("stop", id)) === 1,
    find: async (id) => runOf(await call("find", id)),
    async eventsAfter(id, seq) {
      const found = await call<[string, string][]>("eventsAfter", id, seq);
      return found.map(([key, text]): LoggedEvent => ({ seq: Number.parseInt(key, 10) - 1, text }));
    },
    lock: async (documentId, owner) => (await call("lock", documentId, ...of(owner))) === 1,
    setLatest: async (thread, id) => void (await call("setLatest", thread, id, keptFor)),
    latest: async (thread) => (await call<string | null>("latest", thread)) ?? undefined,
  };
}

function statusOf([isOwner, isStopped, isAttended]: number[]): RunStatus {
  return { isOwner: isOwner === 1, isStopped: isStopped === 1, isAttended: isAttended === 1 };
}

function runOf([request, state, lastSeq, isOver, leaseLeft]: string[]): LoggedRun | undefined {
  if (request === undefined) return undefined;
  return {
    request,
    state: state ? (JSON.parse(state) as RunState) : undefined,
    lastSeq: Number(lastSeq),
    isOver: isOver === "1",
    leaseLeft: Number(leaseLeft),
  };
}
