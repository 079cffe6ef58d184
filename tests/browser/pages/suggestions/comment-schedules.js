// Random schedules of people who comment on one document, type, delete, split, and go offline.
//
// The oracle is a list of letters, each of which is unique: a comment is on those of its letters that nobody has deleted, and
// on no other letter that was there when it was made. It knows nothing of Yjs or positions.
import { randomFrom } from "../../../oracle/random.mjs";
import { playAll } from "./play.js";
import { roomOn } from "./served-room.js";

/** Milliseconds after which pages agree. */
const LATEST = 20_000;

async function schedule(seed, { server }) {
  const random = randomFrom(seed);
  const room = roomOn(server, seed);
  const log = [];
  try {
    const given = { comments: true };
    const people = [await room.join("Ada", given), await room.join("Bo", given)];
    const everybody = random.chance(0.3) ? [...people, await room.join("Cy", { plain: true })] : people;
    const letters = Array.from({ length: 600 }, (_, index) => String.fromCodePoint(0x4e00 + index));
    const next = (count) => letters.splice(0, count).join("");
    people[0].editor.commands.setContent(Array.from({ length: 5 }, () => `<p>${next(10)}</p>`).join(""));
    await room.settle();
    /** The letters of each comment, and the others of that moment. */
    const model = new Map();
    const places = ({ editor }) => {
      const found = [];
      editor.state.doc.descendants((node, at) => void (node.isText && [...node.text].forEach((unit, index) => found.push({ unit, at: at + index }))));
      return found;
    };
    const acts = {
      comment(peer) {
        if (peer.isPlain) return false;
        const all = places(peer);
        const start = random.below(Math.max(1, all.length - 6));
        const taken = all.slice(start, start + 1 + random.below(5));
        if (!taken.length || taken.at(-1).at - taken[0].at !== taken.length - 1) return false;
        const id = peer.comments.create({ from: taken[0].at, to: taken.at(-1).at + 1 }, { text: "x" });
        const isOn = new Set(taken.map(({ unit }) => unit));
        model.set(id, { original: [...isOn], others: all.map(({ unit }) => unit).filter((unit) => !isOn.has(unit)) });
      },
      reply(peer) {
        const thread = peer.isPlain ? undefined : random.pick(peer.comments.threads());
        if (!thread) return false;
        peer.comments.reply(thread.id, { text: peer.name });
        if (random.chance(0.3)) peer.comments[thread.state === "open" ? "resolve" : "reopen"](thread.id);
      },
      type(peer) {
        const place = random.pick(places(peer));
        if (place) peer.editor.view.dispatch(peer.editor.state.tr.insertText(next(1), place.at));
      },
      remove(peer) {
        const all = places(peer);
        const start = random.below(Math.max(1, all.length));
        const taken = all.slice(start, start + 1 + random.below(3));
        if (!taken.length || taken.at(-1).at - taken[0].at !== taken.length - 1) return false;
        peer.editor.view.dispatch(peer.editor.state.tr.delete(taken[0].at, taken.at(-1).at + 1));
      },
      split(peer) {
        // y-tiptap itself can double text that is changed at the same time as it is split.
        if (room.isWaiting) return false;
        const place = random.pick(places(peer));
        if (!place) return false;
        peer.editor.commands.setTextSelection(place.at);
        peer.editor.commands.splitBlock();
        return acts.settle();
      },
      deliver: () => room.deliver({ most: 1 + random.below(4), random }),
      async settle() {
        const state = (peer) => JSON.stringify([peer.comments.threads().map(({ comments, ...thread }) => [thread, comments.map(({ id }) => id)]), peer.editor.getJSON()]);
        let seen = [];
        // A page stores the ranges of what another one has changed some time later.
        for (const end = Date.now() + LATEST; Date.now() < end; ) {
          await room.settle();
          seen = people.map(state);
          if (new Set(seen).size === 1) return;
          await new Promise((done) => setTimeout(done, 20));
        }
        throw new Error(`they differ: ${seen.join("\n")}`);
      },
    };
    for (let step = 0; step < 30; step++) {
      const act = random.pick(["comment", "comment", "reply", "type", "type", "type", "remove", "split", "deliver", "deliver", "settle"]);
      const peer = random.pick(everybody);
      if ((await acts[act](peer)) !== false) log.push(`${peer.name} ${act}`);
    }
    await acts.settle();
    const [peer] = people;
    const threads = new Map(peer.comments.threads().map((thread) => [thread.id, thread]));
    const text = peer.editor.getText({ blockSeparator: "" });
    for (const [id, { original, others }] of model) {
      const { range } = threads.get(id) ?? {};
      if (range === undefined) return { seed, wrong: `${id} is gone`, log };
      const left = original.filter((unit) => text.includes(unit));
      const now = range ? peer.editor.state.doc.textBetween(range.from, range.to) : "";
      // What was typed in it, between letters that were deleted since, is at an end of it.
      const ends = (!text.includes(original[0]) || now.startsWith(original[0])) && (!text.includes(original.at(-1)) || now.endsWith(original.at(-1)));
      const isRight = left.every((unit) => now.includes(unit)) && !others.some((unit) => now.includes(unit)) && ends && (left.length > 0 || !range || now.length > 0);
      if (!isRight) return { seed, wrong: `a comment on ${original.join("")}, of which ${left.join("")} is left, is on ${now}`, log, text };
    }
    return { threads: model.size, ...room.disturbed };
  } catch (thrown) {
    return { seed, wrong: String(thrown.stack ?? thrown), log };
  } finally {
    room.close();
  }
}

export const commentSchedules = (seed, count, options) => playAll(schedule, seed, count, options);
