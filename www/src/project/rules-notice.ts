/** Asks the user which rules in the files of a folder the assistant may follow. */
import type { Layout } from "../layout";
import type { RuleFile } from "copydesk/ui";

/** The user's decision about files with the texts that the question was about. */
type Decide = (files: readonly RuleFile[], isUsed: boolean) => void;

/** Asks about the files that have not been decided, with their names; shows nothing if there are none. */
export function askForConsent(layout: Layout, folder: string, files: readonly RuleFile[], decide: Decide): void {
  const { notices, side } = layout;
  const asked = files.filter(({ consent }) => consent === "asked");
  if (!asked.length) return notices.remove("rules");
  const names = asked.map(({ path }) => path);
  notices.show("rules", (m) => m.plugins.rulesFound(folder, names), [
    { name: (m) => m.plugins.readRules, run: () => (layout.showSide(), void side.show("assistant")) },
    { name: (m) => m.plugins.useRules, run: () => decide(asked, true) },
    { name: (m) => m.plugins.refuseRules, run: () => decide(asked, false) },
  ]);
}
