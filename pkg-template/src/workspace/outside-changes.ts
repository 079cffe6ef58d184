/** Finds the changes of files that other programs make. */

import type { WorkspaceChange } from "../types/index.js";
import type { Content } from "./content.js";
import type { FileTree } from "./file-tree.js";
import type { Exclusively } from "./storage.js";
import { textOnly } from "./text-only.js";

/** The known state of a file. */
interface Known {
  size: number;
  modified: number;
  /** Known of files that this workspace has written. */
  version?: string | undefined;
}

/**
 * Compares the files with what is known of them. Files are compared while no write of this workspace to them is under
 * way, and those that it has written by their version, so that its own writes are never reported.
 */
export class OutsideChanges {
  readonly #tree: FileTree;
  readonly #read: (path: string) => Promise<Content | undefined>;
  readonly #report: (change: WorkspaceChange) => void;
  readonly #exclusively: Exclusively;
  /** Undefined until the files have been listed. */
  #known: Map<string, Known> | undefined;
  /** The changes of this workspace until then. */
  readonly #early = new Map<string, string | undefined>();
  /** The paths to look at; "all" includes those that are not known. */
  #wanted: Set<string> | "all" | undefined;
  #looking: Promise<void>;
  #isEnded = false;

  constructor(
    tree: FileTree,
    read: (path: string) => Promise<Content | undefined>,
    report: (change: WorkspaceChange) => void,
    exclusively: Exclusively,
  ) {
    this.#tree = tree;
    this.#read = read;
    this.#report = report;
    this.#exclusively = exclusively;
    this.#looking = this.#begin();
  }

  /** Looks at these files, or at all. Resolves when the changes are reported. */
  look(paths?: string[]): Promise<void> {
    const isIdle = !this.#wanted;
    if (!paths || this.#wanted === "all") this.#wanted = "all";
    else this.#wanted = new Set([...(this.#wanted ?? []), ...paths]);
    if (isIdle) this.#looking = this.#looking.then(() => this.#lookAt());
    return this.#looking;
  }

  /** This workspace has made a change; without a version it has removed the file. */
  made(path: string, version: string | undefined): void {
    if (!this.#known) this.#early.set(path, version);
    else if (version === undefined) this.#known.delete(path);
    else this.#known.set(path, { size: -1, modified: -1, version });
  }

  end(): void {
    this.#isEnded = true;
  }

  async #begin(): Promise<void> {
    try {
      const entries = await this.#tree.list();
      const known = new Map<string, Known>();
      for (const { path, size, modified = 0 } of entries) known.set(path, { size, modified });
      this.#known = known;
      for (const [path, version] of this.#early) this.made(path, version);
    } catch {
      // Without permission nothing can be seen. The next look tries again, and calls report the reason.
    }
  }

  async #lookAt(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (this.#isEnded || !wanted) return;
    if (!this.#known) return this.#begin();
    try {
      for (const path of wanted === "all" ? await this.#different(this.#known) : wanted) {
        if (this.#isEnded) return;
        // A file that cannot be read, such as one without permission, hides no other one.
        await this.#exclusively(path, () => this.#compare(path)).catch(() => {});
      }
    } catch {
      // As in `#begin`: a later look finds the rest.
    }
  }

  /** Returns the files that differ from what is known of them. */
  async #different(known: Map<string, Known>): Promise<string[]> {
    const entries = await this.#tree.list();
    const missing = new Set(known.keys());
    const different = [];
    for (const { path, size, modified } of entries) {
      missing.delete(path);
      const old = known.get(path);
      if (old?.size !== size || old.modified !== modified) different.push(path);
    }
    return [...different, ...missing];
  }

  async #compare(path: string): Promise<void> {
    const known = this.#known;
    if (!known) return;
    const old = known.get(path);
    const stat = await this.#tree.stat(path);
    if (!stat) {
      if (known.delete(path)) this.#tell({ path, kind: "removed", author: "outside" });
      return;
    }
    if (old && old.size === stat.size && old.modified === stat.modified) return;
    // A file that is not text has no version.
    const version = (await this.#read(path).catch(textOnly))?.version;
    known.set(path, { ...stat, version });
    if (version !== undefined && version === old?.version) return;
    this.#tell({ path, kind: "written", author: "outside", ...(version === undefined ? {} : { version }) });
  }

  #tell(change: WorkspaceChange): void {
    if (!this.#isEnded) this.#report(change);
  }
}
