/**
 * Formulas, whose dollars follow [Pandoc's rule](https://pandoc.org/MANUAL.html#math): behind the first one and before
 * the last one there is no space, and no digit follows the last one. So prices and names of variables are text.
 */

import type { InlineMath } from "mdast-util-math";
import { mathToMarkdown } from "mdast-util-math";
import type { Handle, Options } from "mdast-util-to-markdown";
import { math } from "micromark-extension-math";
import type { Code, Construct, Extension } from "micromark-util-types";

const DOLLAR = 36;

/** Returns the extension that reads formulas. */
export function formulas(): Extension {
  const { flow, text } = math();
  const inline = text?.[DOLLAR] as Construct;
  const tokenize: Construct["tokenize"] = function (effects, ok, nok) {
    const start = this.now();
    const read = (): string => this.sliceSerialize({ start, end: this.now() });
    return effects.attempt(inline, (code) => (isFormula(read(), code) ? ok(code) : nok(code)), nok);
  };
  return { flow, text: { [DOLLAR]: { ...inline, resolve: undefined, tokenize } } };
}

/** Returns the extension that writes formulas, with two dollars where one would be text. */
export function formulasToMarkdown(): Options {
  const [one, two] = [mathToMarkdown(), mathToMarkdown({ singleDollarTextMath: false })];
  const inlineMath: Handle = (node: InlineMath, parent, state, info) => {
    const { handlers } = isFormula(`$${node.value}$`, info.after.codePointAt(0) ?? null) ? one : two;
    return (handlers?.inlineMath as Handle)(node, parent, state, info);
  };
  return { ...one, handlers: { ...one.handlers, inlineMath } };
}

/** Returns true if text between dollars is a formula. `after` is the character behind it. */
function isFormula(source: string, after: Code): boolean {
  if (source.startsWith("$$")) return true;
  const isDigit = after !== null && after >= 48 && after <= 57;
  // A code span that starts in it binds more tightly.
  return !isDigit && /^\$[^\s$](?:[^]*[^\s\\])?\$$/.test(source) && source.split("`").length % 2 === 1;
}
