// Plays the edits of unseen/edits.json, which people wrote who had not read the code, without an editor.
// node tests/fidelity/unseen.mjs [--only TEXT] [--failures]
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Document, init, loadMarkdown } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { applyTo } from "./adapters/copydesk.mjs";
import { verdictOf } from "./judge.mjs";
import { tally } from "./tally.mjs";
import { schema } from "./unseen/schema.mjs";

const { documents, cases: stored } = JSON.parse(readFileSync(new URL("./unseen/edits.json", import.meta.url), "utf8"));
const whole = (json) => schema.nodeFromJSON(json).toJSON();

/** Every case: `{ id, class, document, call, expected, refusalOk? }`. */
export const cases = stored.map(({ want, document, expected, ...one }) => ({
  ...one,
  document: whole(documents[document]),
  expected: want === "refuse" ? { refused: true } : whole(expected),
  ...(want === "either" ? { refusalOk: true } : {}),
}));

/** Plays some cases. Returns the verdicts. */
export async function play(some = cases) {
  await init();
  await loadMarkdown();
  const data = schemaData(schema);
  const run = (one) => {
    const document = Document.fromJSON(one.document, data, { locale: "en" });
    const outcome = applyTo(document, one);
    return { ...outcome, changes: outcome.result?.changes, doc: schema.nodeFromJSON(document.toJSON()) };
  };
  const verdicts = [];
  for (const one of some) verdicts.push(await verdictOf(schema, one, () => run(one)));
  return verdicts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" }, failures: { type: "boolean" } } });
  const chosen = new Map(cases.filter(({ id }) => id.includes(values.only)).map((one) => [one.id, one]));
  const verdicts = await play([...chosen.values()]);
  console.log(tally(verdicts));
  if (values.failures) {
    const { showFailure } = await import("./show.mjs");
    for (const one of verdicts.filter(({ right }) => !right)) console.log(showFailure(chosen.get(one.id), one));
  }
  process.exit(verdicts.length ? 0 : 1);
}
