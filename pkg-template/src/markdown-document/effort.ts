/** Bounds on the work to parse Markdown, which grows with the square of the length for some sources. */

import type { Nodes, Root } from "mdast";
import type { Construct, ConstructRecord, Extension, TokenizeContext } from "micromark-util-types";
import { pairing } from "./pairs.js";

/** Events in the pairs of signs of a paragraph: those of pairs in each other are moved several times. */
const MOST_STEPS = 100_000_000;
/** Limit for the events of a paragraph that are moved: each sign without meaning is joined with the text around it. */
const MOST_MOVES = 400_000_000;

/**
 * Limit for the events of the file that move where quotes, items and paragraphs end: a number, and more for each
 * character.
 */
const MOST_MOVED = 100_000_000;
const MOST_MOVED_PER_CHARACTER = 1_000;

/**
 * Limit for the empty cells that rows of tables leave out: one for each character of the source, and this number more.
 */
const MOST_CELLS = 50_000;

/** Thrown for a source that would take too long to parse. */
export class EffortError extends Error {
  constructor() {
    super("The Markdown would take too long to parse.");
  }
}

/**
 * Returns an extension that throws an {@link EffortError} for a source of a length with too much work. The work is
 * counted, not timed, so that a file is read on every machine or on none. Its constructs match nothing: they are tried
 * at containers and blocks, and at inline signs without other meanings.
 */
export function limits(length: number): Extension {
  const known = new WeakSet<TokenizeContext["parser"]>();
  let left = MOST_MOVED + MOST_MOVED_PER_CHARACTER * length;
  const spend = (events: number): void => {
    left -= events;
    if (left < 0) throw new EffortError();
  };
  let paragraph: TokenizeContext | undefined;
  let signs = 0;
  const block: Construct = {
    tokenize(_effects, _ok, nok) {
      const { parser } = this;
      if (!known.has(parser)) {
        known.add(parser);
        index(parser);
        for (const constructs of [parser.constructs.document, parser.constructs.flow]) count(constructs, spend);
      }
      // A line that continues a quote without its sign searches the events of the block.
      if (parser.lazy[this.now().line]) spend(this.events.length);
      return nok;
    },
  };
  const sign: Construct = {
    tokenize(_effects, _ok, nok) {
      return (code) => {
        signs = this === paragraph ? signs + 1 : 0;
        paragraph = this;
        if (signs * this.events.length > MOST_MOVES) throw new EffortError();
        return nok(code);
      };
    },
  };
  return { document: { null: block }, flow: { null: block }, text: { null: sign } };
}

/** Counts the events that move where containers end and where a line makes a heading of a paragraph. */
function count(constructs: ConstructRecord, spend: (events: number) => void): void {
  for (const [code, some = []] of Object.entries(constructs)) {
    constructs[code] = [some].flat().map((construct): Construct => {
      const { exit, resolveTo } = construct;
      return {
        ...construct,
        ...(exit && {
          exit(this: TokenizeContext, effects) {
            spend(this.events.length);
            return exit.call(this, effects);
          },
        }),
        ...(resolveTo && {
          resolveTo(events, context) {
            spend(events.length);
            return resolveTo(events, context);
          },
        }),
      };
    });
  }
}

/** The identifiers of definitions, which micromark looks for in an array. */
class Identifiers {
  readonly #all = new Set<string>();

  push(identifier: string): void {
    this.#all.add(identifier);
  }

  includes(identifier: string): boolean {
    return this.#all.has(identifier);
  }
}

/** Lets definitions and footnotes be found without a look at all of them. */
function index(parser: TokenizeContext["parser"]): void {
  if (!Array.isArray(parser.defined)) return;
  parser.defined = new Identifiers() as unknown as string[];
  (parser as { gfmFootnotes?: unknown }).gfmFootnotes = new Identifiers();
}

/** Throws an {@link EffortError} for tables whose rows leave out more cells than their source explains. */
export function checkCells(source: string, tree: Root): void {
  let left = source.length + MOST_CELLS;
  const visit = (node: Nodes): void => {
    if (node.type === "table") {
      const columns = node.children[0]?.children.length ?? 0;
      for (const { children } of node.children) left -= Math.max(0, columns - children.length);
      if (left < 0) throw new EffortError();
    } else if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(tree);
}

/**
 * Returns an extension of emphasis or strikethrough that pairs signs in linear time, and throws an {@link EffortError} for
 * nodes that are too deep in each other.
 */
export function limitedPairing({ text = {}, insideSpan, ...rest }: Extension): Extension {
  const known = new Map<object, object>();
  // A construct is resolved once per paragraph, so its copies are one object.
  const limited = <C extends Partial<Construct>>(construct: C): C => {
    const copy = known.get(construct) ?? { ...construct, resolveAll: pairing(construct.name ?? "", checkSteps) };
    known.set(construct, copy);
    return copy as C;
  };
  const inText = Object.entries(text).map(([code, constructs = []]) => [code, [constructs].flat().map(limited)]);
  return { ...rest, text: Object.fromEntries(inText), insideSpan: { null: (insideSpan?.null ?? []).map(limited) } };
}

function checkSteps(steps: number): void {
  if (steps > MOST_STEPS) throw new EffortError();
}
