/** Links that editors make of URLs in text, also when they open a document. */

import type { Mark, Node } from "@tiptap/pm/model";

/** The texts that editors make links of: URLs with a scheme, domains, and e-mail addresses. */
const URL_IN_TEXT =
  /^(?:[a-z][a-z\d+.-]*:|(?:[^\s/?#@:]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]|$)|[^\s/@]+@[^\s/@]+\.\p{L}{2,}$)/iu;

/** Returns true if a link's URL follows from its text, which is a URL. */
export function isOwnLink(href: unknown, text: string): boolean {
  const follows = ["", "http://", "https://", "mailto:"].some((start) => href === `${start}${text}`);
  return follows && URL_IN_TEXT.test(text);
}

/** Returns the text of the link that the child of a textblock is part of. */
export function linkTextAt(textblock: Node, index: number, link: Mark): string {
  const isPart = (at: number): boolean => {
    return at >= 0 && at < textblock.childCount && link.isInSet(textblock.child(at).marks);
  };
  let [start, end] = [index, index + 1];
  while (isPart(start - 1)) start -= 1;
  while (isPart(end)) end += 1;
  return textblock.children
    .slice(start, end)
    .map((node) => node.textContent)
    .join("");
}
