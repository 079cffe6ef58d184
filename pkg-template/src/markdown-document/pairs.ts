/**
 * Pairs the signs of emphasis and strikethrough. micromark looks for the partner of each closing sign among all events before it, and moves
 * the events behind it for each pair: both take quadratic time. This finds the same pairs with a stack, and makes the
 * events in one pass.
 */

import type { Construct, Event, Point, Resolver, Token, TokenizeContext } from "micromark-util-types";

/** The rules by which the signs of a construct are paired. */
interface Pairing {
  /** The type of a run of signs. */
  run: string;
  /** Returns true for runs that may be a pair, from the left, with the signs that each has left. */
  isPartner(one: Run, run: Run): boolean;
  /** Returns a number that is equal for lengths with the same partners. */
  group(length: number): number;
  /** Returns the number of signs of a pair on each side. */
  used(one: Run, run: Run): number;
  /** Returns the type of a node with this number of signs on each side. */
  type(used: number): string;
}

/** By the names of the constructs. */
const PAIRINGS: Record<string, Pairing> = {
  // As in CommonMark, if one of two runs can both open and close, their lengths may not add up to a multiple of three.
  attention: {
    run: "attentionSequence",
    isPartner(one, run) {
      const isEither = one.token._close || run.token._open;
      return !isEither || run.length % 3 === 0 || (one.length + run.length) % 3 !== 0;
    },
    group: (length) => length % 3,
    used: (one, run) => (one.length > 1 && run.length > 1 ? 2 : 1),
    type: (used) => (used > 1 ? "strong" : "emphasis"),
  },
  strikethrough: {
    run: "strikethroughSequenceTemporary",
    isPartner: (one, run) => one.length === run.length,
    group: (length) => length,
    used: (one) => one.length,
    type: () => "strikethrough",
  },
};

/** A run of signs, with the pairs that it takes part in. */
interface Run {
  token: Token;
  sign: string;
  /** The signs that are not paired. */
  length: number;
  /** The numbers of signs that close, in their order from the left. */
  closed: number[];
  /** The numbers of signs that open, in their order from the right. */
  opened: number[];
  /** The index of its first event. */
  at: number;
}

/**
 * Returns a resolver that makes the nodes of a construct; nothing for a construct that is not known. It calls `check` with
 * the number of events that the pairs hold together.
 */
export function pairing(construct: string, check: (steps: number) => void): Resolver | undefined {
  const found = PAIRINGS[construct];
  return found && ((events, context) => resolve(events, context, found, check));
}

/** The events in the pairs of a text so far. */
const spent = new WeakMap<TokenizeContext, number>();

function resolve(events: Event[], context: TokenizeContext, pairing: Pairing, check: (steps: number) => void): Event[] {
  const runs = runsIn(events, context, pairing);
  if (runs.size === 0) return events;
  const steps = pair([...runs.values()], pairing);
  const all = (spent.get(context) ?? 0) + steps;
  spent.set(context, all);
  check(all);
  const resolved = steps > 0 ? built(events, runs, context, pairing) : events;
  // Those within a pair were looked at again when it was built.
  for (const { token } of runs.values()) token.type = "data";
  if (steps === 0) return events;
  // micromark continues with the array that it passed.
  events.length = 0;
  for (const event of resolved) events.push(event);
  return events;
}

function runsIn(events: readonly Event[], context: TokenizeContext, pairing: Pairing): Map<Token, Run> {
  const runs = new Map<Token, Run>();
  for (const [at, [kind, token]] of events.entries()) {
    if (kind !== "enter" || token.type !== pairing.run) continue;
    const sign = context.sliceSerialize(token).charAt(0);
    runs.set(token, { token, sign, length: lengthOf(token), closed: [], opened: [], at });
  }
  return runs;
}

function lengthOf({ start, end }: Token): number {
  return end.offset - start.offset;
}

/**
 * Finds the pairs: each run that closes has the nearest one before it as its partner that opens, of the same sign. Returns
 * the number of events in the pairs.
 */
function pair(runs: readonly Run[], pairing: Pairing): number {
  const { isPartner, group, used: usedOf } = pairing;
  const left: Run[] = [];
  // Below this depth of the stack no partner is found for such a run.
  const bottoms = new Map<string, number>();
  let steps = 0;
  for (const run of runs) {
    while (run.length > 0 && run.token._close) {
      const key = `${run.sign}${group(run.length)}${run.token._open ? "o" : ""}`;
      const bottom = bottoms.get(key) ?? 0;
      const canOpen = (one: Run) => one.token._open && one.sign === run.sign && isPartner(one, run);
      const depth = left.findLastIndex((one, at) => at < bottom || canOpen(one));
      if (depth < bottom) {
        bottoms.set(key, left.length);
        break;
      }
      const partner = left[depth] as Run;
      const used = usedOf(partner, run);
      partner.length -= used;
      run.length -= used;
      partner.opened.push(used);
      run.closed.push(used);
      steps += run.at - partner.at;
      left.length = depth + 1;
      if (partner.length === 0) left.pop();
      // The partner has another length now, and what comes in the place of others has not been looked at.
      for (const [key, bottom] of bottoms) if (bottom > depth) bottoms.set(key, depth);
    }
    if (run.length > 0) left.push(run);
  }
  return steps;
}

/** A node whose end has not come. */
interface Opened {
  group: Token;
  text: Token;
  type: string;
  /** The events before it, and those in it. */
  outside: Event[];
}

function built(
  events: readonly Event[],
  runs: ReadonlyMap<Token, Run>,
  context: TokenizeContext,
  pairing: Pairing,
): Event[] {
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
      const type = pairing.type(used);
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

/**
 * Resolves all constructs within a pair, in their order. Runs of the same construct that are left there are looked at
 * again: some have become shorter, and can be partners now.
 */
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
