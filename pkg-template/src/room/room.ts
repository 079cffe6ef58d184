/** A room: a shared document that is kept in the browser, and those who are in it. */

import type { HocuspocusProvider, HocuspocusProviderConfiguration } from "@hocuspocus/provider";
import { Awareness } from "y-protocols/awareness";
import { Doc } from "yjs";
import { check, members } from "../base/error.js";
import { loadOptional } from "../loading/optional-library.js";
import { participantsOf } from "./participants.js";
import type { RoomState } from "./state.js";
import { RoomStore, type RoomProblem } from "./store.js";
import { RoomWindows } from "./windows.js";

export interface RoomOptions {
  /** The name of the room. Anybody who knows it and the server can join: choose one that cannot be guessed. */
  name: string;
  /** The URL of a Hocuspocus server. Without it, the room is that of the windows of this browser. */
  server?: string;
  /** Further options of `HocuspocusProvider`, such as `token`. */
  provider?: Partial<HocuspocusProviderConfiguration>;
  /** Keeps the document in IndexedDB. Default: true. */
  keep?: boolean;
  /** Called when the document cannot be kept in the browser. */
  onProblem?: (problem: RoomProblem) => void;
}

export interface Room extends RoomState {
  readonly name: string;
  readonly document: Doc;
  readonly awareness: Awareness;
  /** Leaves the room. Resolves when everything is stored. Destroy the editor before. */
  readonly close: () => Promise<void>;
}

const hocuspocus = {
  name: "@hocuspocus/provider",
  code: "hocuspocus_not_installed",
  instead: "open the room without a server",
};

/**
 * Opens a room. Resolves with what is kept of it in this browser; what others have comes later.
 *
 * @throws a {@link CopydeskError} with the code `invalid_parameter`, or `hocuspocus_not_installed` if a server is given and
 * `@hocuspocus/provider` cannot be loaded.
 */
export async function openRoom(options: RoomOptions): Promise<Room> {
  const { name, server, provider: given, keep = true, onProblem = () => {} } = members(options, "options");
  check(typeof name === "string" && name.trim() !== "", "name", name, "a text that is not empty");
  check(server === undefined || /^wss?:\/\//.test(server), "server", server, "a URL that begins with ws:// or wss://");
  const load = server === undefined ? undefined : loadOptional(hocuspocus, () => import("@hocuspocus/provider"));
  // A room of another server with the same name is another room: nothing of it is sent to this server.
  const key = `copydesk-room ${JSON.stringify(server === undefined ? [name] : [name, server])}`;
  const document = new Doc();
  const awareness = new Awareness(document);
  const windows = new RoomWindows(key, document, awareness);
  const store = keep ? new RoomStore(key, document, windows, onProblem) : undefined;
  const listeners = new Set<() => void>();
  const tell = () => [...listeners].forEach((listener) => listener());
  awareness.on("change", tell);
  let provider: HocuspocusProvider | undefined;
  let isConnected = false;
  const close = async () => {
    listeners.clear();
    windows.close();
    provider?.destroy();
    awareness.destroy();
    await store?.close();
    document.destroy();
  };
  try {
    await store?.open();
    windows.greet();
    if (load) {
      const { HocuspocusProvider } = await load;
      const onStatus = ({ status }: { status: string }) => {
        isConnected = status === "connected";
        tell();
      };
      provider = new HocuspocusProvider({ ...given, url: server!, name, document, awareness, onStatus });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    name,
    document,
    awareness,
    get isConnected() {
      return server === undefined ? undefined : isConnected;
    },
    get participants() {
      return participantsOf(awareness);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
  };
}
