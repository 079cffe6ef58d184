/** Text of servers in messages. */

/** Returns the text, cut to this many characters. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not between the halves of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 2)) ? most - 2 : most - 1;
  return `${text.slice(0, end)}…`;
}

/** Returns the URL of a server as messages show it: without what may be a key. */
export function shownURL(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
