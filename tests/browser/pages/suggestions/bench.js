// A large shared document, for tests/bench/suggestions.mjs.
import * as Y from "yjs";
import { editorOn } from "./peers.js";

let own;
let other;

/** Makes an editor on a shared document with so many suggestions, and a participant beside it. Returns their number. */
function prepare(html, count) {
  const [document, elsewhere] = [new Y.Doc(), new Y.Doc()];
  own = editorOn(document, "Ada");
  own.commands.setContent(html);
  const bound = own.storage.copydesk.document;
  // Words that occur often enough; each of them becomes one suggestion.
  for (const word of ["the", "of", "tea", "and", "water", "leaf", "warm", "garden", "mountain", "cup", "is", "a"]) {
    const left = count - bound.hunks().length;
    if (left <= 0) break;
    const lines = bound.lines().filter(({ type, text }) => type === "paragraph" && text.includes(` ${word} `));
    const edits = lines.slice(0, left).map(({ line, text }) => ({ start_line: line, end_line: line, content: text.replace(` ${word} `, ` certainly ${word} `), format: "text" }));
    if (edits.length) bound.apply({ operation: "replace_lines", edits });
  }
  Y.applyUpdate(elsewhere, Y.encodeStateAsUpdate(document));
  document.on("update", (update, origin) => origin !== "wire" && Y.applyUpdate(elsewhere, update, "wire"));
  elsewhere.on("update", (update, origin) => origin !== "wire" && Y.applyUpdate(document, update, "wire"));
  other = elsewhere;
  const paragraphs = own.view.dom.querySelectorAll("p");
  const place = paragraphs[Math.min(40, paragraphs.length - 1)];
  place.scrollIntoView();
  own.commands.focus(own.view.posAtDOM(place, 0), { scrollIntoView: false });
  return bound.hunks().length;
}

/** Measures the next key. */
function listen() {
  benchmark.painted = undefined;
  addEventListener(
    "keydown",
    () => {
      const start = performance.now();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (benchmark.painted = performance.now() - start);
        port2.postMessage(null);
      });
    },
    { capture: true, once: true },
  );
}

/** Returns the time from an update with a key of another participant until it is in the wasm. */
async function remote() {
  const paragraph = other
    .getXmlFragment("default")
    .toArray()
    .findLast(({ nodeName }) => nodeName === "paragraph");
  const start = performance.now();
  paragraph.get(0).insert(0, "y");
  await Promise.resolve();
  own.storage.copydesk.document.version;
  return performance.now() - start;
}

export const benchmark = {
  painted: undefined,
  prepare,
  listen,
  remote,
  seen: () => ({ pending: own.storage.copydesk.document.hunks().length, text: own.getText() }),
};
