// Random schedules of people who suggest and one who edits and decides, on one document. In one half of them two people
// suggest, in the other one suggests who also splits paragraphs: changes of whole blocks by several people at the same time are
// a limit (docs/collaboration.md).
//
// The oracle is a list of letters, each of which is unique, with who has typed it and what was decided about it. It knows
// nothing of Yjs, hunks or positions.
import { randomFrom } from "../../../oracle/random.mjs";
import { playAll } from "./play.js";
import { roomOn } from "./served-room.js";

const LETTERS = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0x5200 + index));
const WORDS = ["Tea", "old", "leaf", "cup", "green", "black", "water", "boils"];
const isLetter = (unit) => unit >= "\u5200" && unit < "\u5800";
const lettersOf = (text) => [...text].filter(isLetter);

async function schedule(seed, { server }) {
  const random = randomFrom(seed);
  const room = roomOn(server, seed);
  const log = [];
  try {
    const suggesting = { options: { mode: "suggest" } };
    const splits = random.chance(0.5);
    const authors = [];
    for (const name of splits ? ["Ada"] : ["Ada", "Dee"]) authors.push(await room.join(name, suggesting));
    const bo = await room.join("Bo");
    const plain = random.chance(0.3) ? [await room.join("Cy", { plain: true })] : [];
    bo.editor.commands.setContent(Array.from({ length: 8 }, (_, index) => `<p>${index} ${WORDS.toSorted(() => random.below(3) - 1).map((word) => word + "abcdefgh"[index]).join(" ")}</p>`).join(""));
    await room.settle();
    const letters = [...LETTERS];
    /** What became of each letter: `typed` in the document, `open` in a suggestion, `accepted`, `rejected`, or `gone`: somebody
     * has deleted it, or taken it back. */
    const model = new Map();
    /** How often each letter was redone. It is another suggestion then, and the earlier one may have been accepted meanwhile.
     * Who accepts both has the letter twice, and sees that; who rejects the later one still has the earlier one. */
    const redone = new Map();
    /** The letters of each suggestion, as its author has last had them. */
    const suggested = new Map();
    /** The last decision, as long as Bo has done nothing else. */
    let last;
    const typing = (peer) => peer.editor.storage.suggestions.suggesting;
    const textOf = (editor) => editor.state.doc.textBetween(0, editor.state.doc.content.size, "\n");
    /** Letters that an act of an author removes from the text, or brings back. An acceptance wins over taking back: a letter that
     * is gone may be in the text nevertheless, and redoing inserts it once more. */
    const watched = (peer, act) => {
      const occurrences = () => Map.groupBy(lettersOf(textOf(typing(peer))), (letter) => letter);
      const before = occurrences();
      act();
      const after = occurrences();
      for (const letter of before.keys()) if (!after.has(letter)) model.set(letter, "gone");
      for (const [letter, { length }] of after) {
        if (length <= (before.get(letter)?.length ?? 0) || model.get(letter) !== "gone") continue;
        model.set(letter, "back");
        redone.set(letter, (redone.get(letter) ?? 0) + 1);
      }
    };
    const revisions = new Map();
    const remember = (peer) => {
      const [revision] = peer.document.hunkPlaces(0, 0);
      if (revisions.get(peer) === revision) return;
      revisions.set(peer, revision);
      for (const { id, newText, author } of peer.hunks()) if (author?.name === peer.name) suggested.set(id, new Set([...(suggested.get(id) ?? []), ...lettersOf(newText)]));
    };
    const acts = {
      suggest(peer) {
        const editor = typing(peer);
        const place = spaceIn(editor, peer, random);
        if (place === undefined) return false;
        const taken = letters.splice(0, 1 + random.below(3));
        for (const [index, letter] of taken.entries()) {
          editor.view.dispatch(editor.state.tr.insertText(letter, place + index));
          model.set(letter, "open");
        }
      },
      shorten(peer) {
        const editor = typing(peer);
        const places = [];
        editor.state.doc.descendants((node, at) => void (node.isText && [...node.text].forEach((_, index) => places.push(at + index))));
        const at = random.pick(places);
        const foreign = peer.hunks().some(({ proposedFrom, proposedTo, author }) => author?.name !== peer.name && proposedFrom - 1 <= at && at <= proposedTo + 1);
        if (at === undefined || foreign) return false;
        watched(peer, () => editor.view.dispatch(editor.state.tr.delete(at, at + 1)));
      },
      splitUp(peer) {
        if (!splits || room.isWaiting) return false;
        const place = spaceIn(typing(peer), peer, random);
        if (place === undefined) return false;
        typing(peer).commands.setTextSelection(place);
        typing(peer).commands.splitBlock();
        return acts.settle();
      },
      takeBack(peer) {
        watched(peer, () => random.pick(["undo", "undo", "redo"]) === "undo" ? typing(peer).commands.undo() : typing(peer).commands.redo());
      },
      pause(peer) {
        peer.editor.storage.suggestions.settle();
        remember(peer);
      },
      type(peer) {
        const place = spaceIn(peer.editor, peer, random);
        if (place === undefined) return false;
        const [letter] = letters.splice(0, 1);
        peer.editor.view.dispatch(peer.editor.state.tr.insertText(letter, place));
        model.set(letter, "typed");
        if (peer === bo) last = undefined;
      },
      decide() {
        const hunk = random.pick(bo.hunks().filter(({ conflict, linked }) => !conflict && !linked.length));
        if (!hunk) return false;
        const [before, after] = [new Set(lettersOf(hunk.originalText)), new Set(lettersOf(hunk.newText))];
        const outcome = random.pick(["accepted", "rejected"]);
        const was = new Map(model);
        // A suggestion may have letters of the text around it as well.
        for (const letter of after) if (!before.has(letter) && ["open", "back"].includes(model.get(letter))) model.set(letter, outcome);
        if (outcome === "accepted") for (const letter of before) if (!after.has(letter)) model.set(letter, "gone");
        bo.document[outcome === "accepted" ? "accept" : "reject"]({ hunk: hunk.id });
        last = { was, now: new Map(model), letters: [...before, ...after] };
      },
      undecide() {
        if (!last || room.isWaiting) return false;
        bo.undo();
        for (const letter of last.letters) if (model.get(letter) === last.now.get(letter)) model.set(letter, last.was.get(letter));
        last = undefined;
      },
      deliver: () => room.deliver({ most: 1 + random.below(4), random }),
      async settle() {
        await room.settle();
        authors.forEach(remember);
        const seen = [...authors, bo].map((peer) => JSON.stringify([peer.editor.getJSON(), peer.document.toJSON(), peer.editor.storage.suggestions.list.map(({ id, state }) => [id, state])]));
        if (new Set(seen).size > 1) throw new Error(`they differ: ${seen.join("\n")}`);
        for (const peer of authors) {
          const [has, shows] = [JSON.stringify(peer.document.toJSON()), JSON.stringify(typing(peer).getJSON())];
          if (has !== shows) throw new Error(`${peer.name} sees ${shows} of ${has}`);
        }
      },
    };
    const of = { suggest: authors, shorten: authors, splitUp: authors, takeBack: authors, pause: authors, type: [bo, ...plain] };
    const likely = ["suggest", "suggest", "suggest", "shorten", "splitUp", "takeBack", "pause", "pause", "type", "type", "decide", "decide", "undecide", "deliver", "deliver", "settle"];
    let done = 0;
    for (let step = 0; step < 40; step++) {
      const act = random.pick(likely);
      const peer = random.pick(of[act] ?? [bo]);
      if ((await acts[act](peer)) === false) continue;
      authors.forEach(remember);
      log.push(`${peer.name} ${act}`);
      done++;
    }
    await acts.settle();
    const { list } = bo.editor.storage.suggestions;
    const base = textOf(bo.editor);
    const open = list.map(({ content, original }) => ({ content: JSON.stringify(content), original: JSON.stringify(original) }));
    const decided = new Set([...bo.doc.getMap("copydesk:decisions").keys()].map((key) => key.split("/")[0]));
    for (const [letter, state] of model) {
      const count = base.split(letter).length - 1;
      const isOpen = open.some(({ content, original }) => content.includes(letter) && !original.includes(letter));
      const wrong = (what) => ({ seed, wrong: `${letter} is ${state}: ${what}`, log, base, list });
      if (count > 1 + (redone.get(letter) ?? 0)) return wrong(`it is ${count} times in the text`);
      if ((state === "typed" || state === "accepted") && !count) return wrong("it is not in the text");
      if (state === "open") {
        // A decision wins over a change of the suggestion at the same time.
        const isDecided = [...suggested].some(([id, units]) => decided.has(id) && units.has(letter));
        if (!isOpen && !isDecided) return wrong("it is in no suggestion");
        if (count && !isDecided) return wrong("it is in the text");
      }
      if (state === "rejected" && count > (redone.get(letter) ?? 0)) return wrong("it is in the text");
    }
    return { done, letters: model.size, open: open.length, ...room.disturbed };
  } catch (thrown) {
    return { seed, wrong: String(thrown.stack ?? thrown), log };
  } finally {
    room.close();
  }
}

/** Returns a position between two words that no suggestion of somebody else has changed. */
function spaceIn(editor, peer, random) {
  const places = [];
  editor.state.doc.descendants((node, position) => {
    if (node.isText) for (const { index } of node.text.matchAll(/ (?= |\S)/g)) places.push(position + index);
  });
  const isTyping = editor !== peer.editor;
  const hunks = peer.isPlain ? [] : peer.hunks().filter(({ author }) => !isTyping || author?.name !== peer.name);
  const near = ({ from, to, proposedFrom, proposedTo }, place) => (isTyping ? proposedFrom - 1 <= place && place <= proposedTo + 1 : from - 1 <= place && place <= to + 1);
  return random.pick(places.filter((place) => !hunks.some((hunk) => near(hunk, place))));
}

export const suggestingSchedules = (seed, count, options) => playAll(schedule, seed, count, options);
