/** The depth of JSON from clients. */

/**
 * Returns whether a text of JSON nests arrays and objects in more than `limit` levels. Reads the text, because parsers need
 * a hundred times its size in memory, and what reads the values further is recursive.
 */
export function isDeeper(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === "[" || character === "{") {
      if (++depth > limit) return true;
    } else if (character === "]" || character === "}") depth--;
  }
  return false;
}

/** Returns the position of the quote that ends the string that begins at a position. */
function endOfString(json: string, start: number): number {
  let end = start;
  for (;;) {
    end = json.indexOf('"', end + 1);
    if (end < 0) return json.length;
    let before = end;
    while (json[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end;
  }
}
