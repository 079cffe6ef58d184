/** Rooms: shared documents that windows of a browser, and browsers on a server, have in common. */

export { copyToRoom, type CopyToRoomOptions } from "./room/copy.js";
export { roomExtensions, setRoomUser, type RoomExtensionsOptions } from "./room/extensions.js";
export { openRoom, type Room, type RoomOptions } from "./room/room.js";
export type { Participant, RoomState } from "./room/state.js";
export type { RoomProblem } from "./room/store.js";
