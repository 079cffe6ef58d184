// Two editors on one shared document, one with an agent.
import Collaboration from "@tiptap/extension-collaboration";
import { HocuspocusProvider } from "@hocuspocus/provider";
import { Agent } from "copydesk";
import * as Y from "yjs";
import { randomFrom } from "../../../oracle/random.mjs";
import { CONFIG, answer, newEditor } from "./editors.js";
import { User, isTyped } from "./user.js";

const starter = { undoRedo: false };
const shared = (document, element) => newEditor({ element, starter, extensions: [Collaboration.configure({ document })] });
const json = (editor) => JSON.stringify(editor.getJSON());

const LINES = ["Tea is old.", "One leaf and two.", "Green tea and black tea.", "Water that boils.", "A cup."];

/**
 * Sequences in which an agent edits in one editor while somebody types in the other, and updates travel late and in parts.
 * Returns the first failure, and how the agent's calls ended.
 */
export async function together(seed, count) {
  const said = { applied: 0, stale: 0 };
  for (let index = 0; index < count; index++) {
    const random = randomFrom(seed + index);
    const docs = [new Y.Doc(), new Y.Doc()];
    const waiting = [];
    docs.forEach((doc, at) => doc.on("update", (update, origin) => origin !== "wire" && waiting.push([docs[1 - at], update])));
    const deliver = (most = waiting.length) => waiting.splice(0, most).forEach(([to, update]) => Y.applyUpdate(to, update, "wire"));
    const [one, two] = [shared(docs[0], "#page"), shared(docs[1], "#other")];
    try {
      one.commands.setContent(LINES.map((line) => `<p>${line}</p>`).join("") + "<ul><li>first</li><li>second</li></ul>");
      deliver();
      const [typist, neighbour] = [new User(random, two, 0, 2), new User(random, one, 1, 2)];
      // Whatever results have shown since, the model refers to the lines that it read, where nobody had typed.
      let known = [];
      const edit = () => {
        const { line, text, version } = random.pick(known);
        const words = text.split(" ");
        const old = random.pick(words);
        if (random.chance(0.5)) return ["replace_text", { old, new: "other", near_line: line, version }];
        const content = words.with(random.below(words.length), random.pick(["new", "newer words", "x"])).join(" ");
        return ["edit_current_editor_document", { start_line: line, end_line: line, content, format: "text", version }];
      };
      let turns = random.times(4, 7, () => 0).length;
      const fetch = async () => {
        // While the model thinks, both users type, and the connection is slow.
        for (let acts = random.below(4); acts > 0; acts--) random.pick([typist, typist, neighbour])[random.pick(["type", "typeAtEdge"])]();
        if (random.chance(0.6)) deliver(1 + random.below(4));
        turns -= 1;
        return answer(turns > 0 ? [known.length ? edit() : ["read_lines", {}]] : []);
      };
      const agent = new Agent({ document: one, llmConfig: CONFIG, fetch });
      agent.subscribe((event) => {
        if (event.type !== "tool_result") return;
        const boundDocument = one.storage.copydesk.document;
        if (event.toolName === "read_lines") {
          known = boundDocument.lines().filter(({ text }) => text && !isTyped(text)).map((line) => ({ ...line, version: boundDocument.version }));
        } else {
          const name = event.isError ? event.content.error.code : "applied";
          said[name] = (said[name] ?? 0) + 1;
        }
      });
      await agent.prompt("Go");
      deliver();
      const wrong = typist.wrong(one) ?? typist.wrong(two) ?? neighbour.wrong(one) ?? neighbour.wrong(two);
      if (wrong) return { wrong: { seed: seed + index, wrong, one: one.getText(), two: two.getText() }, said };
      if (json(one) !== json(two)) return { wrong: { seed: seed + index, wrong: "they differ", one: json(one), two: json(two) }, said };
    } finally {
      [one, two].forEach((editor) => editor.destroy());
    }
  }
  return { wrong: null, said };
}

/** Creates an editor on a document that the server at `url` shares; `agent(calls)` runs an agent that makes these calls. */
export async function sharedBy(url, name) {
  const document = new Y.Doc();
  const provider = new HocuspocusProvider({ url, name, document });
  await new Promise((done) => provider.on("synced", done));
  const editor = shared(document, "#page");
  window.shared = {
    editor,
    async agent(calls) {
      const turns = [[["read_lines", {}]], ...calls.map((call) => [call]), []];
      const agent = new Agent({ document: editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift()) });
      const codes = [];
      agent.subscribe((event) => event.type === "tool_result" && codes.push(event.isError ? event.content.error.code : "applied"));
      await agent.prompt("Go");
      return codes;
    },
    offline: () => provider.disconnect(),
    online: () => provider.connect(),
    close() {
      provider.destroy();
      editor.destroy();
    },
  };
}
