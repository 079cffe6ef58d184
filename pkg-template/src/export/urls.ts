/** The URLs that an exported file may contain. */

/** Returns a link's URL, or undefined if a reader should not follow it. */
export function linkURL(given: unknown): string | undefined {
  return allowed(given, /^(?:https?|mailto|tel)$/);
}

/** Returns an image's URL, or undefined if it is none. */
export function imageURL(given: unknown): string | undefined {
  if (typeof given === "string" && /^\s*data:(?!image\/)/i.test(given)) return undefined;
  return allowed(given, /^(?:https?|data|blob)$/);
}

function allowed(given: unknown, schemes: RegExp): string | undefined {
  if (typeof given !== "string") return undefined;
  // Browsers ignore these, also within a scheme.
  const url = given.replace(/[\0-\x20]+/g, (space) => (/^ +$/.test(space) ? space : "")).trim();
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(url.replace(/\s/g, ""))?.[1]?.toLowerCase();
  return url !== "" && (scheme === undefined || schemes.test(scheme)) ? url : undefined;
}
