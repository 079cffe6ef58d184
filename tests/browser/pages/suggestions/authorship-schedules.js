// Random schedules of a person and an agent in one document.
//
// The oracle is a list of characters, each with who has written it. It knows nothing of ProseMirror, steps or Yjs: it replays
// what was typed, deleted and accepted, and keeps the lists of before for undo and redo.
import { Agent } from "copydesk";
import { randomFrom } from "../../../oracle/random.mjs";
import { answer, CONFIG } from "../edits/editors.js";
import { playAll } from "./play.js";
import { roomOn } from "./served-room.js";

const WORDS = ["Tea", "old", "leaf", "cup", "green", "black", "water", "boils"];

/** Characters of the text of an editor, with their positions. */
function charactersOf({ state: { doc } }) {
  const found = [];
  doc.descendants((node, at) => void (node.isText && [...node.text].forEach((unit, index) => found.push({ unit, at: at + index }))));
  return found;
}

/** Who has written each character, by the editor. */
export function writtenBy(editor) {
  const ranges = window.authorship.authorshipOf(editor);
  // Of two spaces beside a new word either may be the new one.
  return charactersOf(editor).filter(({ unit }) => unit !== " ").map(({ unit, at }) => unit + (ranges.some(({ from, to }) => from <= at && at < to) ? "1" : "0"));
}

async function schedule(seed, { server }) {
  const random = randomFrom(seed);
  const isShared = random.chance(0.5) || !!server;
  const room = roomOn(server, seed);
  const log = [];
  try {
    const given = { authorship: true, ...(isShared ? {} : { alone: true }) };
    const peers = isShared ? [await room.join("Ada", given), await room.join("Bo", given)] : [await room.join("Ada", given)];
    const [ada] = peers;
    ada.editor.commands.setContent(Array.from({ length: 5 }, (_, index) => `<p>${index} ${WORDS.toSorted(() => random.below(3) - 1).map((word) => word + "abcde"[index]).join(" ")}</p>`).join(""));
    await room.settle();
    /** Characters with "1" for the agent and "0" for people; blocks do not count. */
    let model = charactersOf(ada.editor).map(({ unit }) => unit + "0");
    const wordsAt = (editor) => {
      const found = [];
      let at = 0;
      editor.state.doc.descendants((node) => {
        if (!node.isText) return;
        for (const { 0: word, index } of node.text.matchAll(/[A-Za-z\d]+/g)) found.push({ word, at: at + index });
        at += node.text.length;
      });
      return found;
    };
    const expected = () => model.filter((unit) => unit[0] !== " ");
    const turns = [];
    const agents = new Map(
      peers.map((peer) => {
        const agent = new Agent({ document: peer.editor, llmConfig: CONFIG, fetch: async () => answer(turns.shift() ?? []) });
        window.authorship.followAuthor(peer.editor, agent, { name: "Robot", model: "m", provider: "p" });
        return [peer, agent];
      }),
    );
    let typed = 0;
    let suggested = 0;
    /** The models of before each step of the history of the person who acts, and those that were undone. */
    let [done, undone] = [[], []];
    const acted = () => {
      done.push([...model]);
      undone = [];
    };
    /** Yjs itself can give pages different text when a join or a move is undone. */
    const joined = (peer) => {
      stopGroup(peer);
      if (!isShared) return;
      [done, undone] = [[], []];
      clearHistory(peer);
    };
    const acts = {
      type(peer) {
        const all = charactersOf(peer.editor);
        const index = random.below(all.length);
        const unit = String.fromCodePoint(0x5200 + typed++);
        // A step of its own in the history.
        stopGroup(peer);
        acted();
        peer.editor.view.dispatch(peer.editor.state.tr.insertText(unit, all[index].at));
        model.splice(index, 0, unit + "0");
      },
      remove(peer) {
        const all = charactersOf(peer.editor);
        const index = random.below(all.length - 4);
        const count = 1 + random.below(4);
        if (all[index + count - 1].at - all[index].at !== count - 1) return false;
        stopGroup(peer);
        acted();
        peer.editor.view.dispatch(peer.editor.state.tr.delete(all[index].at, all[index + count - 1].at + 1));
        // y-tiptap finds a deletion by the texts before and after: of equal letters at both ends of it, the first one is left in
        // the room.
        const before = [...model];
        model.splice(index, count);
        const isNext = (by) => all[index + count + by]?.at === all[index].at + count + by && all[index + count + by].unit === all[index + by].unit;
        for (let by = 0; isShared && isNext(by); by++) model[index + by] = before[index + by];
      },
      async accept(peer) {
        const picked = random.pick(wordsAt(peer.editor).filter(({ word }) => WORDS.some((one) => word.startsWith(one))));
        // What was undone is pending again.
        if (!picked || peer.hunks().length) return false;
        const old = model.slice(picked.at, picked.at + picked.word.length).map((one) => one[0]).join("");
        if (peer.editor.getText().split(old).length !== 2) return false;
        const words = `W${suggested}w${random.chance(0.5) ? ` V${suggested}v` : ""}`;
        suggested++;
        const isAdded = random.chance(0.5);
        turns.push([["replace_text", { old, new: isAdded ? `${old} ${words}` : words }]], []);
        await agents.get(peer).prompt("Edit");
        turns.length = 0;
        if (!peer.hunks().length) return false;
        acted();
        peer.document.accept("all");
        const added = [...words].map((unit) => unit + "1");
        if (isAdded) model.splice(picked.at + old.length, 0, " 1", ...added);
        else model.splice(picked.at, old.length, ...added);
      },
      split(peer) {
        const all = charactersOf(peer.editor);
        const { at } = random.pick(all);
        stopGroup(peer);
        acted();
        peer.editor.commands.setTextSelection(at);
        peer.editor.commands.splitBlock();
        stopGroup(peer);
      },
      join(peer) {
        const { doc } = peer.editor.state;
        if (doc.childCount < 2) return false;
        let start = 1;
        for (let left = 1 + random.below(doc.childCount - 1), index = 0; left > 0; left--, index++) start += doc.child(index).nodeSize;
        stopGroup(peer);
        acted();
        peer.editor.commands.setTextSelection(start);
        peer.editor.commands.joinBackward();
        joined(peer);
      },
      move(peer) {
        // A paragraph, as it is dragged: one transaction.
        const { doc, tr } = peer.editor.state;
        if (doc.childCount < 2) return false;
        const blocks = Array.from({ length: doc.childCount }, (_, index) => doc.child(index));
        const from = random.below(blocks.length);
        const [block] = blocks.splice(from, 1);
        const to = random.below(blocks.length + 1);
        if (to === from) return false;
        const size = (count) => blocks.slice(0, count).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
        const letters = (count) => blocks.slice(0, count).reduce((sum, { textContent }) => sum + textContent.length, 0);
        stopGroup(peer);
        acted();
        peer.editor.view.dispatch(tr.delete(size(from), size(from) + block.nodeSize).insert(size(to), block));
        joined(peer);
        const moved = model.splice(letters(from), block.textContent.length);
        model.splice(letters(to), 0, ...moved);
      },
      load(peer) {
        stopGroup(peer);
        // In a room this changes nothing, and is no step.
        if (!isShared) acted();
        peer.editor.commands.setContent(peer.editor.getJSON());
        stopGroup(peer);
      },
      undo(peer) {
        if (!done.length) return false;
        undone.push([...model]);
        model = done.pop();
        peer.editor.commands.undo();
      },
      redo(peer) {
        if (!undone.length) return false;
        done.push([...model]);
        model = undone.pop();
        peer.editor.commands.redo();
      },
    };
    let peer = ada;
    for (let step = 0; step < 25; step++) {
      if (peers.length > 1 && random.chance(0.2)) {
        peer = random.pick(peers);
        // The history is that of one person.
        [done, undone] = [[], []];
        clearHistory(peer);
      }
      const act = random.pick(["type", "type", "remove", "accept", "accept", "split", "join", "move", "load", "undo", "undo", "redo"]);
      if ((await acts[act](peer)) === false) continue;
      log.push(`${peer.name} ${act}`);
      await Promise.resolve();
      await room.settle();
      for (const one of peers) {
        const [seen, meant] = [writtenBy(one.editor), expected()];
        const at = seen.findIndex((unit, index) => unit !== meant[index]);
        if (at >= 0 || seen.length !== meant.length) return { seed, wrong: `${one.name} has ${seen.slice(Math.max(0, at - 5), at + 20).join("")}, not ${meant.slice(Math.max(0, at - 5), at + 20).join("")}`, log, isShared };
      }
    }
    if (!isShared) {
      const { stored } = ada.editor.storage.authorship;
      const again = await room.join("Again", { ...given, content: ada.editor.getJSON(), stored: JSON.parse(JSON.stringify(stored)) });
      if (writtenBy(again.editor).join() !== expected().join()) return { seed, wrong: "it is other when it is loaded", log };
    } else {
      const later = await room.join("Dee", given);
      await room.settle();
      if (writtenBy(later.editor).join() !== expected().join()) return { seed, wrong: "it is other for who comes later", log };
    }
    return { agent: model.filter((one) => one[1] === "1").length, ...room.disturbed };
  } catch (thrown) {
    return { seed, wrong: String(thrown.stack ?? thrown), log };
  } finally {
    room.close();
  }
}

/** Ends the group of the history, so that each act is a step of its own. */
function stopGroup({ editor }) {
  const manager = editor.state["y-undo$"]?.undoManager;
  if (manager) manager.stopCapturing();
  else editor.view.dispatch(window.closeHistory(editor.state.tr));
}

function clearHistory({ editor }) {
  editor.state["y-undo$"]?.undoManager.clear();
}

export const authorshipSchedules = (seed, count, options) => playAll(schedule, seed, count, options);
