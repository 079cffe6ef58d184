/** Returns a number or a text of digits as a whole number of at most `most`; undefined if it is neither, or below `least`. */
export function wholeNumber(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === "number" || typeof value === "string" ? Math.trunc(Number(value)) : Number.NaN;
  return number >= least ? Math.min(number, most) : undefined;
}
