// Participants of a room in one page, whose updates travel when a test says so.
import { Editor } from "@tiptap/core";
import Collaboration from "@tiptap/extension-collaboration";
import Image from "@tiptap/extension-image";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { Authorship } from "copydesk/authorship";
import { Comments } from "copydesk/comments";
import { sharedAuthorship, sharedComments, Suggestions } from "copydesk/suggestions";
import { Copydesk } from "copydesk/tiptap";
import * as Y from "yjs";

/** Creates an editor on a shared document; `plain` without copydesk. */
export function editorOn(document, name, { plain = false, comments = false, authorship = false, alone = false, stored = null, content, options = {}, copydesk = {}, collaboration = { document }, element = window.document.createElement("div") } = {}) {
  if (!element.isConnected) window.document.querySelector("#pages").append(element);
  const extensions = [StarterKit.configure({ trailingNode: false, link: { autolink: false }, ...(!alone && { undoRedo: false }) }), Image, TableKit];
  if (!alone) extensions.push(Collaboration.configure(collaboration));
  if (!plain) extensions.push(Copydesk.configure({ mode: "review", ...copydesk }), Suggestions.configure({ document: alone ? null : document, user: { id: name.toLowerCase(), name, color: "#2b5bd7" }, ...options }));
  if (comments) extensions.push(Comments.configure({ shared: sharedComments({ document }), user: { id: name.toLowerCase(), name } }));
  if (authorship) extensions.push(Authorship.configure({ shared: alone ? null : sharedAuthorship({ document }), stored, user: { id: name.toLowerCase(), name } }));
  return new Editor({ element, extensions, ...(content && { content }) });
}

/** Creates the document of the next participant of a room. */
export function documentFor(room) {
  const doc = new Y.Doc();
  // Of two changes at one position the lower id is first.
  doc.clientID = room.peers.length + 1;
  return doc;
}

/** A participant: its document and editor. */
export class Peer {
  constructor(name, doc, given) {
    this.name = name;
    this.doc = doc;
    this.editor = editorOn(this.doc, name, given);
    this.isPlain = given?.plain === true;
  }

  get document() {
    return this.editor.storage.copydesk.document;
  }

  /** Makes an edit of the agent of this participant. */
  edit(update) {
    return this.document.apply(update);
  }

  replace(old, text) {
    return this.edit({ operation: "replace_text", old, new: text });
  }

  html() {
    return this.editor.getHTML();
  }

  proposed() {
    return this.document.toHTML();
  }

  hunks() {
    return this.document.hunks();
  }

  get comments() {
    return this.editor.storage.comments;
  }

  /** The texts of all threads; null for those whose text was deleted. */
  commented() {
    return this.comments.threads().map(({ range }) => range && this.editor.state.doc.textBetween(range.from, range.to));
  }

  /** What all participants have to agree on. */
  seen() {
    return JSON.stringify([this.editor.getJSON(), ...(this.isPlain ? [] : [this.hunks().map(({ turnIds: _, foundBy: __, linked, author, ...hunk }) => ({ ...hunk, linked: [...linked].sort(), author }))])]);
  }

  undo() {
    this.editor.commands.undo();
  }
}

/** Settles what the pages of participants do in microtasks. */
export function settlePages(peers) {
  for (const peer of peers) if (!peer.isPlain) peer.editor.storage.suggestions.settle();
}

/** Removes the editors of participants. */
export function closePages(peers) {
  for (const { editor } of peers) editor.destroy();
  window.document.querySelector("#pages").replaceChildren();
}

/** A room in one page. Updates wait at each participant until they are delivered. */
export class Room {
  peers = [];
  /** Participants whose updates wait, in both directions, until they are back. */
  #offline = new Set();
  #waiting = [];

  get isWaiting() {
    return this.#waiting.length > 0;
  }

  join(name, given) {
    const peer = new Peer(name, documentFor(this), given);
    for (const other of this.peers) Y.applyUpdate(peer.doc, Y.encodeStateAsUpdate(other.doc), "wire");
    peer.doc.on("update", (update, origin) => {
      if (origin === "wire") return;
      for (const to of this.peers) if (to !== peer) this.#waiting.push({ from: peer, to, update });
    });
    this.peers.push(peer);
    return peer;
  }

  leave(peer) {
    this.#offline.add(peer);
  }

  /** Returns false for a participant who is there. */
  comeBack(peer) {
    return this.#offline.delete(peer);
  }

  /** Delivers waiting updates: those for a participant, at most so many, in an order that `random` picks. */
  deliver({ to, most = Infinity, random } = {}) {
    for (let left = most; left > 0; left--) {
      const found = this.#waiting.map((_, index) => index).filter((index) => this.#isDeliverable(this.#waiting[index], to));
      if (!found.length) return;
      const [{ to: peer, update }] = this.#waiting.splice(random ? random.pick(found) : found[0], 1);
      Y.applyUpdate(peer.doc, update, "wire");
    }
  }

  #isDeliverable(waiting, to) {
    return (!to || waiting.to === to) && !this.#offline.has(waiting.to) && !this.#offline.has(waiting.from);
  }

  /** Has everybody online, and delivers everything until nobody has anything to say. */
  async settle() {
    this.#offline.clear();
    for (let round = 0; round < 50; round++) {
      this.deliver();
      settlePages(this.peers);
      await Promise.resolve();
      if (!this.#waiting.length) return;
    }
    throw new Error("the participants never come to rest");
  }

  /** Delivers until something holds, for some seconds at most, and then everything. Timers of the pages run meanwhile. */
  async until(holds) {
    for (let tries = 0; !holds() && tries < 1000; tries++) {
      await new Promise((done) => setTimeout(done, 5));
      this.deliver();
    }
    await this.settle();
  }

  close() {
    closePages(this.peers);
  }
}
