/** The names under which the model sees the tools of servers. */

/** The longest name that providers accept. */
const LONGEST = 64;

/**
 * Returns `server__tool`, of letters, digits, hyphens and underscores. Other characters become underscores; a name that
 * was changed, is too long or is in `taken` ends in a hash of both names, so that it is unique and stays the same.
 */
export function toolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${server}__${tool}`;
  const clean = plain.replace(/[^A-Za-z0-9_-]/g, "_");
  if (clean === plain && plain.length <= LONGEST && !taken.has(plain)) return plain;
  const ending = `_${hash(JSON.stringify([server, tool]))}`;
  return clean.slice(0, LONGEST - ending.length) + ending;
}

/** Returns the FNV-1a hash (32 bits) of a text's UTF-16 code units, as 7 letters and digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(36).padStart(7, "0");
}
