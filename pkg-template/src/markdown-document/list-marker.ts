/** Returns the marker of a list's source: its bullet, or the sign behind its number. */
export function markerOf(source: string): string | undefined {
  const found = /^ {0,3}(?:([-*+])|\d{1,9}([.)]))(?=\s|$)/.exec(source);
  return found?.[1] ?? found?.[2];
}
