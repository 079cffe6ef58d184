/** The notation of nodes of the tree that the file has: signs of emphasis, the source of items and rows. */

import type { Emphasis, List, ListItem, Nodes, Strong, Table, TableCell, TableRow } from "mdast";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { defaultHandlers, type Handle, type Handlers, type Info, type State } from "mdast-util-to-markdown";
import type { KnownRow } from "./known-blocks.js";

/** The known notation of a node. */
interface Known {
  /** The sign of emphasis. */
  sign?: string | undefined;
  /** The source of an item. */
  source?: string | undefined;
  row?: KnownRow | undefined;
  /** The marker of a list. */
  marker?: string | undefined;
}

const known = new WeakMap<Nodes, Known>();

/** Remembers the notation of a node. */
export function withKnown<T extends Nodes>(node: T, notation: Known): T {
  known.set(node, notation);
  return node;
}

const TABLES = gfmTableToMarkdown({ tablePipeAlign: false });

/** Handlers that write nodes in their known notation. */
export const KNOWN: Partial<Handlers> = {
  emphasis: signed("emphasis"),
  strong: signed("strong"),
  list(node: List, parent, state, info) {
    const marker = known.get(node)?.marker;
    const { bullet, bulletOther, bulletOrdered } = state.options;
    if (marker !== undefined && node.ordered) Object.assign(state.options, { bulletOrdered: marker });
    else if (marker !== undefined) {
      Object.assign(state.options, { bullet: marker, bulletOther: marker === "-" ? "*" : "-" });
    }
    try {
      return defaultHandlers.list(node, parent, state, info);
    } finally {
      Object.assign(state.options, { bullet, bulletOther, bulletOrdered });
    }
  },
  listItem(node: ListItem, parent, state, info) {
    const source = known.get(node)?.source;
    const marked = source === undefined ? undefined : withMarker(source, markerOf(node, parent, state));
    return marked ?? defaultHandlers.listItem(node, parent, state, info);
  },
  table(node: Table, parent, state, info) {
    const rows = node.children.map((row) => known.get(row)?.row);
    const first = rows.find((row) => row !== undefined);
    return first
      ? tableOf(node, rows, first, state, info)
      : (TABLES.handlers?.table as Handle)(node, parent, state, info);
  },
};

/** Returns a handler of emphasis that writes the known signs. */
function signed(type: "emphasis" | "strong"): Handle {
  const signOf = (node: Emphasis | Strong, state: State): string => known.get(node)?.sign ?? state.options[type] ?? "*";
  const handle: Handle = (node: Emphasis | Strong, parent, state, info) => {
    const before = state.options[type];
    Object.assign(state.options, { [type]: signOf(node, state) });
    try {
      return defaultHandlers[type](node as never, parent, state, info);
    } finally {
      Object.assign(state.options, { [type]: before });
    }
  };
  return Object.assign(handle, {
    attention: (node: Emphasis | Strong, state: State) => ({
      construct: type,
      markers: signOf(node, state) === "*" ? ["*", "_"] : ["_", "*"],
      sizes: [type === "strong" ? 2 : 1],
    }),
    peek: (node: Emphasis | Strong, _: unknown, state: State) => signOf(node, state),
  });
}

/** Returns the marker of an item in its list. */
function markerOf(item: ListItem, parent: Parameters<Handle>[1], { bulletCurrent = "-" }: State): string {
  if (parent?.type !== "list" || !parent.ordered) return bulletCurrent;
  return `${(parent.start ?? 1) + parent.children.indexOf(item)}${bulletCurrent}`;
}

/** Returns the source of an item with another marker; undefined if its lines are not all indented alike. */
function withMarker(source: string, marker: string): string | undefined {
  const [, old = "", space = ""] = /^([-+*]|\d{1,9}[.)])([ \t]*)/.exec(source) ?? [];
  if (old === "") return undefined;
  const [first = "", ...rest] = source.slice(old.length).split("\n");
  if (old.length === marker.length) return [marker + first, ...rest].join("\n");
  if (space.includes("\t")) return undefined;
  const spaces = space.length > 0 && space.length < 5 ? space.length : 1;
  const indent = " ".repeat(old.length + spaces);
  if (!rest.every((line) => line.trim() === "" || line.startsWith(indent))) return undefined;
  const lines = rest.map((line) =>
    line.trim() === "" ? line : " ".repeat(marker.length + spaces) + line.slice(indent.length),
  );
  return [marker + first, ...lines].join("\n");
}

/** Writes a table that has some rows of the file. */
function tableOf(
  table: Table,
  rows: readonly (KnownRow | undefined)[],
  { align, delimiters }: KnownRow,
  state: State,
  info: Info,
): string {
  const columns = table.align ?? [];
  const exit = state.enter("table");
  const lines = table.children.map((row, at) => {
    const source = rows[at];
    // A header has all cells.
    return source && (at > 0 || source.cells === columns.length) ? source.source : rowOf(row, state, info);
  });
  exit();
  const isAligned = String(align) === String(columns);
  const line = isAligned ? delimiters : `|${columns.map((one) => DELIMITERS[one ?? "none"]).join("|")}|`;
  return [lines[0], line, ...lines.slice(1)].join("\n");
}

const DELIMITERS = { none: " - ", left: " :- ", right: " -: ", center: " :-: " } as const;

function rowOf(row: TableRow, state: State, info: Info): string {
  const exit = state.enter("tableRow");
  const cells = row.children.map((cell: TableCell) => state.handle(cell, row, state, info));
  exit();
  return `| ${cells.join(" | ")} |`;
}
