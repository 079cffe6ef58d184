/** The numberings of lists in DOCX. */

import type { ILevelsOptions } from "docx";
import type { NodeJSON } from "../types/index.js";
import type { Library } from "./docx-library.js";
import { wholeNumber } from "./whole-number.js";

/** Twentieths of a point for a level of a list. */
export const INDENT = 425;
const LEVELS = 9;
/** Word's limit of a numbering. */
const LARGEST_START = 32_767;
const BULLETS = ["•", "◦", "▪"];

export interface NumberingOptions {
  readonly reference: string;
  readonly level: number;
  readonly instance: number;
}

export class Numbering {
  private readonly ordered = new Map<string, { level: number; start: number; type: string }>();
  private instance = 0;

  constructor(private readonly docx: Library) {}

  /** Returns the numbering of a list at a depth: its own, so that it counts from its start. */
  of({ type, attrs = {} }: NodeJSON, depth: number): NumberingOptions {
    const level = Math.min(depth, LEVELS - 1);
    if (type === "bulletList") return { reference: "bullets", level, instance: 0 };
    const start = wholeNumber(attrs.start ?? 1, 0, LARGEST_START) ?? 0;
    const format = ["a", "A", "i", "I"].find((one) => one === attrs.type) ?? "1";
    const reference = `ordered-${level}-${start}-${format}`;
    this.ordered.set(reference, { level, start, type: format });
    return { reference, level, instance: ++this.instance };
  }

  /** The numberings that were used. */
  config(): { reference: string; levels: ILevelsOptions[] }[] {
    const { LevelFormat } = this.docx;
    const formats: Record<string, ILevelsOptions["format"]> = {
      a: LevelFormat.LOWER_LETTER,
      A: LevelFormat.UPPER_LETTER,
      i: LevelFormat.LOWER_ROMAN,
      I: LevelFormat.UPPER_ROMAN,
    };
    const bullets = this.levels((level) => ({
      format: LevelFormat.BULLET,
      text: BULLETS[level % BULLETS.length]!,
      start: 1,
    }));
    const ordered = [...this.ordered].map(([reference, { level: own, start, type }]) => {
      const levels = this.levels((level) => ({
        format: (level === own && formats[type]) || LevelFormat.DECIMAL,
        text: `%${level + 1}.`,
        start: level === own ? start : 1,
      }));
      return { reference, levels };
    });
    return [{ reference: "bullets", levels: bullets }, ...ordered];
  }

  private levels(of: (level: number) => Pick<ILevelsOptions, "format" | "text" | "start">): ILevelsOptions[] {
    return Array.from({ length: LEVELS }, (_, level) => ({
      level,
      ...of(level),
      style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
    }));
  }
}
