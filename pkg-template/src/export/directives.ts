/** Containers of VitePress, Pandoc and others (`:::tip` … `:::`), and definitions of Pandoc (`: text`). */

import { isRaw } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
import { kindLine } from "./alerts.js";
import { InlineRow, isRow } from "./inline-row.js";

const OPENING = /^:{3,}[ \t]*(?:\{[ \t]*)?\.?(\p{L}[\p{L}\w-]{0,30})(?:[^{}]{0,200}\})?(?=[ \t]|$)[ \t]*/u;
const CLOSING = /(?:^|[ \t]):{3,}[ \t]*$/;
const DEFINITION = /^:[ \t]+(?=\S)/;

/** Deeper containers are text. */
const DEEPEST = 50;

interface Container {
  readonly from: number;
  readonly to: number;
}

/** Returns a node whose containers are quotes that begin with their kind, as alerts do. */
export function withDirectives(node: NodeJSON): NodeJSON {
  if (!node.content || isRow(node) || isRaw(node.type)) return node;
  const content = node.content.map(withDirectives);
  const rows = content.map((child) =>
    child.type === "paragraph" && isRow(child) ? new InlineRow(child.content!) : undefined,
  );
  const containers = containersIn(rows).values();
  let next = containers.next().value;
  const within = (from: number, to: number): NodeJSON[] => {
    const blocks: NodeJSON[] = [];
    for (let at = from; at < to; at++) {
      if (next?.from !== at) blocks.push(asDefinition(content[at]!, rows[at], at > 0 ? rows[at - 1] : undefined));
      else {
        const { from: first, to: last } = next;
        next = containers.next().value;
        blocks.push({ type: "blockquote", content: inside(first, last) });
        at = last;
      }
    }
    return blocks;
  };
  const inside = (first: number, last: number): NodeJSON[] => {
    const start = content[first]!;
    const row = rows[first]!;
    const [notation = "", kind = ""] = OPENING.exec(row.text) ?? [];
    const end = first === last ? endOf(row) : row.text.length;
    const opening = { ...start, content: kindLine(kind, row.slice(notation.length, end), row.marksAt(0)) };
    if (first === last) return [opening];
    const closing = rows[last]!;
    const rest = closing.slice(0, endOf(closing));
    return [opening, ...within(first + 1, last), ...(rest.length ? [{ ...content[last]!, content: rest }] : [])];
  };
  return { ...node, content: within(0, content.length) };
}

function endOf({ text }: InlineRow): number {
  return CLOSING.exec(text)?.index ?? text.length;
}

/** Returns the containers that are closed, in the order of their beginnings. */
function containersIn(rows: readonly (InlineRow | undefined)[]): Container[] {
  const open: number[] = [];
  const found: Container[] = [];
  rows.forEach((row, at) => {
    if (!row?.text.includes(":::")) return;
    if (OPENING.test(row.text)) open.push(at);
    if (!CLOSING.test(row.text)) return;
    const from = open.pop();
    if (from !== undefined && open.length < DEEPEST) found.push({ from, to: at });
  });
  return found.sort((a, b) => a.from - b.from);
}

/** Returns a paragraph behind another one without the sign of a definition. */
function asDefinition(node: NodeJSON, row: InlineRow | undefined, before: InlineRow | undefined): NodeJSON {
  const [sign] = row && before ? (DEFINITION.exec(row.text) ?? []) : [];
  return sign === undefined ? node : { ...node, content: row!.slice(sign.length, row!.text.length) };
}
