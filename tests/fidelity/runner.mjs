// Plays cases with engines: those of the page in Chromium, the headless one in Node.
import { fileURLToPath } from "node:url";
import { buildPage, serve, theBrowser } from "../browser/serving.mjs";
import { soundness, verdictOf } from "./judge.mjs";
import { schema } from "./schema.mjs";

const CHUNK = 50;

/** Builds the page of a folder, and opens it. */
export async function openPage(dir) {
  const { url } = await serve(await buildPage(dir));
  const context = await (await theBrowser()).newContext();
  const page = await context.newPage();
  page.on("pageerror", (error) => console.error(`the page threw: ${error.stack ?? error}`));
  // Images of the documents do not exist.
  await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
  await page.goto(url);
  await page.waitForFunction(() => window.ready);
  return page;
}

/**
 * Opens the page of the engines. Returns it with `play(engine, cases)`, which returns `{ verdicts }` or `{ reason }`.
 */
export async function openEngines() {
  const page = await openPage(fileURLToPath(new URL(".", import.meta.url)));
  return {
    page,
    async play(engine, cases) {
      const verdicts = [];
      for (let at = 0; at < cases.length; at += CHUNK) {
        const made = await page.evaluate(
          ([name, some]) => window.play(name, some),
          [engine, cases.slice(at, at + CHUNK)],
        );
        if (made.reason) return made;
        verdicts.push(...made.verdicts);
      }
      return { verdicts };
    },
  };
}

/** Plays cases in Node, without an editor. */
export async function playHeadless(engine, cases) {
  const there = await engine.available();
  if (there !== true) return { reason: there };
  const verdicts = [];
  for (const one of cases.filter(engine.plays ?? (() => true))) {
    verdicts.push(await verdictOf(schema, one, () => engine.run(one)));
  }
  return { verdicts };
}

/** Returns the cases that are not sound, with the reasons; two cases of one id are not. */
export function unsound(cases) {
  const ids = new Set();
  return cases.flatMap((one) => {
    const problems = soundness(schema, one);
    if (ids.has(one.id)) problems.push("the id is used twice");
    ids.add(one.id);
    return problems.length ? [[one.id, problems]] : [];
  });
}
