/** The files of the user as the assistant gets them: with what the user has typed a moment ago. */

import type { Workspace } from "../types/workspace.js";
import type { WorkspaceHost } from "../types/workspace-host.js";
import type { OpenFile } from "./open-file.js";

/** Returns a workspace whose calls save the open file first. */
export function agentFiles(workspace: Workspace, open: () => OpenFile | null): WorkspaceHost {
  const saved = async () => {
    await open()?.save();
  };
  return {
    read: async (path) => (await saved(), workspace.read(path)),
    write: async (path, text, options) => (await saved(), workspace.write(path, text, options)),
    list: async () => (await saved(), workspace.list()),
    search: async (query) => (await saved(), workspace.search(query)),
    check: async (kind, locale) => (await saved(), workspace.check(kind, locale)),
  };
}
