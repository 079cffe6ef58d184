/** The tools for files. */

export const FILE_TOOLS = {
  read_file: "read",
  write_file: "write",
  write_chapter: "write",
  edit_file: "write",
  list_files: "files",
  search_files: "search",
  search_content: "search",
  verify_strict_timeline: "checks",
  verify_strict_references: "checks",
} as const;

export type FileTool = keyof typeof FILE_TOOLS;

export function isFileTool(name: string): name is FileTool {
  return Object.hasOwn(FILE_TOOLS, name);
}

/** Returns true for a tool that changes files. */
export function writesFile(name: string): boolean {
  return isFileTool(name) && FILE_TOOLS[name] === "write";
}
