/** Bounds on the time to parse Markdown, which grows with the square of the length for some sources. */

import type { Construct, Extension, Resolver, TokenizeContext } from "micromark-util-types";

/** Steps in the events of a paragraph: each closing sign of emphasis looks for its partner among those before it. */
const MOST_STEPS = 100_000_000;
/** Events of a paragraph that are moved: each sign that means nothing is joined with the text around it. */
const MOST_MOVES = 1_000_000_000;

/** Thrown for a source that would take too long to parse. */
export class EffortError extends Error {
  constructor() {
    super("The Markdown would take too long to parse.");
  }
}

/**
 * Returns an extension that throws an {@link EffortError} after a time, and for a paragraph with too many signs. Its
 * constructs match nothing: they are tried at containers and blocks, and at inline signs that mean nothing else.
 */
export function limits(ms: number): Extension {
  const deadline = performance.now() + ms;
  const check = (isBeyond: boolean): void => {
    if (isBeyond || performance.now() > deadline) throw new EffortError();
  };
  let paragraph: TokenizeContext | undefined;
  let signs = 0;
  const block: Construct = {
    tokenize: (_effects, _ok, nok) => (code) => {
      check(false);
      return nok(code);
    },
  };
  const sign: Construct = {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        signs = this === paragraph ? signs + 1 : 0;
        paragraph = this;
        check(signs * this.events.length > MOST_MOVES);
        return nok(code);
      };
    },
  };
  return { document: { null: block }, flow: { null: block }, text: { null: sign } };
}

/** Returns an extension of emphasis that throws an {@link EffortError} instead of pairing too many signs. */
export function limitedPairing({ text = {}, insideSpan, ...rest }: Extension): Extension {
  const known = new Map<object, object>();
  // A construct is resolved once per paragraph, so its copies are one object.
  const limited = <C extends Pick<Construct, "resolveAll">>(construct: C): C => {
    const copy = known.get(construct) ?? { ...construct, resolveAll: limitedResolver(construct.resolveAll) };
    known.set(construct, copy);
    return copy as C;
  };
  const inText = Object.entries(text).map(([code, constructs = []]) => [code, [constructs].flat().map(limited)]);
  return { ...rest, text: Object.fromEntries(inText), insideSpan: { null: (insideSpan?.null ?? []).map(limited) } };
}

function limitedResolver(resolve: Resolver | undefined): Resolver | undefined {
  return (
    resolve &&
    ((events, context) => {
      const closing = events.filter(([kind, token]) => kind === "enter" && token._close).length;
      if (closing * events.length > MOST_STEPS) throw new EffortError();
      return resolve(events, context);
    })
  );
}
