// Plays cases with crates/edit as a native program: seconds instead of a build of the package.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { loadMarkdown } from "copydesk";
import { schemaData } from "copydesk/tiptap";
import { shownIn, withShown } from "./adapters/shown.mjs";
import { verdictOf } from "./judge.mjs";
import { normalized } from "./unseen.mjs";

const PLAYER = process.env.COPYDESK_PLAYER ?? new URL("../../target/debug/examples/play", import.meta.url).pathname;

/** Starts the player for the documents of a schema. Returns `{ play, close }`: `play` returns the verdict on a case. */
export async function startPlayer(schema) {
  await loadMarkdown();
  const { markdownToHTML } = await import("../../pkg/markdown/markdown.js");
  const child = spawn(PLAYER, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (request) => child.stdin.write(`${JSON.stringify(request)}\n`);
  const html = (markdown) => {
    try {
      return { html: markdownToHTML(markdown) };
    } catch (error) {
      return { failed: error.message };
    }
  };
  const ask = async (request) => {
    say(request);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the player ended at ${JSON.stringify(request)}`);
      const answer = JSON.parse(value);
      if (answer.markdown === undefined) return answer;
      say(html(answer.markdown));
    }
  };
  const run = async (one) => {
    const { document } = one;
    const texts = new Map();
    if (JSON.stringify(one.call).includes("\uE000")) {
      for (let line = 1, last = false; !last; line += 1) {
        const { text } = await ask({ document, line });
        last = text === null;
        texts.set(line, text?.split("\n").at(-1).replace(/^\d+: /, ""));
      }
    }
    const call = withShown(one.call, shownIn(document, (line) => texts.get(line)));
    const { document: found, changes, refused, message } = await ask({ document, call });
    return { refused, message, changes, doc: schema.nodeFromJSON(normalized(found)) };
  };
  say({ schema: schemaData(schema) });
  return {
    play: (one) => verdictOf(schema, one, () => run(one)),
    async close() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}
