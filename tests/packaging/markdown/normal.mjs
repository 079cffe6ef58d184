// What HTML does not hold: white space that a browser shows as one space or not at all, and links that editors refuse.

/** Returns a document's JSON as it would be if it had been HTML. */
export function asInHTML(node) {
  if (node.type === "codeBlock") return { ...node, content: /\S/.test(textOf(node)) ? node.content : undefined };
  const content = node.content?.map(asInHTML);
  if (!content) return node;
  const shown = content.some(({ type }) => type === "text") ? collapsed(content) : content;
  return { ...node, content: shown.length > 0 ? shown : undefined };
}

function textOf({ text = "", content = [] }) {
  return text + content.map(textOf).join("");
}

/** Inline content with runs of white space as one space, and none at its ends and beside line breaks. */
function collapsed(content) {
  const joined = [];
  const trimmed = () => {
    const last = joined.at(-1);
    if (!last?.text?.endsWith(" ")) return;
    last.text = last.text.slice(0, -1);
    if (last.text === "") joined.pop();
  };
  for (const node of content) {
    const last = joined.at(-1);
    if (node.type === "hardBreak") trimmed();
    if (node.text === undefined) {
      joined.push(node);
      continue;
    }
    const marks = node.marks?.filter(({ type, attrs }) => type !== "link" || isLink(attrs.href));
    const startsLine = last === undefined || last.type === "hardBreak" || last.text?.endsWith(" ");
    const text = node.text.replace(/[\t\n\r ]+/g, " ").replace(startsLine ? /^ / : /$^/, "");
    const next = { ...node, text, marks: marks?.length ? marks : undefined };
    if (last?.text !== undefined && JSON.stringify(last.marks) === JSON.stringify(next.marks)) last.text += text;
    else if (text !== "") joined.push(next);
  }
  trimmed();
  return joined;
}

/** TipTap's links have a URL with one of these schemes, or with none. */
function isLink(href) {
  return href !== "" && (!/^[a-z][\w.+-]*:/i.test(href) || /^(?:https?|ftps?|mailto|tel|callto|sms|cid|xmpp):/i.test(href));
}
