/** English messages about rooms. `share-zh.ts` has the same keys. */
import { words } from "copydesk/ui/words";

export const share = {
  share: "Share",
  title: "Share this document",
  hint: "A copy of the document is opened in a room, which this browser keeps. Whoever has the link of the room can change it.",
  server: "Hocuspocus server (optional)",
  withoutChanges: "The suggested changes could not be shared: the copy is the document without them.",
  open: "Open the copy",
  serverHint: "Without a server, the other windows of this browser can join.",
  guest: "Guest",
  copy: "Copy link",
  copied: "Copied",
  leave: "Leave",
  comments: words.en.comments.label,
  authorship: words.en.authorship.label,
  problems: {
    off: "This browser does not keep the room. The changes are lost when nobody else has it open.",
    full: "The browser has no storage left. The latest changes of the room are not kept here.",
  },
};

export type ShareMessages = typeof share;
