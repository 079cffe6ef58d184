/** A workspace whose errors are in the language of the page, also after the language has changed. */

import type { Locale } from "../types/index.js";
import type { ReadAllOptions, ReadFile, Workspace, WorkspaceChange } from "../types/workspace.js";

/** A workspace in one language. It is closed when another one has taken its place and its last call has ended. */
class Opened {
  private calls = 0;
  private isReplaced = false;

  constructor(readonly workspace: Workspace) {}

  /** Notes a call under way. Returns the function that ends it. */
  hold(): () => void {
    this.calls++;
    return () => {
      this.calls--;
      if (this.isReplaced && !this.calls) void this.workspace.close();
    };
  }

  replaced(): void {
    const end = this.hold();
    this.isReplaced = true;
    end();
  }
}

export class LocalizedWorkspace implements Workspace {
  private opened: Opened;
  private language: Locale;
  private listeners = new Set<(change: WorkspaceChange) => void>();
  private endWatch: (() => void) | null = null;
  private isClosed = false;

  /** `create` opens the workspace in a language. `onError` is called with every failure. */
  constructor(
    private create: (locale: Locale) => Workspace,
    private locale: () => Locale,
    private onError: (error: unknown) => void = () => {},
  ) {
    this.language = locale();
    this.opened = new Opened(create(this.language));
  }

  /** Opens the workspace again if the language is another one now. */
  localeChanged(): void {
    if (this.locale() !== this.language) this.reopen();
  }

  /** Opens the workspace again: in the language of the page, and with the permission that there is now. */
  reopen(): void {
    if (this.isClosed) return;
    const before = this.opened;
    this.endWatch?.();
    this.endWatch = null;
    this.language = this.locale();
    this.opened = new Opened(this.create(this.language));
    before.replaced();
    this.follow();
  }

  get name(): string {
    return this.opened.workspace.name;
  }

  read: Workspace["read"] = (...given) => this.call((files) => files.read(...given));
  write: Workspace["write"] = (...given) => this.call((files) => files.write(...given));
  list: Workspace["list"] = () => this.call((files) => files.list());
  remove: Workspace["remove"] = (...given) => this.call((files) => files.remove(...given));
  rename: Workspace["rename"] = (...given) => this.call((files) => files.rename(...given));
  versions: Workspace["versions"] = (...given) => this.call((files) => files.versions(...given));
  readVersion: Workspace["readVersion"] = (...given) => this.call((files) => files.readVersion(...given));
  restore: Workspace["restore"] = (...given) => this.call((files) => files.restore(...given));
  search: Workspace["search"] = (...given) => this.call((files) => files.search(...given));
  check: Workspace["check"] = (...given) => this.call((files) => files.check(...given));

  watch(listener: (change: WorkspaceChange) => void): () => void {
    const subscription = (change: WorkspaceChange) => listener(change);
    this.listeners.add(subscription);
    this.follow();
    return () => {
      this.listeners.delete(subscription);
      if (this.listeners.size) return;
      this.endWatch?.();
      this.endWatch = null;
    };
  }

  async *readAll(options?: ReadAllOptions): AsyncIterable<ReadFile[]> {
    const end = this.opened.hold();
    try {
      yield* this.opened.workspace.readAll(options);
    } catch (error) {
      this.onError(error);
      throw error;
    } finally {
      end();
    }
  }

  close(): Promise<void> {
    this.isClosed = true;
    this.listeners.clear();
    return this.opened.workspace.close();
  }

  private follow(): void {
    if (!this.listeners.size) return;
    this.endWatch ??= this.opened.workspace.watch((change) => {
      for (const listener of [...this.listeners]) listener(change);
    });
  }

  private async call<T>(run: (workspace: Workspace) => Promise<T>): Promise<T> {
    const { opened } = this;
    const end = opened.hold();
    try {
      return await run(opened.workspace);
    } catch (error) {
      this.onError(error);
      throw error;
    } finally {
      end();
    }
  }
}
