// Turns rules into cases. A rule states the blocks before and after an edit, and the edit in lines of those blocks; it is
// played in both languages and in several frames.
import { doc } from "./builders.mjs";
import { frame } from "./frames.mjs";
import { linesOf, sectionsOf } from "./tree.mjs";

export const LANGUAGES = { en: (en) => en, zh: (_, zh) => zh };

/** Content that contains what the engine shows a model for an inline atom: `shown(0)` is the first atom of the document. */
export const shown = (index) => `\uE000${index}\uE001`;

/**
 * Collects the cases of one class of the issue.
 *
 * `add(name, frames, make)`: `make(t, language)` returns one rule, or several with a `form` each:
 * - `before`: the blocks of the slot;
 * - `after`: the blocks after the edit, `anyOf: [blocks, …]` where several results are fair, or `refused: true`, with
 *   `codes` where the issue names the code; `append: [blocks, …]`, what may come at the end of the document;
 * - what is asked: `lines: [first, last]` of the slot with `content` (`""` deletes), `edits: [{ lines, content }]`, or
 *   `call({ line, section, count, total })` for all other operations;
 * - `refusalOk`: a clear refusal is as good; `hunks`: how many separate changes the edit must have at least;
 *   `careful`: no block that stays may be replaced.
 *
 * `whole(name, make)` is the same without a frame: `before` and `after` are all blocks of the document.
 */
export function collector(className) {
  const cases = [];
  const bare = () => ({ wrap: (slot) => slot, slot: { path: [], at: 0 }, before: [] });
  function add(name, frames, make) {
    for (const [index, [language, t]] of Object.entries(LANGUAGES).entries()) {
      const made = make(t, language);
      const rules = Array.isArray(made) ? made : [made];
      for (const [at, rule] of rules.entries()) {
        for (const frameName of framesOf(frames, rules.length, at, index)) {
          const around = frameName ? frame(frameName, t) : bare();
          const id = [className, name, rule.form, language, frameName].filter(Boolean).join(" / ");
          cases.push(caseOf({ id, className, language, around, rule }));
        }
      }
    }
  }
  return { cases, add, whole: (name, make) => add(name, [null], make) };
}

/**
 * Returns the frames for one form of a rule in one language. Languages and frames take turns: each frame is played in one
 * language; of several forms each is played in one frame; of many forms each is played in one language.
 */
function framesOf(frames, forms, form, language) {
  if (forms >= 4) return form % 2 === language ? [frames[(form >> 1) % frames.length]] : [];
  if (forms > 1) return [frames[(form + language) % frames.length]];
  return frames.length > 1 ? frames.filter((_, index) => index % 2 === language) : frames;
}

function caseOf({ id, className, language, around, rule }) {
  const document = doc(around.wrap(rule.before));
  const { path, at } = around.slot;
  const inSlot = (line) => {
    const place = line.path.slice(path.length);
    return (
      path.every((index, depth) => line.path[depth] === index) && place[0] >= at && place[0] < at + rule.before.length
    );
  };
  const all = linesOf(document);
  const first = all.findIndex(inSlot) + 1;
  const count = all.filter(inSlot).length;
  const top = path.length ? path[0] : at;
  const section = sectionsOf(document).findLastIndex(({ from }) => from <= top);
  const places = {
    line: (number) => first + number - 1,
    first,
    count,
    total: all.length,
    section,
    sections: sectionsOf(document).length,
  };
  const wrapped = (blocks) => doc(around.wrap(blocks));
  // What is appended comes after the frame.
  const appended = (blocks) => doc(around.wrap(rule.before), blocks);
  const expected = rule.append
    ? rule.append.map(appended)
    : rule.refused
      ? { refused: true, codes: rule.codes }
      : rule.anyOf
        ? rule.anyOf.map(wrapped)
        : wrapped(rule.after);
  const { refusalOk, hunks, careful } = rule;
  return {
    id,
    class: className,
    language,
    document,
    call: callOf(rule, places),
    expected,
    target: { path, from: at, to: at + rule.before.length },
    ...(refusalOk ? { refusalOk } : {}),
    ...(hunks ? { hunks } : {}),
    ...(careful ? { careful } : {}),
  };
}

function callOf(rule, places) {
  if (rule.call) return typeof rule.call === "function" ? rule.call(places) : rule.call;
  const { format } = rule;
  const edit = ({ lines: [from, to = from], content }) => ({
    start_line: places.line(from),
    end_line: places.line(to),
    content: typeof content === "function" ? content(places) : content,
    ...(format ? { format } : {}),
  });
  return { operation: "replace_lines", edits: (rule.edits ?? [rule]).map(edit) };
}
