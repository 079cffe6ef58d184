/** The workspace as the wasm calls it for the tools of an agent. */

import type { CheckKind, CheckReport, SearchQuery, SearchResult, Workspace, WorkspaceFile, WrittenFile } from "../types.js";
import type { WorkspaceIndex } from "./workspace-index.js";

/** What the tools need of a workspace. All rejections are CopydeskErrors. */
export interface WorkspaceHost {
  read(path: string): Promise<WorkspaceFile>;
  write(
    path: string,
    text: string,
    options: { expected?: string | null | undefined; note?: string | undefined },
  ): Promise<WrittenFile>;
  list(): Promise<{ path: string; size: number }[]>;
  search(query: SearchQuery): Promise<SearchResult>;
  check(kind: CheckKind): Promise<CheckReport>;
}

/** Returns the host for a workspace. Its writes are the agent's. */
export function hostOf(workspace: Workspace, index: WorkspaceIndex): WorkspaceHost {
  return {
    read: (path) => workspace.read(path),
    write: (path, text, { expected, note }) => workspace.write(path, text, { expected, note, author: "agent" }),
    list: () => workspace.list(),
    search: (query) => index.search(query),
    check: (kind) => index.check(kind),
  };
}
