/** The direction of text. */

import type { NodeJSON } from "../types.js";
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
