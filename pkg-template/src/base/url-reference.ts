/**
 * References to URLs, read as the [WHATWG URL Standard](https://url.spec.whatwg.org/) has it, like `guard/url.rs` of the
 * crate `edit`: what a browser requests is what is judged, and what a file or a page gets.
 */

/** A URL with a host or a scheme of its own, or a reference to the site or the folder of the document. */
export interface Reference {
  /** The scheme with its colon; undefined for a relative reference. */
  readonly protocol: string | undefined;
  /** The reference in a form that every program reads alike. */
  readonly text: string;
}

/** Characters that readers do not see: a text that looks like a scheme without them counts as one. */
const UNSEEN = /[\p{Cc}\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+/gu;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** The URLs that parsers of all kinds read alike. */
const PLAIN = /^(?:https?:\/\/(?!\/)|mailto:|tel:)[^\\\s\p{Cc}\p{Surrogate}\ufffe\uffff]*$/iu;
/**
 * Characters that XML cannot hold, or that nobody sees: if a program left them out, others could become neighbours, such
 * as two slashes.
 */
const NEITHER_HELD_NOR_SEEN = new RegExp(`${UNSEEN.source}|[\\ufffe\\uffff]|\\p{Surrogate}`, "gu");

/**
 * Reads a reference. One that begins with two slashes of either kind names a host: a file has no scheme that it could take
 * over, and other programs take it for a path of the local network, so it gets `https:`.
 *
 * Returns undefined if the text is not a URL.
 */
export function referenceOf(given: string): Reference | undefined {
  const text = withoutEnds(given).replace(/[\t\n\r]+/g, "");
  const whole = /^[/\\]{2}/.test(text) ? `https:${text}` : text;
  if (SCHEME.test(whole)) {
    if (!URL.canParse(whole)) return undefined;
    const { protocol, href } = new URL(whole);
    return { protocol, text: PLAIN.test(whole) ? whole : href };
  }
  if (text === "" || SCHEME.test(text.replace(UNSEEN, ""))) return undefined;
  // Parsers take `\` for `/`, but not in a query, and encode characters that a URL cannot have.
  const path = /^[^?#]*/.exec(text)![0];
  const slashed = path.replaceAll("\\", "/") + text.slice(path.length);
  const encoded = slashed.replace(NEITHER_HELD_NOR_SEEN, (characters) => encodeURIComponent(characters.toWellFormed()));
  return { protocol: undefined, text: encoded };
}

/** Returns a text without spaces and control characters at its ends. An expression would try each space within. */
function withoutEnds(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start]! <= " ") start++;
  while (end > start && text[end - 1]! <= " ") end--;
  return text.slice(start, end);
}

/** Returns the URL of an image; undefined if the URL cannot be one. SVG in an `img` runs no script. */
export function imageURL(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  // Long, and read alike by all.
  if (/^\s*data:/i.test(given)) return /^\s*data:image\//i.test(given) ? given.trim() : undefined;
  return allowed(given, /^(?:https?|blob):$/);
}

/** Returns the URL of a link; undefined if nobody should follow it. */
export function linkURL(given: unknown): string | undefined {
  return typeof given === "string" ? allowed(given, /^(?:https?|mailto|tel):$/) : undefined;
}

function allowed(given: string, protocols: RegExp): string | undefined {
  const { protocol, text } = referenceOf(given) ?? { protocol: "" };
  return protocol === undefined || protocols.test(protocol) ? text : undefined;
}
