/** Finds the skills in a list of files. */

import { byPath, isPath } from "../workspace/paths.js";
import type { TreeEntry } from "./remote.js";

/** A folder that is a skill, as far as names tell. */
export interface Candidate {
  /** The path of its folder in the source; empty for the root. */
  folder: string;
  /** The name of its folder. */
  name: string;
  /** Its SKILL.md or README.md. */
  main: TreeEntry;
  isReadme: boolean;
  /** Its other files, with paths relative to the folder. */
  files: TreeEntry[];
  /** The number of other files that cannot be read, by reason. */
  skipped: Map<Skipped, number>;
}

export type Skipped = "link" | "submodule" | "path" | "number" | "size" | "lfs";

/** Levels of folders below the given one. */
const DEEPEST = 8;

/** Returns the path relative to a folder; undefined outside of it. */
export function pathIn(folder: string, path: string): string | undefined {
  if (!folder) return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/**
 * Returns the skills in a folder: the folder itself if it has a SKILL.md, else the folders below it that have one. If
 * there is no SKILL.md, the folder is a skill if it has a README.md, else each folder in it that has one. `rootName` is
 * the name of the source's root.
 */
export function findSkills(
  entries: readonly TreeEntry[],
  folder: string,
  rootName: string,
  mostFiles: number,
): Candidate[] {
  const below = entries.filter(({ path }) => pathIn(folder, path) !== undefined).sort(byPath);
  const mains = new Map<string, TreeEntry>();
  const readmes = new Map<string, TreeEntry>();
  for (const entry of below) {
    const at = entry.path.lastIndexOf("/");
    const [inside, file] = [entry.path.slice(0, Math.max(at, 0)), entry.path.slice(at + 1)];
    const depth = inside === folder ? 0 : (pathIn(folder, inside)?.split("/").length ?? 0);
    if (depth > DEEPEST || !isReadable(entry.path)) continue;
    // The exact spelling comes first.
    if (/^skill\.md$/i.test(file) && !mains.has(inside)) mains.set(inside, entry);
    if (/^readme\.md$/i.test(file) && depth <= 1 && !readmes.has(inside)) readmes.set(inside, entry);
  }
  const isReadme = mains.size === 0;
  const found = isReadme ? readmes : mains;
  const candidate = (inside: string, main: TreeEntry) =>
    candidateOf(below, inside, main, isReadme, rootName, mostFiles);
  const own = found.get(folder);
  if (own) return [candidate(folder, own)];
  const folders = [...found].filter(
    ([inside]) => ![...found.keys()].some((other) => pathIn(other, inside) !== undefined && other !== inside),
  );
  return folders.map(([inside, main]) => candidate(inside, main));
}

/** Returns true if a path can be requested: it is valid, and in normal form. */
function isReadable(path: string): boolean {
  return isPath(path) && path.normalize("NFC") === path;
}

function candidateOf(
  entries: readonly TreeEntry[],
  folder: string,
  main: TreeEntry,
  isReadme: boolean,
  rootName: string,
  mostFiles: number,
): Candidate {
  const skipped: Candidate["skipped"] = new Map();
  const skip = (reason: Skipped) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const files: TreeEntry[] = [];
  for (const entry of entries) {
    const path = pathIn(folder, entry.path);
    if (path === undefined || entry === main) continue;
    const parts = path.split("/");
    // Settings of other programs are invisible, as in a workspace.
    if (parts.some((part) => /^\.[^./]/.test(part))) continue;
    if (!isReadable(path)) skip("path");
    else if (entry.kind !== "file") skip(entry.kind);
    else if (files.length >= mostFiles) skip("number");
    else files.push({ ...entry, path });
  }
  return { folder, name: folder.split("/").at(-1) || rootName, main, isReadme, files, skipped };
}
