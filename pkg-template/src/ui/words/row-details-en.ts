/** English words of the details of a tool row. `row-details-zh.ts` has the same keys. */

import { englishNumber as grouped } from "./numbers.js";

export const rowDetails = {
  reasons: {
    rejected: "You did not allow this change.",
    stale: "The text was changed meanwhile. It stays as it is.",
    tool_blocked: "This page does not allow this.",
    not_run: "The run was stopped before this step.",
  } as Record<string, string>,
  showInDocument: "Show in the document",
  verdicts: { accepted: "Accepted", rejected: "Rejected" },
  formattingOnly: "Formatting",
  moreChanges: (count: number) => `${grouped(count)} more change${count === 1 ? "" : "s"}`,
};

export type RowDetailWords = typeof rowDetails;
