// Plays cases with BlockNote: its own page applies the edits, the page of the engines reads and judges the HTML.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openEngines, openPage } from "../runner.mjs";

const dir = fileURLToPath(new URL(".", import.meta.url));
const CHUNK = 20;

/** What its schema or its HTML does not have. */
const FOREIGN = /"(mention|inlineMath|details|highlight|taskList)"/;

/** Returns `{ verdicts, reason? }` for the cases whose documents BlockNote can hold without loss, or `{ reason }`. */
export async function playBlockNote(all) {
  if (!existsSync(`${dir}node_modules`)) return { reason: "run `npm ci --ignore-scripts` in tests/fidelity/blocknote" };
  const cases = all.filter(({ document }) => !FOREIGN.test(JSON.stringify(document)));
  const engines = await openEngines();
  const page = await openPage(dir);
  const verdicts = [];
  for (let at = 0; at < cases.length; at += CHUNK) {
    const some = cases.slice(at, at + CHUNK);
    const given = await engines.page.evaluate((list) => window.htmlOf(list), some);
    const outcomes = await page.evaluate((list) => window.play(list), given);
    verdicts.push(
      ...(await engines.page.evaluate(
        (list) => window.judgeHtml(list),
        some.map((one, index) => ({ one, outcome: outcomes[index] })),
      )),
    );
  }
  return { verdicts };
}
