// The page of the runner: plays cases with one engine in real TipTap editors, `play(engine, cases)`.
import { Editor, createDocument, getHTMLFromFragment } from "@tiptap/core";
import copydesk from "./adapters/copydesk.mjs";
import naive from "./adapters/naive.mjs";
import ranges from "./adapters/ranges.mjs";
import search from "./adapters/search.mjs";
import { Step } from "@tiptap/pm/transform";
import { acceptable, judge, verdictOf } from "./judge.mjs";
import { htmlOf, withShown } from "./adapters/shown.mjs";
import { extensions, schema } from "./schema.mjs";
import { atomsOf } from "./tree.mjs";

const ENGINES = { copydesk, naive, search, ranges };

/** Plays one case in an editor of its own. */
async function playOne(engine, one) {
  const editor = new Editor({
    element: document.querySelector("#page"),
    extensions: [...extensions, ...(engine.extensions ?? [])],
    content: one.document,
  });
  try {
    const start = editor.state.doc;
    const problems = [];
    if (!start.eq(editor.schema.nodeFromJSON(one.document)))
      throw new Error(`the editor changed the document of ${one.id}: ${start}`);
    const steps = [];
    editor.on("transaction", ({ transaction }) => transaction.docChanged && steps.push(...transaction.steps));
    const outcome = { problems, ...(await engine.run(one, editor)) };
    outcome.doc = editor.state.doc;
    outcome.steps = [...steps];
    for (let times = 0; editor.can().undo() && times < 20; times += 1) editor.commands.undo();
    outcome.undone = editor.state.doc;
    return outcome;
  } finally {
    editor.destroy();
  }
}

/** Plays one case. Editors have schemas of their own; the outcome has the documents and steps in the common one. */
async function playInSchema(engine, one) {
  const outcome = await playOne(engine, one);
  const ours = (node) => node && schema.nodeFromJSON(node.toJSON());
  const steps = outcome.steps.map((step) => Step.fromJSON(schema, step.toJSON()));
  return { ...outcome, doc: ours(outcome.doc), undone: ours(outcome.undone), steps };
}

/** Returns a verdict for each case, or why the engine is not available. */
window.play = async (name, cases) => {
  const engine = ENGINES[name];
  const there = await engine.available();
  if (there !== true) return { reason: there };
  const verdicts = [];
  for (const one of cases) verdicts.push(await verdictOf(schema, one, () => playInSchema(engine, one)));
  return { verdicts };
};

/** Returns the documents of cases as HTML, with the inline atoms of contents filled in. */
window.htmlOf = (cases) =>
  cases.map((one) => {
    const html = (node) => getHTMLFromFragment(node.content, schema);
    const call = withShown(one.call, (index) => htmlOf(atomsOf(one.document)[index]));
    return {
      one: { ...one, call },
      before: html(schema.nodeFromJSON(one.document)),
      wanted: acceptable(schema, one).map(html),
    };
  });

/**
 * Judges outcomes in HTML: `{ one, outcome: { html, kept, refused? } }`. `kept` is what the engine makes of the
 * document before and of the acceptable ones; cases are left out whose documents it does not hold as they are.
 */
window.judgeHtml = (list) =>
  list.flatMap(({ one, outcome }) => {
    const read = (html) => createDocument(html, schema);
    const [before, ...wanted] = [schema.nodeFromJSON(one.document), ...acceptable(schema, one)].map((node, index) =>
      node.eq(read(outcome.kept[index])),
    );
    if (!before || !wanted.some(Boolean)) return [];
    const doc = read(outcome.html);
    return [
      {
        id: one.id,
        ...judge(schema, one, { doc, refused: outcome.refused }),
        code: outcome.refused,
        message: outcome.message,
        found: doc.toJSON(),
      },
    ];
  });
window.ready = true;
