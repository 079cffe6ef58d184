// copydesk without an editor, in Node.
import { Document, init, loadMarkdown } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { schema } from "../schema.mjs";
import { applyTo } from "./copydesk.mjs";

const data = schemaData(schema);
// Only an editor knows how these nodes and marks are written in HTML.
const CUSTOM = /data-mention|data-latex|<mark/;

export default {
  name: "copydesk, headless",
  async available() {
    await init();
    await loadMarkdown();
    return true;
  },
  plays: ({ call }) => !CUSTOM.test(JSON.stringify(call)),
  run(one) {
    const document = Document.fromJSON(one.document, data, { locale: "en" });
    const outcome = applyTo(document, one);
    return { ...outcome, changes: outcome.result?.changes, doc: schema.nodeFromJSON(document.toJSON()) };
  },
};
