// A room over a real server: each participant is a client of its own, which loses its connection and comes back, and the server
// restarts. What the clients exchange, and when, is theirs: the same seed gives the same acts, in another order of arrival.
import * as Y from "yjs";
import { randomFrom } from "../../../oracle/random.mjs";
import { closePages, documentFor, Peer, Room, settlePages } from "./peers.js";

/** Milliseconds after which somebody has joined, and all that is online is the same everywhere. */
const LATEST = 30_000;
/** Milliseconds between the tries of a client to connect. */
const TRIES = { delay: 5, minDelay: 5, maxDelay: 40, factor: 2 };
let rooms = 0;

/** Returns a room: over the server with the URL `server`, or in this page if there is none. */
export function roomOn(server, seed) {
  return server ? new ServedRoom(server, randomFrom(seed ^ 0x5eed)) : new Room();
}

class ServedRoom {
  peers = [];
  /** How often the server was restarted, and connections were lost. */
  disturbed = { restarts: 0, losses: 0 };
  #url;
  #random;
  #number = rooms++;
  #providers = new Map();
  #offline = new Set();
  #arrived = () => {};

  constructor(url, random) {
    this.#url = url;
    this.#random = random;
  }

  /** True if somebody has something that another one has not received. */
  get isWaiting() {
    return differ(this.peers);
  }

  async join(name, given) {
    const doc = documentFor(this);
    const { HocuspocusProvider } = await import("@hocuspocus/provider");
    const provider = new HocuspocusProvider({ url: this.#url, name: `room-${this.#number}`, document: doc, ...TRIES });
    await this.#synced(name, doc, provider);
    const peer = new Peer(name, doc, given);
    doc.on("update", (_, origin) => origin === provider && this.#arrived());
    this.#providers.set(peer, provider);
    this.peers.push(peer);
    return peer;
  }

  leave(peer) {
    this.#offline.add(peer);
    this.#providers.get(peer).disconnect();
  }

  /** Returns false for a participant who is there. */
  comeBack(peer) {
    if (!this.#offline.delete(peer)) return false;
    this.#providers.get(peer).connect();
    return true;
  }

  /** Waits for that many updates, as long as there are any. */
  async deliver({ most = 1 } = {}) {
    if (this.#random.chance(0.1)) this.#lose();
    const isLate = this.#deadline();
    for (let left = most; left > 0 && differ(this.#online); left--) await this.#next(isLate, () => !differ(this.#online));
  }

  /** Has everybody online, and waits until everybody has received everything and nobody has anything to say. */
  async settle() {
    // At least once in some rooms, however few are played.
    const mustRestart = this.#number % 4 === 0 && this.peers.length > 1 && !this.disturbed.restarts;
    if (mustRestart || this.#random.chance(0.1)) await this.#restart();
    for (const peer of [...this.#offline]) this.comeBack(peer);
    const isLate = this.#deadline();
    for (;;) {
      settlePages(this.peers);
      await Promise.resolve();
      if (!this.isWaiting) return;
      await this.#next(isLate, () => !this.isWaiting);
    }
  }

  close() {
    for (const provider of this.#providers.values()) provider.destroy();
    closePages(this.peers);
  }

  get #online() {
    return this.peers.filter((peer) => !this.#offline.has(peer));
  }

  /** Ends the connection of somebody, who notices and connects again. */
  #lose() {
    const peer = this.#random.pick(this.#online);
    if (!peer) return;
    this.disturbed.losses++;
    this.#providers.get(peer).configuration.websocketProvider.webSocket?.close();
  }

  /** Restarts the server: it stores the room before that, or has lost what it did not store. */
  async #restart() {
    this.disturbed.restarts++;
    await window.restartServer(this.#random.chance(0.5));
  }

  /** Waits until somebody who joins has the document. */
  async #synced(name, doc, provider) {
    let timer;
    const synced = new Promise((done) => provider.on("synced", done));
    const late = new Promise((done) => (timer = setTimeout(done, LATEST, "late")));
    const first = await Promise.race([synced, late]);
    clearTimeout(timer);
    if (first !== "late") return;
    const state = this.#state(stateOf(name, doc, provider));
    provider.destroy();
    throw new Error(`${name} never has the document: ${state}`);
  }

  /** Says who has what, and how they are connected. */
  #state(joining) {
    const peers = this.peers.map((peer) => stateOf(peer.name, peer.doc, this.#providers.get(peer)));
    return JSON.stringify({ ...this.disturbed, isWaiting: this.isWaiting, peers, joining });
  }

  #deadline() {
    const end = Date.now() + LATEST;
    return () => Date.now() > end;
  }

  /** Waits for the next update, or until `isDone`. */
  async #next(isLate, isDone) {
    let hasArrived = false;
    const arrival = new Promise((done) => {
      this.#arrived = () => done((hasArrived = true));
    });
    while (!hasArrived && !isDone()) {
      if (isLate()) throw new Error(`the participants never come to rest: ${this.#state()}`);
      for (const peer of this.#online) {
        const provider = this.#providers.get(peer);
        // A client that is told to connect before its old connection is closed does not.
        if (!provider.configuration.websocketProvider.shouldConnect) provider.connect();
      }
      await Promise.race([arrival, new Promise((done) => setTimeout(done, 2))]);
    }
  }
}

function stateOf(name, doc, { isSynced, unsyncedChanges, configuration }) {
  const { status, shouldConnect } = configuration.websocketProvider;
  const has = Object.fromEntries(Y.decodeStateVector(Y.encodeStateVector(doc)));
  return { name, status, shouldConnect, isSynced, unsyncedChanges, has };
}

function differ([first, ...others]) {
  if (!others.length) return false;
  const snapshot = Y.snapshot(first.doc);
  return others.some(({ doc }) => !Y.equalSnapshots(snapshot, Y.snapshot(doc)));
}
