/** Server-sent events in a stream of bytes. */

/** One event: its last id, its name and its data. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads as an `EventSource` does: any line ends, any split, comments and unknown fields are ignored. */
export class ServerEventReader {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #id = "";
  #event = "";
  #data: string[] = [];

  /** Returns the events that these bytes complete. */
  read(bytes: Uint8Array): ServerEvent[] {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const events: ServerEvent[] = [];
    const end = /\r\n|\n|\r(?!$)/g;
    let from = 0;
    for (let match = end.exec(this.#rest); match; match = end.exec(this.#rest)) {
      const line = this.#rest.slice(from, match.index);
      from = end.lastIndex;
      if (line) this.#field(line);
      else if (this.#data.length) {
        events.push({ id: this.#id, event: this.#event || "message", data: this.#data.join("\n") });
        this.#data = [];
        this.#event = "";
      } else this.#event = "";
    }
    this.#rest = this.#rest.slice(from);
    return events;
  }

  #field(line: string): void {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#event = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
  }
}
