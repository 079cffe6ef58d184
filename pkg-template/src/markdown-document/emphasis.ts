/**
 * Pairs the signs of emphasis. micromark looks for the partner of each closing sign among all events before it, and moves
 * the events behind it for each pair: both take quadratic time. This finds the same pairs with a stack, and makes the
 * events in one pass.
 */

import type { Construct, Event, Point, Token, TokenizeContext } from "micromark-util-types";

/** A run of signs, with the pairs that it takes part in. */
interface Run {
  token: Token;
  sign: string;
  /** The signs that are not paired. */
  length: number;
  /** The signs that close, in their order from the left: one or two each. */
  closed: number[];
  /** The signs that open, in their order from the right. */
  opened: number[];
  /** The index of its first event. */
  at: number;
}

/** Returns the events with emphasis. Calls `check` with the number of events that the pairs hold together. */
export function resolveEmphasis(events: Event[], context: TokenizeContext, check: (steps: number) => void): Event[] {
  const runs = runsIn(events, context);
  if (runs.size === 0) return events;
  const steps = pair([...runs.values()]);
  check(steps);
  for (const { token } of runs.values()) token.type = "data";
  if (steps === 0) return events;
  const resolved = built(events, runs, context);
  // micromark goes on with the array that it gave.
  events.length = 0;
  for (const event of resolved) events.push(event);
  return events;
}

function runsIn(events: readonly Event[], context: TokenizeContext): Map<Token, Run> {
  const runs = new Map<Token, Run>();
  for (const [at, [kind, token]] of events.entries()) {
    if (kind !== "enter" || token.type !== "attentionSequence") continue;
    const sign = context.sliceSerialize(token).charAt(0);
    runs.set(token, { token, sign, length: lengthOf(token), closed: [], opened: [], at });
  }
  return runs;
}

function lengthOf({ start, end }: Token): number {
  return end.offset - start.offset;
}

/**
 * Finds the pairs: each run that closes has the nearest one before it as its partner that opens, of the same sign. As in
 * CommonMark, where one of the two can do both, their lengths may not add up to a multiple of three. Returns the number of
 * events in the pairs.
 */
function pair(runs: readonly Run[]): number {
  const open: Run[] = [];
  // Below this depth of the stack no partner is found for such a run.
  const bottoms = new Map<string, number>();
  let steps = 0;
  for (const run of runs) {
    while (run.length > 0 && run.token._close) {
      const key = `${run.sign}${run.length % 3}${run.token._open ? "o" : ""}`;
      const bottom = bottoms.get(key) ?? 0;
      const depth = open.findLastIndex((one, at) => at < bottom || isPartner(one, run));
      if (depth < bottom) {
        bottoms.set(key, open.length);
        break;
      }
      const partner = open[depth] as Run;
      const used = partner.length > 1 && run.length > 1 ? 2 : 1;
      partner.length -= used;
      run.length -= used;
      partner.opened.push(used);
      run.closed.push(used);
      steps += run.at - partner.at;
      open.length = partner.length > 0 ? depth + 1 : depth;
      // The partner has another length now, and what comes in the place of others has not been looked at.
      for (const [key, bottom] of bottoms) if (bottom > depth) bottoms.set(key, depth);
    }
    if (run.length > 0 && run.token._open) open.push(run);
  }
  return steps;
}

function isPartner(one: Run, run: Run): boolean {
  if (one.sign !== run.sign) return false;
  const isEither = one.token._close || run.token._open;
  return !isEither || run.length % 3 === 0 || (one.length + run.length) % 3 !== 0;
}

/** An emphasis whose end has not come. */
interface Opened {
  group: Token;
  text: Token;
  type: "strong" | "emphasis";
  /** The events before it, and those in it. */
  outside: Event[];
}

function built(events: readonly Event[], runs: ReadonlyMap<Token, Run>, context: TokenizeContext): Event[] {
  const opened: Opened[] = [];
  let inside: Event[] = [];
  const add = (token: Token) => inside.push(["enter", token, context], ["exit", token, context]);
  for (const event of events) {
    const run = runs.get(event[1]);
    if (!run) {
      inside.push(event);
      continue;
    }
    if (event[0] === "exit") continue;
    const { token } = run;
    let [start, end] = [token.start, token.end];
    for (const used of run.closed) {
      const { group, text, type, outside } = opened.pop() as Opened;
      const sign = { type: `${type}Sequence`, start: { ...start }, end: moved(start, used) } as Token;
      text.end = { ...start };
      group.end = { ...sign.end };
      const between = resolveInside(inside, context);
      inside = outside;
      for (const one of between) inside.push(one);
      inside.push(["exit", text, context]);
      add(sign);
      inside.push(["exit", group, context]);
      start = sign.end;
    }
    const opening = run.opened.map((used) => {
      const sign = { start: moved(end, -used), end, used };
      end = sign.start;
      return sign;
    });
    token.start = { ...start };
    token.end = { ...end };
    if (lengthOf(token) > 0) add(token);
    for (const { start, end, used } of opening.reverse()) {
      const type = used > 1 ? "strong" : "emphasis";
      const group = { type, start: { ...start } } as Token;
      const text = { type: `${type}Text`, start: { ...end } } as Token;
      inside.push(["enter", group, context]);
      add({ type: `${type}Sequence`, start: { ...start }, end: { ...end } } as Token);
      inside.push(["enter", text, context]);
      opened.push({ group, text, type, outside: inside });
      inside = [];
    }
  }
  return inside;
}

/** Resolves the other constructs within emphasis, such as strikethrough. */
function resolveInside(events: Event[], context: TokenizeContext): Event[] {
  const resolvers = new Set(
    context.parser.constructs.insideSpan.null?.map(({ resolveAll }: Partial<Construct>) => resolveAll),
  );
  let resolved = events;
  for (const resolve of resolvers) if (resolve) resolved = resolve(resolved, context);
  return resolved;
}

function moved(point: Point, by: number): Point {
  return { ...point, column: point.column + by, offset: point.offset + by, _bufferIndex: point._bufferIndex + by };
}
