/** Reads SKILL.md: its front matter and its instructions, as agentskills.io defines them. */

import type { Node } from "mdast";
import { isObject } from "../base/json.js";
import { readFrontMatter } from "./front-matter.js";
import { parsed } from "./parsed.js";
import { Problem, withoutEnd, type Reason } from "./problem.js";

export interface SkillText {
  name: string;
  description: string;
  content: string;
  license?: string;
  compatibility?: string;
  allowedTools?: string;
  metadata?: Record<string, string>;
}

/** Limits of the format, in characters. */
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
/** The most characters of a front matter. */
const LONGEST_MATTER = 64 * 1024;

/**
 * Reads the text of a skill. `folderName` is the name of its folder; `isNamedByFolder` is false where the folder is not
 * part of the skill, such as a repository. Returns the skill, and what in it breaks the format and was mended.
 *
 * @throws Problem `skill_invalid` or `skill_html` if it cannot be used.
 */
export async function readSkill(
  text: string,
  about: { origin: string; path: string; folderName: string; isNamedByFolder: boolean; isReadme: boolean },
): Promise<{ skill: SkillText; remarks: Reason[] }> {
  const { origin, path } = about;
  const invalid = (reason: Reason) => new Problem("skill_invalid", { origin, path, reason });
  const clean = text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^\s+(?=---)/, "");
  if (/^\s*<(?:!doctype html|html|head|body)\b/i.test(clean)) throw new Problem("skill_html", { origin, path });
  if (isLfs(clean)) throw invalid(LFS);
  const remarks: Reason[] = [];

  const [, yaml, rest] = /^---[ \t]*\n([^]*?)^(?:---|\.\.\.)[ \t]*(?:\n([^]*))?$/m.exec(clean) ?? [];
  const hasMatter = yaml !== undefined && clean.startsWith("---");
  if (!hasMatter && /^---[ \t]*\n/.test(clean)) throw invalid(({ reasons }) => reasons.noEnd);
  const content = (hasMatter ? (rest ?? "") : clean).trim();
  const matter = hasMatter ? await readMatter(yaml, origin, invalid, remarks) : {};
  if (!about.isReadme && !hasMatter) remarks.push(({ reasons }) => reasons.noMatter);

  const given = textOf(matter.name);
  const folderName = nameOf(about.folderName);
  const name = nameOf(given ?? "") || folderName;
  if (!name) {
    const shown = JSON.stringify((given ?? about.folderName).slice(0, LONGEST_NAME));
    throw invalid(({ reasons }) => reasons.noLetters(shown));
  }
  if (given !== undefined && given !== name)
    remarks.push(({ reasons }) => reasons.renamed(JSON.stringify(given.slice(0, 100)), name));
  else if (hasMatter && given === undefined) remarks.push(({ reasons }) => reasons.named(name));
  else if (given !== undefined && about.isNamedByFolder && name !== about.folderName)
    remarks.push(({ reasons }) => reasons.otherFolder(name, about.folderName));

  let description = oneLine(textOf(matter.description) ?? "");
  if (!description) {
    description = await firstParagraph(content);
    if (!description) throw invalid(({ reasons }) => reasons.noDescription);
    if (hasMatter) remarks.push(({ reasons }) => reasons.firstParagraph);
  }
  if (description.length > LONGEST_DESCRIPTION) {
    description = `${description
      .slice(0, LONGEST_DESCRIPTION - 1)
      .toWellFormed()
      .replace(/\ufffd$/, "")}…`;
    const limit = LONGEST_DESCRIPTION;
    if (hasMatter) remarks.push(({ reasons }) => reasons.cut(limit));
  }
  if (!content) throw invalid(({ reasons }) => reasons.noInstructions);
  return { skill: { name, description, content, ...optional(matter) }, remarks };
}

/** The start of a file that Git LFS keeps elsewhere. */
export function isLfs(text: string): boolean {
  return text.startsWith("version https://git-lfs.github.com/spec/");
}

export const LFS: Reason = ({ reasons }) => reasons.inLfs;

async function readMatter(
  text: string,
  origin: string,
  invalid: (reason: Reason) => Problem,
  remarks: Reason[],
): Promise<Record<string, unknown>> {
  if (text.length > LONGEST_MATTER) throw invalid(({ reasons }) => reasons.longMatter(LONGEST_MATTER));
  const yaml = await loadYaml(origin);
  try {
    const { fields, repaired } = readFrontMatter(text, yaml);
    if (repaired) {
      const names = [...new Set(repaired)].slice(0, 5).join(", ");
      remarks.push(({ reasons }) => reasons.readOneByOne(names));
    }
    return fields;
  } catch (thrown) {
    const reason = withoutEnd(thrown instanceof Error ? thrown.message.split("\n")[0]! : String(thrown));
    throw invalid(({ reasons }) => reasons.unreadableMatter(reason));
  }
}

async function loadYaml(origin: string): Promise<typeof import("js-yaml")> {
  try {
    return await import("js-yaml");
  } catch (cause) {
    const reason = withoutEnd(cause instanceof Error ? cause.message : String(cause));
    throw new Problem("skill_library_missing", { origin, name: "js-yaml", reason }, { cause });
  }
}

/** Returns a name in the form of the format: lowercase letters, digits, and single hyphens between them. */
function nameOf(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const hyphens = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-/, "");
  return hyphens.slice(0, LONGEST_NAME).replace(/-$/, "");
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() ? value.toWellFormed().trim() : undefined;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function optional(matter: Record<string, unknown>): Partial<SkillText> {
  const tools = matter["allowed-tools"];
  const allowedTools = Array.isArray(tools) ? tools.map(textOf).filter(Boolean).join(" ") : textOf(tools);
  const [license, compatibility] = [textOf(matter.license), textOf(matter.compatibility)];
  const entries = isObject(matter.metadata) ? Object.entries(matter.metadata) : [];
  const metadata = entries.flatMap(([key, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[key, text] as const];
  });
  return {
    ...(license && { license }),
    ...(compatibility && { compatibility }),
    ...(allowedTools && { allowedTools }),
    ...(metadata.length > 0 && { metadata: Object.fromEntries(metadata) }),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the text of the first paragraph that has any: badges have none. */
async function firstParagraph(markdown: string): Promise<string> {
  // The beginning is enough, and quick also for a large text.
  const { children } = await parsed(markdown.slice(0, LONGEST_MATTER));
  for (const node of children) {
    const text = node.type === "paragraph" ? oneLine(plainText(node)) : "";
    if (text) return text;
  }
  return "";
}

function plainText(node: Node & { value?: unknown; children?: Node[] }): string {
  if (typeof node.value === "string" && node.type !== "html") return node.value;
  return node.children?.map(plainText).join("") ?? "";
}
