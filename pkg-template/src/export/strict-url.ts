/** URLs for files that programs check. */

/** Characters that are in no URL, and signs of percent-encoding without their digits. */
const NOT_IN_URLS = /%(?![\da-f]{2})|[\s"<>\\^`{|}]/gi;

/** Returns a URL with the characters that RFC 3987 allows; others are percent-encoded. */
export function strictURL(url: string): string {
  const [, host = "", path = "", fragment] =
    /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?)([^#]*)(?:#([^]*))?$/i.exec(url) ?? [];
  const strict = (text: string): string => text.replace(NOT_IN_URLS, encodeURIComponent);
  const inside = (text: string): string => strict(text).replace(/[[\]#]/g, encodeURIComponent);
  return strict(host) + inside(path) + (fragment === undefined ? "" : `#${inside(fragment)}`);
}
