/** Saves the document and its conversation shortly after they have changed. */

import type { StoredConversation } from "../assistant/stored.js";
import { SaveError, type Database, type SaveProblem } from "./database.js";
import type { CurrentDocument } from "./document-changes.js";

/** Time between a change and its saving, in milliseconds. */
const DELAY = 300;

export interface SaverOptions {
  /** Returns the current state. */
  state: () => { document: CurrentDocument; conversations: StoredConversation[] };
  /** Called with null when saving works again. */
  onProblem: (problem: SaveProblem | null) => void;
}

export class Saver {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  private failed = false;
  /** True after `pagehide`: from then on the browser aborts the page's requests, and their failures are not its state. */
  private isLeft = false;

  private ends = new AbortController();

  constructor(
    private database: Database,
    private options: SaverOptions,
  ) {
    const { signal } = this.ends;
    addEventListener(
      "pagehide",
      () => {
        void this.flush();
        this.isLeft = true;
      },
      { signal },
    );
    // The browser may keep the page and show it again.
    addEventListener(
      "pageshow",
      () => {
        this.isLeft = false;
        void this.flush();
      },
      { signal },
    );
    document.addEventListener("visibilitychange", () => document.hidden && void this.flush(), { signal });
  }

  /** Saves soon. */
  schedule(): void {
    if (!this.stopped) this.timer ??= setTimeout(() => void this.flush(), DELAY);
  }

  /** Saves what was scheduled now. */
  async flush(): Promise<void> {
    if (this.timer === undefined || this.isLeft) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const { document, conversations } = this.options.state();
    try {
      await this.database.save(document, conversations);
      if (this.failed) this.options.onProblem(null);
      this.failed = false;
    } catch (error) {
      this.failed = true;
      this.options.onProblem(error instanceof SaveError ? error.problem : "off");
    }
  }

  /** Saves once more, and nothing from then on. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.flush();
    this.ends.abort();
  }
}
