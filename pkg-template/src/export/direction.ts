/** The direction of text. */

import type { NodeJSON } from "../types/index.js";
import { textOf } from "./publication.js";

const RIGHT_TO_LEFT_SCRIPTS = ["Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg", "Mand", "Samr"];
/** A letter that is written from right to left. */
export const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mandaic}\p{Script=Samaritan}]/u;

/** Returns true for a language that is written from right to left. */
export function isRightToLeft(language: string): boolean {
  try {
    return RIGHT_TO_LEFT_SCRIPTS.includes(new Intl.Locale(language).maximize().script ?? "");
  } catch {
    return false;
  }
}

/** Returns true if a block is written from right to left: as it says, or as its first letter is. */
export function isBlockRightToLeft(node: NodeJSON, ofBook: boolean): boolean {
  const { dir } = node.attrs ?? {};
  if (dir === "rtl" || dir === "ltr") return dir === "rtl";
  const letter = /\p{L}/u.exec(textOf(node).slice(0, 1_000))?.[0];
  return letter === undefined ? ofBook : RIGHT_TO_LEFT.test(letter);
}

/** A part of a line that is written in one direction. */
export interface DirectedText {
  text: string;
  readonly isRightToLeft: boolean;
}

const PARTS = /[\p{L}\p{M}]+|\p{Nd}+|[()[\]{}]|[^\p{L}\p{M}\p{Nd}()[\]{}]+/gu;
const OPENING = "([{";

/**
 * Splits a line where its direction changes, by the rules W7 and N0 to N2 of the Unicode Bidirectional Algorithm (UAX #9):
 * digits behind letters that are written from left to right belong to them, signs belong to the letters at both sides if
 * these have one direction, a closing bracket to its opening one, and others to the paragraph.
 */
export function directedText(text: string, isParagraphRightToLeft: boolean): DirectedText[] {
  if (!isParagraphRightToLeft && !RIGHT_TO_LEFT.test(text)) return text ? [{ text, isRightToLeft: false }] : [];
  const parts = text.match(PARTS) ?? [];
  const strong = strongOf(parts, isParagraphRightToLeft);
  const following = [...strong];
  for (let at = following.length - 2; at >= 0; at--) following[at] ??= following[at + 1];
  const open: boolean[] = [];
  const runs: DirectedText[] = [];
  let before = isParagraphRightToLeft;
  parts.forEach((part, at) => {
    const after = following[at] ?? isParagraphRightToLeft;
    const neutral = before === after ? before : isParagraphRightToLeft;
    const isClosing = /^[)\]}]$/.test(part);
    const isRightToLeft = strong[at] ?? (isClosing ? (open.pop() ?? neutral) : neutral);
    if (OPENING.includes(part)) open.push(isRightToLeft);
    if (isClosing || strong[at] !== undefined) before = isRightToLeft;
    const last = runs.at(-1);
    if (last?.isRightToLeft === isRightToLeft) last.text += part;
    else runs.push({ text: part, isRightToLeft });
  });
  return runs;
}

/** Returns for each part whether it is written from right to left; undefined for signs. */
function strongOf(parts: readonly string[], isParagraphRightToLeft: boolean): (boolean | undefined)[] {
  let last = isParagraphRightToLeft;
  return parts.map((part) => {
    if (/^[\p{L}\p{M}]/u.test(part)) last = RIGHT_TO_LEFT.test(part);
    else if (!/^\p{Nd}/u.test(part)) return undefined;
    return last;
  });
}
