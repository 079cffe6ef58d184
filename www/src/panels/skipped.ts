/** The files that a search or a check could not read. */
import type { SkippedFiles } from "copydesk/workspace";
import { h } from "./h";
import type { Words } from "./words";

/** Shows their number in `details`, and each with its reason on demand; hides it if there are none. */
export function showSkipped(
  details: HTMLElement,
  skipped: SkippedFiles | undefined,
  words: Words,
  summary: (count: number) => string,
): void {
  const { count, files } = skipped ?? { count: 0, files: [] };
  details.hidden = count === 0;
  details.replaceChildren(
    h("summary", {}, summary(count)),
    h("ul", {}, ...files.map(({ path, code }) => h("li", {}, words.leftOut(path, code)))),
  );
}
