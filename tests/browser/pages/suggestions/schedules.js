// Random schedules of two people and two agents on one document: they type, suggest, decide, comment, undo, split paragraphs,
// go offline and come back.
//
// The oracle is a naive model: a list of what is in the document (the letters that people typed, each of which is unique,
// and one word of each suggestion), with the rule for each act. It knows nothing of Yjs, hunks or positions.
import { randomFrom } from "../../../oracle/random.mjs";
import { playAll } from "./play.js";
import { roomOn } from "./served-room.js";

const LETTERS = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0x5200 + index));
const WORDS = ["Tea", "old", "leaf", "cup", "green", "black", "water", "boils"];

/** The model of one room. */
class Model {
  /** Letters that somebody typed and nobody deleted. */
  letters = new Set();
  /** Suggestions by their new word: `open`, `accepted` or `rejected`, by what was decided and by whom. */
  suggestions = new Map();
  /** Comments by their text. */
  comments = new Set();

  suggest(word) {
    this.suggestions.set(word, { id: undefined, decisions: [] });
  }

  /** A decision that a participant has made; one that is taken back is removed. */
  decide(word, who, outcome) {
    const { decisions } = this.suggestions.get(word);
    decisions.push({ who, outcome });
  }

  takeBack(word, who) {
    const suggestion = this.suggestions.get(word);
    suggestion.decisions = suggestion.decisions.filter((decision) => decision.who !== who);
  }

  /** An acceptance wins over a rejection. */
  outcome(word) {
    const { decisions } = this.suggestions.get(word);
    return decisions.some(({ outcome }) => outcome === "accepted") ? "accepted" : (decisions[0]?.outcome ?? "open");
  }

  /** Returns what is wrong with a document that everybody has received. */
  wrong({ text, pending }) {
    for (const letter of this.letters) {
      const count = text.split(letter).length - 1;
      if (count !== 1) return `${letter} is there ${count} times`;
    }
    for (const word of this.suggestions.keys()) {
      const outcome = this.outcome(word);
      const count = text.split(word).length - 1;
      if (count !== (outcome === "accepted" ? 1 : 0)) return `${word} was ${outcome} and is there ${count} times`;
      const isPending = pending.includes(word);
      if (isPending !== (outcome === "open")) return `${word} was ${outcome} and is ${isPending ? "" : "not "}pending`;
    }
    return undefined;
  }
}

/** Runs one schedule. Returns what is wrong, if anything, and how much was done. */
async function schedule(seed, { server }) {
  const random = randomFrom(seed);
  const room = roomOn(server, seed);
  const log = [];
  try {
    const people = [await room.join("Ada", { comments: true }), await room.join("Bo", { comments: true })];
    const others = random.chance(0.3) ? [await room.join("Cy", { plain: true })] : [];
    const everybody = [...people, ...others];
    people[0].editor.commands.setContent(Array.from({ length: 12 }, (_, index) => `<p>${index} ${WORDS.toSorted(() => random.below(3) - 1).join(" ")}</p>`).join(""));
    await room.settle();
    const model = new Model();
    const letters = [...LETTERS];
    let suggested = 0;
    const wordOf = ({ newText }) => /z\d+z/.exec(newText)?.[0];
    /** The last act of each participant, if it was a decision: that is what undo takes back. */
    const last = new Map();
    const isSeen = (peer) => JSON.stringify(peer.hunks().map(({ id, content, from, to, conflict }) => [id, content, to - from, conflict]));

    const acts = {
      type(peer) {
        const letter = letters.splice(random.below(letters.length), 1)[0];
        // Typing in the middle of a word that a suggestion replaces is a conflict; that is another test.
        const place = spaceIn(peer, random);
        if (place === undefined) return false;
        peer.editor.view.dispatch(peer.editor.state.tr.insertText(letter, place));
        model.letters.add(letter);
        last.delete(peer);
      },
      suggest(peer) {
        if (peer.isPlain) return false;
        // It begins and ends like none of `WORDS`: what they share stays, and then a letter that somebody else types at the
        // end of the old word at the same time is in the middle of the new one.
        const word = `z${suggested++}z`;
        // An edit beside a suggestion may become a part of it; that is another test.
        const hunks = peer.hunks();
        const isFree = ({ line }) => !hunks.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
        const line = random.pick(peer.document.lines().filter((one) => one.text && isFree(one)));
        const old = random.pick((line?.text ?? "").split(" ").filter((one) => WORDS.includes(one)));
        if (!old) return false;
        const before = new Set(hunks.map(({ id }) => id));
        try {
          peer.edit({ operation: "replace_text", old, new: random.chance(0.5) ? word : `${old} ${word}`, near_line: line.line });
        } catch (thrown) {
          if (!thrown.code) throw thrown;
          return false;
        }
        const made = peer.hunks().filter(({ id }) => !before.has(id));
        if (made.length !== 1 || wordOf(made[0]) !== word) throw new Error(`a suggestion became ${JSON.stringify(made)}`);
        model.suggest(word);
      },
      decide(peer) {
        const hunk = peer.isPlain ? undefined : random.pick(peer.hunks().filter((one) => !one.conflict && wordOf(one)));
        if (!hunk) return false;
        const outcome = random.pick(["accepted", "rejected"]);
        const untouched = () => JSON.stringify(peer.hunks().filter(({ id }) => id !== hunk.id).map(({ id, content, conflict, originalText }) => [id, content, conflict, originalText]));
        const before = untouched();
        peer.document[outcome === "accepted" ? "accept" : "reject"]({ hunk: hunk.id });
        if (untouched() !== before) throw new Error(`a decision changed another suggestion: ${before} became ${untouched()}`);
        model.decide(wordOf(hunk), peer, outcome);
        last.set(peer, wordOf(hunk));
      },
      undo(peer) {
        const word = last.get(peer);
        // What others have decided at the same time is not this participant's to take back.
        if (!word || model.suggestions.get(word).decisions.length !== 1 || room.isWaiting) return false;
        peer.undo();
        model.takeBack(word, peer);
        last.delete(peer);
      },
      split(peer) {
        const place = spaceIn(peer, random);
        if (place === undefined || room.isWaiting) return false;
        peer.editor.commands.setTextSelection(place);
        peer.editor.commands.splitBlock();
        last.delete(peer);
      },
      comment(peer) {
        if (peer.isPlain) return false;
        const blocks = [];
        peer.editor.state.doc.descendants((node, position) => void (node.isTextblock && node.content.size > 2 && blocks.push({ from: position + 1, to: position + node.content.size })));
        const range = random.pick(blocks);
        if (!range) return false;
        const text = `c${model.comments.size}`;
        peer.comments.create(range, { text });
        model.comments.add(text);
      },
      leave(peer) {
        room.leave(peer);
      },
      comeBack(peer) {
        return room.comeBack(peer);
      },
      deliver: () => room.deliver({ most: 1 + random.below(4), random }),
      pass: () => Promise.resolve(),
      async settle() {
        await room.settle();
        const peers = room.peers.filter((one) => !one.isPlain);
        if (new Set(peers.map(isSeen)).size > 1) throw new Error(`they differ: ${peers.map(isSeen).join("\n")}`);
        if (new Set(room.peers.map((one) => JSON.stringify(one.editor.getJSON()))).size > 1) throw new Error("the documents differ");
        for (const { name, comments } of people) {
          const texts = comments.threads().map(({ comments: [{ text }] }) => text);
          if (texts.toSorted().join() !== [...model.comments].toSorted().join()) throw new Error(`${name} has the comments ${texts}`);
        }
      },
    };
    const likely = ["type", "type", "type", "suggest", "suggest", "suggest", "decide", "decide", "undo", "split", "comment", "comment", "leave", "comeBack", "deliver", "deliver", "pass", "settle"];
    let done = 0;
    for (let step = 0; step < 36; step++) {
      const act = random.pick(likely);
      const peer = random.pick(everybody);
      if ((await acts[act](peer)) === false) continue;
      log.push(`${peer.name} ${act}`);
      done++;
    }
    await acts.settle();
    const [{ editor, document }] = people;
    // What is orphaned or waits is still there for everybody.
    const open = editor.storage.suggestions.list.map(({ content }) => /z\d+z/.exec(JSON.stringify(content))?.[0]);
    const wrong = model.wrong({ text: editor.getText({ blockSeparator: "\n" }), pending: open });
    if (wrong) return { seed, wrong, log, text: editor.getText(), hunks: document.hunks().map(({ newText }) => newText) };
    // A participant who comes later sees the same.
    const later = await room.join("Dee");
    await room.settle();
    if (isSeen(later) !== isSeen(people[0])) return { seed, wrong: `later: ${isSeen(later)} ${isSeen(people[0])}`, log };
    return { done, suggestions: model.suggestions.size, open: open.length, comments: model.comments.size, ...room.disturbed };
  } catch (thrown) {
    return { seed, wrong: String(thrown.stack ?? thrown), log };
  } finally {
    room.close();
  }
}

/** Returns a position in a space between two words, outside of what suggestions change. */
function spaceIn(peer, random) {
  const places = [];
  const hunks = peer.isPlain ? [] : peer.hunks();
  peer.editor.state.doc.descendants((node, position) => {
    if (node.isText) for (const { index } of node.text.matchAll(/ (?= |\S)/g)) places.push(position + index);
  });
  return random.pick(places.filter((place) => !hunks.some(({ from, to }) => from - 1 <= place && place <= to + 1)));
}

export const schedules = (seed, count, options) => playAll(schedule, seed, count, options);
