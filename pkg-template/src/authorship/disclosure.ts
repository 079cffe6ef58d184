/** Authorship in exports: HTML, JSON-LD, and the front matter of Markdown. */

import type { Editor } from "@tiptap/core";
import { DOMSerializer, Node, Schema, type MarkSpec, type NodeSpec } from "@tiptap/pm/model";
import { authorshipOf } from "./extension.js";
import type { AuthoredRange } from "./record.js";
import { disclosureIn, type Disclosure } from "./summary.js";

const SOURCE_TYPES = {
  mixed: "https://schema.org/CompositeWithTrainedAlgorithmicMediaDigitalSource",
  "ai-generated": "https://schema.org/TrainedAlgorithmicMediaDigitalSource",
} as const;
const MARK = "copydeskAuthored";

/** Returns who wrote the document of an editor, by characters. */
export function disclosureOf(editor: Editor): Disclosure {
  return disclosureIn(editor.state.doc, authorshipOf(editor));
}

/**
 * Returns the document as HTML, in which text of agents is in elements with `data-ai-*`, and what belongs into the head of a
 * page: `<meta name="ai-disclosure">` and JSON-LD with `digitalSourceType`.
 */
export function toDisclosedHTML(editor: Editor): { head: string; body: string } {
  const inert = document.implementation.createHTMLDocument("");
  const disclosure = disclosureOf(editor);
  const meta = inert.createElement("meta");
  meta.name = "ai-disclosure";
  meta.content = disclosure.kind;
  const container = inert.createElement("div");
  const marked = markedDocument(editor);
  DOMSerializer.fromSchema(marked.type.schema).serializeFragment(marked.content, { document: inert }, container);
  return { head: meta.outerHTML + linkedData(disclosure), body: container.innerHTML };
}

/** Returns a Markdown text with the disclosure of an editor in its front matter. Its other fields stay. */
export function withDisclosure(markdown: string, editor: Editor): string {
  const { kind, agents, people, sources } = disclosureOf(editor);
  // JSON is YAML.
  const field = `ai-disclosure: ${JSON.stringify({ kind, agents, people, sources })}\n`;
  const found = /^---\r?\n([^]*?)^---[ \t]*(?:\r?\n|$)/m.exec(markdown);
  if (!found || found.index > 0) return `---\n${field}---\n\n${markdown}`;
  const others = found[1]!.replace(/^ai-disclosure:.*\n(?:[ \t]+.*\n)*/m, "");
  return `---\n${others}${field}---\n${markdown.slice(found[0].length)}`;
}

function linkedData({ kind, agents }: Disclosure): string {
  if (kind === "none") return "";
  const data = {
    "@context": "https://schema.org",
    "@type": "CreativeWork",
    digitalSourceType: SOURCE_TYPES[kind],
    contributor: agents.map(({ name, model }) => ({
      "@type": "SoftwareApplication",
      name: name || model || "AI",
      ...(model !== undefined && { softwareVersion: model }),
    })),
  };
  // Within a script element, "<" could end it.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;
}

/** Returns the document in a schema with a mark for text of agents. */
function markedDocument(editor: Editor): Node {
  const { doc, schema } = editor.state;
  const nodes: Record<string, NodeSpec> = {};
  schema.spec.nodes.forEach((name, spec) => {
    const allowed = spec.marks === undefined || spec.marks === "_" ? spec.marks : `${spec.marks} ${MARK}`.trim();
    nodes[name] = { ...spec, ...(allowed !== undefined && { marks: allowed }) };
  });
  const marks: Record<string, MarkSpec> = {
    [MARK]: { attrs: { data: {} }, toDOM: ({ attrs }) => ["span", attrs.data as Record<string, string>, 0] },
  };
  schema.spec.marks.forEach((name, spec) => void (marks[name] = spec));
  const marked = new Schema({ topNode: schema.topNodeType.name, nodes, marks });
  const ranges = authorshipOf(editor);
  const convert = (node: Node, at: number): Record<string, unknown>[] => {
    const json = node.toJSON() as Record<string, unknown>;
    if (node.isText) return textParts(node, at, json, ranges);
    if (!node.content.size) return [json];
    const start = node === doc ? 0 : at + 1;
    const content: Record<string, unknown>[] = [];
    node.forEach((child, offset) => content.push(...convert(child, start + offset)));
    return [{ ...json, content }];
  };
  return Node.fromJSON(marked, convert(doc, 0)[0]);
}

function textParts(
  node: Node,
  at: number,
  json: Record<string, unknown>,
  ranges: readonly AuthoredRange[],
): Record<string, unknown>[] {
  const parts: Record<string, unknown>[] = [];
  const { text = "" } = node;
  const end = at + text.length;
  let from = at;
  const add = (to: number, range?: AuthoredRange) => {
    if (to <= from) return;
    const marks = [
      ...((json.marks as unknown[]) ?? []),
      ...(range ? [{ type: MARK, attrs: { data: dataOf(range) } }] : []),
    ];
    parts.push({ ...json, text: text.slice(from - at, to - at), ...(marks.length && { marks }) });
    from = to;
  };
  for (const range of ranges) {
    if (range.to <= at || range.from >= end) continue;
    add(Math.max(range.from, at));
    add(Math.min(range.to, end), range);
  }
  add(end);
  return parts;
}

function dataOf({ agent, provider, turn, time, acceptedBy, sources }: AuthoredRange): Record<string, string> {
  return {
    "data-ai-disclosure": "ai-generated",
    ...(agent.name && { "data-ai-agent": agent.name }),
    ...(agent.model !== undefined && { "data-ai-model": agent.model }),
    ...(provider !== undefined && { "data-ai-provider": provider }),
    ...(turn !== undefined && { "data-ai-turn": turn }),
    "data-ai-time": new Date(time).toISOString(),
    ...(acceptedBy?.name && { "data-ai-accepted-by": acceptedBy.name }),
    ...(sources.length && { "data-ai-sources": sources.join(" ") }),
  };
}
