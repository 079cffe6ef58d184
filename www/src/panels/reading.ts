/** The progress of reading all files, before the first search or check. */
import type { ReadProgress } from "copydesk/workspace";
import { h, set } from "./h";
import type { Words } from "./words";

export class Reading {
  readonly element = h("progress", { class: "copydesk-reading", hidden: true });

  /** Returns what shows the progress, until `end` is called. */
  begin(words: Words): ReadProgress {
    return (read, files) => {
      set(this.element, { max: files, value: read, "aria-label": words.reading, title: words.readFiles(read, files) });
      this.element.hidden = read === files;
    };
  }

  end(): void {
    this.element.hidden = true;
  }
}
