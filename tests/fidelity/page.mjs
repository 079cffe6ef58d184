// The page of the runner: plays cases with one engine in real TipTap editors, `play(engine, cases)`.
import { Editor } from "@tiptap/core";
import copydesk from "./adapters/copydesk.mjs";
import naive from "./adapters/naive.mjs";
import ranges from "./adapters/ranges.mjs";
import search from "./adapters/search.mjs";
import { Step } from "@tiptap/pm/transform";
import { judge } from "./judge.mjs";
import { extensions, schema } from "./schema.mjs";

const ENGINES = { copydesk, naive, search, ranges };

/** Plays one case in an editor of its own. */
async function playOne(engine, one) {
  const editor = new Editor({ element: document.querySelector("#page"), extensions: [...extensions, ...(engine.extensions ?? [])], content: one.document });
  try {
    const start = editor.state.doc;
    const problems = [];
    if (!start.eq(editor.schema.nodeFromJSON(one.document))) throw new Error(`the editor changed the document of ${one.id}: ${start}`);
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

/** Returns a verdict for each case, or why the engine is not available. */
window.play = async (name, cases) => {
  const engine = ENGINES[name];
  const there = await engine.available();
  if (there !== true) return { reason: there };
  const verdicts = [];
  for (const one of cases) {
    try {
      const outcome = await playOne(engine, one);
      // Editors have schemas of their own; documents are compared in one.
      const ours = (node) => node && schema.nodeFromJSON(node.toJSON());
      const steps = outcome.steps.map((step) => Step.fromJSON(schema, step.toJSON()));
      const moved = { ...outcome, doc: ours(outcome.doc), undone: ours(outcome.undone), steps };
      verdicts.push({ id: one.id, ...judge(schema, one, moved), code: outcome.refused, message: outcome.message, found: outcome.doc.toJSON() });
    } catch (error) {
      verdicts.push({ id: one.id, verdict: "wrong", right: false, problems: [`thrown: ${error.stack}`], found: null });
    }
  }
  return { verdicts };
};

window.ready = true;
