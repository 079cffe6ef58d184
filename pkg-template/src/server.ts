/** `copydesk/server`: an agent as a participant of a shared Yjs document, without an editor. */

export { joinRoom, type Room, type RoomAwareness, type RoomOptions } from "./server/room.js";
