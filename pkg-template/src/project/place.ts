/** A place that has the files of a book: the browser's storage, or a folder of the user's computer. */

import { CopydeskError } from "copydesk";
import type { Locale } from "../types/index.js";
import { folderWorkspace, indexedDBWorkspace, requestFolderAccess } from "../workspace.js";
import type { StoredFolder } from "./folders.js";
import { LocalizedWorkspace } from "./localized-workspace.js";

/** The members that TypeScript's library of the DOM lacks. */
interface Permitted extends FileSystemDirectoryHandle {
  queryPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
}

/**
 * `open`: the files can be used. `closed`: the browser asks for permission again, after a reload or when it was
 * withdrawn. `refused`: the user, or the browser, has said no.
 */
export type Access = "open" | "closed" | "refused";

export interface PlaceOptions {
  /** The name of the workspace in the browser's storage, which zip files have as well. */
  name: string;
  locale: () => Locale;
  /** Called when files can be used again, or no more. */
  onAccess: (place: Place) => void;
}

export class Place {
  readonly workspace: LocalizedWorkspace;
  access: Access = "open";

  /** Without a folder it is the browser's storage. */
  constructor(
    readonly folder: StoredFolder | null,
    private options: PlaceOptions,
  ) {
    const create = (locale: Locale) =>
      folder ? folderWorkspace(folder.handle, { locale }) : indexedDBWorkspace(options.name, { locale });
    this.workspace = new LocalizedWorkspace(create, options.locale, (error) => {
      // A single file may be protected, too.
      if (error instanceof CopydeskError && error.code === "permission_denied") void this.look();
    });
  }

  /** The folder's name; null for the browser's storage. */
  get name(): string | null {
    return this.folder?.handle.name ?? null;
  }

  /** Finds out if the files can be used, without asking the user. */
  async look(): Promise<void> {
    const handle: Permitted | undefined = this.folder?.handle;
    // Other browsers have no other folders than the page's own.
    const state = (await handle?.queryPermission?.({ mode: "readwrite" })) ?? "granted";
    if (state === "granted") this.become("open");
    else if (this.access === "open") this.become("closed");
  }

  /** Asks the user for permission. Call it in a click. */
  async ask(): Promise<void> {
    if (!this.folder) return;
    this.become((await requestFolderAccess(this.folder.handle)) ? "open" : "refused");
  }

  private become(access: Access): void {
    if (access === this.access) return;
    this.access = access;
    // Its watch has seen nothing meanwhile.
    if (access === "open") this.workspace.reopen();
    this.options.onAccess(this);
  }
}
