/** The subject and the effect of built-in tools, from their definitions. */

import { BUILT_IN_TOOLS } from "./built-in-tools.js";

type Tools = typeof BUILT_IN_TOOLS;
export type BuiltInTool = keyof Tools;
export type ToolKind = Tools[BuiltInTool];

/** The part of an agent that a tool works on; `files` are those of the workspace, or else those of skills. */
export type ToolSubject = ToolKind["subject"];
/** The effect of a tool's calls. */
export type ToolAction = ToolKind["does"];

/** A tool for files. */
export type FileTool = {
  [Name in BuiltInTool]: Tools[Name]["subject"] extends "workspace" | "files" ? Name : never;
}[BuiltInTool];

/** Returns the kind of a built-in tool; undefined for a tool of the app or of a server. */
export function kindOf(name: string): ToolKind | undefined {
  return Object.hasOwn(BUILT_IN_TOOLS, name) ? BUILT_IN_TOOLS[name as BuiltInTool] : undefined;
}

export function isFileTool(name: string): name is FileTool {
  const subject = kindOf(name)?.subject;
  return subject === "workspace" || subject === "files";
}

/** Returns the names of the tools that change the document, or files. */
export function writersOf(subject: "document" | "workspace"): readonly string[] {
  return Object.entries(BUILT_IN_TOOLS).flatMap(([name, kind]) =>
    kind.subject === subject && (kind.does === "write" || kind.does === "image") ? [name] : [],
  );
}
