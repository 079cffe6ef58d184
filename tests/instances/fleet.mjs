// Instances of a route in processes of their own, which are killed, hung and closed.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("instance.mjs", import.meta.url));

/** The faults of an instance. */
export const FAULTS = ["killed", "closed", "hung"];

export class Fleet {
  #settings;
  #instances = new Map();
  /** The faults so far, by their kind. */
  faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0]));
  /** The instances that are away. */
  #away = new Set();
  #isOver = false;

  constructor(settings) {
    this.#settings = settings;
  }

  /** Starts an instance on each port. */
  async start(ports) {
    await Promise.all(ports.map((port, at) => this.#launch(String.fromCharCode(65 + at), port)));
  }

  async #launch(name, port) {
    const child = fork(PROGRAM, [JSON.stringify({ ...this.#settings, name, port })], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#instances.set(name, { child, port });
    await new Promise((ready, failed) => {
      child.once("message", ready);
      child.once("exit", (code) => (this.#isOver ? ready() : failed(new Error(`an instance ended with ${code}`))));
    });
  }

  /** The first kind of fault that has not happened yet. */
  get missing() {
    return FAULTS.find((fault) => this.faults[fault] === 0);
  }

  /** Removes an instance and starts another one in its place, unless one is being replaced. The kind of the fault is one that
   * has not happened yet, or `fault` if all have. */
  async fail(name, fault) {
    if (this.#isOver || this.#away.size > 0) return;
    this.#away.add(name);
    fault = this.missing ?? fault;
    this.faults[fault] += 1;
    const { child, port } = this.#instances.get(name);
    if (fault === "hung") await this.#hang(child);
    else {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(fault === "killed" ? "SIGKILL" : "SIGTERM");
      await ended;
      if (!this.#isOver) await this.#launch(name, port);
    }
    this.#away.delete(name);
  }

  /** Stops a process for longer than its leases last. */
  async #hang(child) {
    child.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 2 * this.#settings.lease));
    child.kill("SIGCONT");
  }

  end() {
    this.#isOver = true;
    for (const { child } of this.#instances.values()) child.kill("SIGKILL");
  }
}
