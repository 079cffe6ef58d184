/** The shares of a document's authors, in figures. */

import type { Node } from "@tiptap/pm/model";
import { isObject } from "../base/json.js";
import type { AuthoredRange } from "./record.js";

/** A summary of who wrote a document. */
export interface Disclosure {
  /** `none`: people wrote all of it. `ai-generated`: agents wrote all of it. `mixed`: both. */
  kind: "none" | "mixed" | "ai-generated";
  /** The agents with the numbers of their characters, the most first. */
  agents: { name: string; model?: string; provider?: string; characters: number }[];
  /** The number of characters that agents did not write, without spaces, as all numbers are. */
  people: number;
  /** The URLs that agents had read. */
  sources: readonly string[];
}

/** The URLs that an IPTC vocabulary has for such documents. */
export const IPTC_SOURCE_TYPES = {
  mixed: "http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia",
  "ai-generated": "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
} as const;

/** Returns true for a value of the form of a disclosure. */
export function isDisclosure(value: unknown): value is Disclosure {
  if (!isObject(value)) return false;
  const { kind, agents, people, sources } = value as Partial<Disclosure>;
  const isAgent = (one: unknown) => isObject(one) && typeof (one as { name?: unknown }).name === "string";
  const isKind = kind === "none" || kind === "mixed" || kind === "ai-generated";
  return (
    isKind && Array.isArray(agents) && agents.every(isAgent) && typeof people === "number" && Array.isArray(sources)
  );
}

/** Returns the names of agents with their models, as a list for people: `Robot (m-1, Acme), …`. */
export function agentsInWords({ agents }: Disclosure): string {
  return agents
    .map(({ name, model, provider }) => {
      const about = [name && model, provider].filter(Boolean).join(", ");
      return `${name || model || "AI"}${about && ` (${about})`}`;
    })
    .join(", ");
}

/** Returns who wrote a document, by characters. */
export function disclosureIn(doc: Node, ranges: readonly AuthoredRange[]): Disclosure {
  const agents = new Map<string, Disclosure["agents"][number]>();
  const sources = new Set<string>();
  let written = 0;
  for (const { from, to, agent, provider, sources: read } of ranges) {
    const { name, model } = agent;
    const by = JSON.stringify([name, model, provider]);
    const known = agents.get(by) ?? {
      name,
      ...(model !== undefined && { model }),
      ...(provider !== undefined && { provider }),
      characters: 0,
    };
    const characters = charactersIn(doc, from, to);
    known.characters += characters;
    written += characters;
    agents.set(by, known);
    for (const url of read) sources.add(url);
  }
  const people = charactersIn(doc, 0, doc.content.size) - written;
  const kind = written === 0 ? "none" : people === 0 ? "ai-generated" : "mixed";
  const sorted = [...agents.values()]
    .filter(({ characters }) => characters)
    .sort((a, b) => b.characters - a.characters);
  return { kind, agents: sorted, people, sources: [...sources] };
}

/** Returns the number of characters and leaves in a range, without spaces. */
function charactersIn(doc: Node, from: number, to: number): number {
  let count = 0;
  doc.nodesBetween(from, to, (node, position) => {
    if (node.isText) count += node.text!.slice(Math.max(0, from - position), to - position).match(/\S/g)?.length ?? 0;
    else if (node.isLeaf && position >= from && position < to) count++;
  });
  return count;
}
