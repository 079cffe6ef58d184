/** URLs for files that programs check. */

/** Characters that are in no URL, and signs of percent-encoding without their digits. */
const NOT_IN_URLS = /%(?![\da-f]{2})|[\s"<>\\^`{|}]/gi;
const WITH_SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** Lengths of a name of the Domain Name System, and of its parts (RFC 1035, 2.3.4). */
const [LONGEST_HOST, LONGEST_LABEL] = [253, 63];

/**
 * Returns a URL with the characters that RFC 3987 allows; others are percent-encoded. Returns undefined for one that leads
 * nowhere: without an address, or to a host whose name cannot exist.
 */
export function strictURL(url: string): string | undefined {
  if (WITH_SCHEME.test(url) && !hasTarget(url)) return undefined;
  const [, host = "", path = "", fragment] =
    /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/[^/?#]*)?)([^#]*)(?:#([^]*))?$/i.exec(url) ?? [];
  const strict = (text: string): string => text.replace(NOT_IN_URLS, encodeURIComponent);
  const inside = (text: string): string => strict(text).replace(/[[\]#]/g, encodeURIComponent);
  return strict(host) + inside(path) + (fragment === undefined ? "" : `#${inside(fragment)}`);
}

function hasTarget(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (hostname === "") return pathname !== "";
  if (hostname.startsWith("[")) return true;
  const name = hostname.replace(/\.$/, "");
  return name.length <= LONGEST_HOST && name.split(".").every(({ length }) => length > 0 && length <= LONGEST_LABEL);
}
