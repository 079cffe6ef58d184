// copydesk with an editor.
import { CopydeskError, init, loadMarkdown } from "copydesk";
import { full } from "copydesk/full";
import { Copydesk } from "copydesk/tiptap";
import { shownIn, withShown } from "./shown.mjs";

/** Applies a call to a copydesk document. */
export function applyTo(document, one) {
  const lineOf = (line) =>
    document
      .numbered({ start: line, end: line, style: "plain" })
      .split("\n")
      .at(-1)
      .replace(/^\d+: /, "");
  const call = withShown(one.call, shownIn(one.document, lineOf));
  try {
    return { result: document.apply(call) };
  } catch (error) {
    if (!(error instanceof CopydeskError)) throw error;
    return { refused: error.code, message: error.message };
  }
}

export default {
  name: "copydesk",
  extensions: [Copydesk.configure({ locale: "en" })],
  async available() {
    await init(undefined, full);
    await loadMarkdown();
    return true;
  },
  run(one, editor) {
    const { document } = editor.storage.copydesk;
    const outcome = applyTo(document, one);
    if (JSON.stringify(document.toJSON()) !== JSON.stringify(editor.getJSON()))
      outcome.problems = ["copydesk and the editor hold different documents"];
    return outcome;
  },
};
