// The edits of the folder unseen/, which people wrote who had not read the code. Each file is one suite.
// node tests/fidelity/unseen.mjs [--only TEXT] [--failures] plays them with the package, without an editor.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Document, init, loadMarkdown } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { applyTo } from "./adapters/copydesk.mjs";
import { verdictOf } from "./judge.mjs";
import { tally } from "./tally.mjs";
import { schemas } from "./unseen/schema.mjs";

const dir = new URL("./unseen/", import.meta.url);

/** Every suite: `{ name, schema, cases }`, with cases as `{ id, class, document, call, expected, refusalOk? }`. */
export function unseen() {
  const files = readdirSync(dir).filter((file) => file.replace(".json", "") in schemas);
  return files.map((file) => {
    const name = file.replace(".json", "");
    const schema = schemas[name];
    const { documents, cases } = JSON.parse(readFileSync(new URL(file, dir), "utf8"));
    const whole = (json) => schema.nodeFromJSON(json).toJSON();
    // An expected document is given whole, or by the top-level blocks in which it differs.
    const expectedOf = (before, expected) => {
      if (expected.type) return whole(expected);
      const content = [...before.content];
      content.splice(expected.from, expected.to - expected.from, ...expected.with);
      return whole({ ...before, content });
    };
    // Documents are made when a case is played: of a sample few are.
    const read = ({ want, document, expected, ...one }) => ({
      ...one,
      get document() {
        return whole(documents[document]);
      },
      get expected() {
        if (want === "refuse") return { refused: true };
        return [expected].flat().map((other) => expectedOf(documents[document], other));
      },
      ...(want === "either" ? { refusalOk: true } : {}),
    });
    return { name, schema, cases: cases.map(read) };
  });
}

/** TipTap parses a highlight without a colour to one with an empty colour. */
export const normalized = (json) => JSON.parse(JSON.stringify(json).replaceAll('"color":""', '"color":null'));

/** Plays cases of a suite with the package. Returns the verdicts. */
export async function play({ schema, cases }) {
  await init();
  await loadMarkdown();
  const data = schemaData(schema);
  const run = (one) => {
    const document = Document.fromJSON(one.document, data, { locale: "en" });
    const outcome = applyTo(document, one);
    return { ...outcome, changes: outcome.result?.changes, doc: schema.nodeFromJSON(normalized(document.toJSON())) };
  };
  const verdicts = [];
  for (const one of cases) verdicts.push(await verdictOf(schema, one, () => run(one)));
  return verdicts;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" }, failures: { type: "boolean" } } });
  let played = 0;
  for (const suite of unseen()) {
    const chosen = new Map(suite.cases.filter(({ id }) => id.includes(values.only)).map((one) => [one.id, one]));
    const verdicts = await play({ ...suite, cases: [...chosen.values()] });
    played += verdicts.length;
    console.log(suite.name, tally(verdicts));
    if (values.failures) {
      const { showFailure } = await import("./show.mjs");
      for (const one of verdicts.filter(({ right }) => !right)) console.log(showFailure(chosen.get(one.id), one));
    }
  }
  process.exit(played ? 0 : 1);
}
