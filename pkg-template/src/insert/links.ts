/** Links that the user types. */

/** Returns the URL that a text means: without a scheme, a web or an e-mail address. Null if it is none of these. */
export function linkOf(text: string): string | null {
  const given = text.trim();
  if (/^(https?:\/\/|mailto:|tel:)./i.test(given)) return URL.canParse(given) ? given : null;
  if (/^[^\s/@:]+@[^\s/@:]+\.[^\s/@:]+$/.test(given)) return `mailto:${given}`;
  const isHost = /^(localhost|[^\s/:.@]+(\.[^\s/:.@]+)+)(:\d+)?([/?#]\S*)?$/.test(given);
  return isHost && URL.canParse(`https://${given}`) ? `https://${given}` : null;
}
