/** Alerts of GitHub and callouts of Obsidian: quotes that begin with their kind, as `[!NOTE]`. */

import { isLineBreak } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";

const KIND = /^\[!([a-z][\w-]{0,30})\][+-]?(?:\s+|$)/i;

/** Returns a node whose alerts begin with their kind in bold, in a line of its own, instead of its notation. */
export function withAlerts(node: NodeJSON): NodeJSON {
  if (!node.content) return node;
  const content = node.content.map(withAlerts);
  const [first, ...others] = content;
  const isQuote = node.type === "blockquote" && first?.type === "paragraph";
  return { ...node, content: isQuote ? [withKind(first), ...others] : content };
}

function withKind(paragraph: NodeJSON): NodeJSON {
  const [first, ...others] = paragraph.content ?? [];
  const [notation, kind] = KIND.exec(first?.text ?? "") ?? [];
  const marks = first?.marks ?? [];
  if (notation === undefined || kind === undefined || marks.some(({ type }) => type === "code")) return paragraph;
  const rest = first!.text!.slice(notation.length);
  const after = rest ? [{ ...first!, text: rest }, ...others] : others;
  return { ...paragraph, content: kindLine(kind, after, { marks }) };
}

/** Returns inline content below its kind in bold, in a line of its own. */
export function kindLine(
  kind: string,
  content: readonly NodeJSON[],
  { marks = [] }: Pick<NodeJSON, "marks">,
): NodeJSON[] {
  const text = kind[0]!.toUpperCase() + kind.slice(1).toLowerCase();
  const bold = { type: "text", text, marks: [...marks.filter(({ type }) => type !== "bold"), { type: "bold" }] };
  const isBroken = content.length === 0 || isLineBreak(content[0]!.type);
  return [bold, ...(isBroken ? [] : [{ type: "hardBreak" }]), ...content];
}
