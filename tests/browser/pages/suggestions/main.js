// Suggestions in shared documents.
import { yCursorPlugin } from "@tiptap/y-tiptap";
import { Agent, init } from "copydesk";
import { closeHistory } from "@tiptap/pm/history";
import * as authorship from "copydesk/authorship";
import * as comments from "copydesk/comments";
import * as suggestions from "copydesk/suggestions";
import { copyToRoom } from "copydesk/room";
import { hunksOf } from "copydesk/tiptap";
import * as Y from "yjs";
import { answer, CONFIG } from "../edits/editors.js";
import { benchmark } from "./bench.js";
import { editorOn, Room } from "./peers.js";
import { commentSchedules } from "./comment-schedules.js";
import { authorshipSchedules, writtenBy } from "./authorship-schedules.js";
import { schedules } from "./schedules.js";
import { suggestingSchedules } from "./suggesting-schedules.js";

await init();

/** Joins the room of a server. */
async function joined(url, name, user, given) {
  const document = new Y.Doc();
  const { HocuspocusProvider } = await import("@hocuspocus/provider");
  const provider = new HocuspocusProvider({ url, name, document });
  await new Promise((done) => provider.on("synced", done));
  const editor = editorOn(document, user, given);
  return { document, provider, editor };
}

Object.assign(window, { Agent, answer, authorship, authorshipSchedules, closeHistory, copyToRoom, writtenBy, benchmark, CONFIG, editorOn, hunksOf, joined, Room, commentSchedules, comments, schedules, suggestingSchedules, suggestions, Y, yCursorPlugin });
window.ready = true;
