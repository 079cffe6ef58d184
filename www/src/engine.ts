/** The load of copydesk's wasm, which the assistant needs and the editor does not. */
import { init, loadRest } from "copydesk";
import { recordsRuns } from "./session";

export type EngineState = "loading" | "ready" | "failed";

export class Engine {
  state: EngineState = "loading";
  /** The reason why it failed. */
  error: Error | null = null;
  private attempt: Promise<void> | null = null;
  private listeners = new Set<() => void>();

  /** Resolves when the wasm is loaded. After a failure, a call tries again. */
  load(): Promise<void> {
    this.attempt ??= this.start();
    return this.attempt;
  }

  /** Loads it; the reason of a failure is for developers. */
  tryLoad(): void {
    this.load().catch((error: unknown) => console.warn(error));
  }

  /** Calls `listener` now and whenever the state changes. */
  follow(listener: () => void): void {
    this.listeners.add(listener);
    listener();
  }

  private async start(): Promise<void> {
    this.become("loading", null);
    try {
      // In two parts, the first one binds the document and shows its review. Recordings need another build.
      const build = recordsRuns() ? (await import("copydesk/full")).full : (await import("copydesk/parts")).page;
      await init(undefined, build);
      await loadRest();
    } catch (error) {
      this.attempt = null;
      this.become("failed", error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    this.become("ready", null);
  }

  private become(state: EngineState, error: Error | null): void {
    if (state === this.state && error === this.error) return;
    this.state = state;
    this.error = error;
    for (const listener of this.listeners) listener();
  }
}
