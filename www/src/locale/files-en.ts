/** English messages about the files of a book. `files-zh.ts` has the same keys. */

import { words } from "copydesk/ui/words";
import { englishNumber as grouped } from "./numbers";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
export const files = {
  tab: "Files",
  searchTab: "Search",
  checksTab: "Checks",
  ownDocument: "Your document",
  emptyHint:
    "Ask the assistant to write the first chapter, add files, or look at a short novel with a few mistakes planted in it.",
  openSample: "Open the sample novel",
  places: {
    label: "Location",
    browser: "Files in this browser",
    folder: (name: string) => `Folder ${name}`,
    open: "Open a folder of this computer",
    cannotOpen: "This browser cannot work in a folder of this computer. Chrome and Edge on a computer can.",
    closed: (name: string) => `The browser needs your permission again to use the folder ${name}.`,
    refused: (name: string) =>
      `The browser gave no permission to use the folder ${name}. Try again, or open the folder again.`,
    allow: "Allow access",
    noAccess: "No permission",
    unknown: "The browser has forgotten the folder of the file that was open. Open the folder again.",
    kept: (sentence: string) => `${sentence} What you write is kept in this browser until then.`,
  },
  closeFile: "Close the file",
  states: {
    opening: "",
    saved: "Saved",
    unsaved: "Saving…",
    removed: "Deleted",
    lossy: "Not saved",
    conflict: "Not saved: changed elsewhere",
    failed: "Not saved",
  },
  authors: { agent: "the assistant", user: "you, in another place,", outside: "another program" },
  conflict: (path: string, by: string) =>
    `${path} was changed by ${by} while you were writing. Both texts are kept: choose one, the other stays among the versions.`,
  conflictTitle: (path: string) => `Two texts of ${path}`,
  conflictHint: "The text that you do not take stays among the versions of the file.",
  compare: "Compare",
  mine: "Your text",
  theirs: "The other text",
  takeMine: "Take mine",
  takeTheirs: "Take the other",
  setAside: "Set aside in a conflict",
  lossy: (losses: string[]) => `Not saved yet, because a Markdown file does not keep this: ${losses.join(" ")}`,
  saveAnyway: "Save without it",
  removed: (path: string) => `${path} was deleted. Your text is still here.`,
  writeAgain: "Write it again",
  failed: (reason: string) => `The file could not be saved. ${reason}`,
  busy: "The assistant is working on the document that is shown.",
  stopAndOpen: "Stop it and go on",
  reasons: words.en.files.reasons,
  export: {
    markdown: "Export as Markdown",
    html: "Export as HTML",
    docx: "Export as Word (DOCX)",
    epub: "Export as EPUB",
    pdf: "Print or save as PDF",
    book: "Export the whole book…",
    bookTitle: "Export the whole book",
    title: "Title",
    author: "Author (optional)",
    format: "Format",
    formats: { markdown: "Markdown", html: "HTML", docx: "Word", epub: "EPUB", pdf: "PDF (print)" },
    chapters: (count: number) => `The book has ${plural(count, "chapter")}.`,
    leftOut: (count: number) => `${plural(count, "file")} that could not be read will not be in it:`,
    run: "Export",
    failed: (reason: string) => `The export failed. ${reason}`,
    lost: (names: string[]) => `The file does not hold everything: ${names.join(", ")}`,
  },
  pending: {
    title: "Changes are waiting",
    waiting: (count: number) =>
      `${plural(count, "suggested change")} ${count === 1 ? "is" : "are"} neither accepted nor rejected.`,
    question: "What to export",
    accepted: "The text with the changes",
    marked: "Both, with the changes marked",
    rejected: "The text without the changes",
    run: "Export",
    book: (count: number) =>
      `Without ${plural(count, "change")} of the open chapter that ${count === 1 ? "waits" : "wait"} for your decision.`,
  },
};

export type FileMessages = typeof files;
