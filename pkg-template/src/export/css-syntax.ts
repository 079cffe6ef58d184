/** The syntax of CSS values in files. */

const LONGEST = 300;
const TOKEN = new RegExp(
  [
    "[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:%|[a-z]+)?(?![\\w.%])", // numbers and lengths
    "#[\\da-f]+(?![\\w-])", // colors
    "-{0,2}[\\p{L}_][\\p{L}\\p{M}\\w-]*(?![\\p{L}\\p{M}\\w(-])", // names
    `'[\\p{L}\\p{M}\\w\\s,.-]*'|"[\\p{L}\\p{M}\\w\\s,.-]*"`, // fonts
    "(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|calc|min|max|clamp|var)\\(", // functions that load nothing
    "[\\s,/+)-]",
  ].join("|"),
  "iuy",
);

/** Returns true for a value that all programs read as one, and that loads nothing. */
export function isCSSValue(text: string): boolean {
  if (text.length > LONGEST || !/[\p{L}\d]/u.test(text)) return false;
  let depth = 0;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return false;
    if (token.endsWith("(")) depth++;
    if (token === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
