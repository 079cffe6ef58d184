/** English messages about the files of a book. `files-zh.ts` has the same keys. */

import { englishNumber as grouped } from "./numbers";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
/** Names a file: its path, or "a file" while it is not known. */
const file = (path?: string) => path ?? "a file";
const chapter = (number?: number) => (number === undefined ? "a chapter" : `chapter ${number}`);
const range = (first?: number, last?: number) =>
  first === undefined && last === undefined
    ? ""
    : first === last
      ? `, line ${first}`
      : last === undefined
        ? `, from line ${first}`
        : `, lines ${first ?? 1}–${last}`;
const found = (count?: number, isCut = false) =>
  count === undefined ? "" : ` · ${isCut ? "more than " : ""}${plural(count, "match", "matches")}`;
const findings = (count?: number) =>
  count === undefined ? "" : ` · ${count ? plural(count, "finding") : "nothing found"}`;

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
  suggest: {
    first: "Write the first chapter of a story about a lighthouse",
    check: "Check my novel and fix the timeline",
    setups: "Which setups are missing?",
    next: (number: number) => `Write chapter ${number}`,
  },
  working: {
    reading: (path?: string, first?: number, last?: number) => `Reading ${file(path)}${range(first, last)}`,
    writing: (path?: string, length?: number) =>
      `Writing ${file(path)}${length ? ` · ${grouped(length)} characters` : ""}`,
    chapter: (number?: number, length?: number) =>
      `Writing ${chapter(number)}${length ? ` · ${grouped(length)} characters` : ""}`,
    editing: (path?: string) => `Editing ${file(path)}`,
    listing: "Looking at the files",
    searching: (text?: string) => (text ? `Searching the files for “${text}”` : "Searching the files"),
    timeline: "Checking days and dates",
    references: "Checking setups and references",
  },
  requested: {
    write: (path?: string) => `Write ${file(path)}`,
    chapter: (number?: number, replaces?: boolean) => `${replaces ? "Replace" : "Write"} ${chapter(number)}`,
    edit: (path?: string, old?: string, replacement?: string) =>
      old && replacement ? `Replace “${old}” with “${replacement}” in ${file(path)}` : `Change ${file(path)}`,
  },
  done: {
    read: (path?: string, first?: number, last?: number) => `Read ${file(path)}${range(first, last)}`,
    wrote: (path?: string, created?: boolean) => `${created === false ? "Rewrote" : "Wrote"} ${file(path)}`,
    edited: (path?: string, first?: number, last?: number) => `Changed ${file(path)}${range(first, last)}`,
    listed: (count?: number) => (count === undefined ? "Looked at the files" : `Looked at ${plural(count, "file")}`),
    searched: (text?: string, count?: number, isCut?: boolean) =>
      `Searched the files${text ? ` for “${text}”` : ""}${found(count, isCut)}`,
    timeline: (count?: number) => `Checked days and dates${findings(count)}`,
    references: (count?: number) => `Checked setups and references${findings(count)}`,
  },
  failedTo: {
    read: (path?: string) => `Could not read ${file(path)}`,
    write: (path?: string) => `Could not write ${file(path)}`,
    chapter: (number?: number) => `Could not write ${chapter(number)}`,
    edit: (path?: string) => `Could not change ${file(path)}`,
    list: "Could not look at the files",
    search: (text?: string) => `Could not search the files${text ? ` for “${text}”` : ""}`,
    timeline: "Could not check days and dates",
    references: "Could not check setups and references",
  },
  place: (path: string, line: number) => `${path}, line ${line}`,
  waived: "accepted in the file",
  reasons: {
    file_not_found: "There is no such file.",
    invalid_path: "This is not a valid name for a file here.",
    permission_denied: "There is no permission to use this file.",
    file_protected: "Only you change rules and skills.",
    not_text: "This file is not a text.",
    file_too_large: "This file is larger than 10 MB.",
    file_exists: "The file exists already. It stays as it is.",
    file_changed: "You have changed the file meanwhile. It stays as it is.",
    storage_full: "There is no storage left. Nothing was written.",
    storage_failed: "The storage failed. Nothing was written.",
    search_timeout: "The search took too long and was stopped.",
    invalid_pattern: "The text to search for is not a valid expression.",
    search_unavailable: "Regular expressions cannot be used on this page.",
    text_not_found: "The text to be changed is not in the file.",
    text_ambiguous: "The text to be changed is in the file more than once, so it is not clear which one is meant.",
    invalid_parameter: "The assistant asked for something that is not possible.",
    missing_parameter: "The assistant asked for something that is not possible.",
    invalid_arguments: "The assistant asked for something that is not possible.",
    arguments_cut_off: "The answer of the model was cut off.",
    disposed: "The files were closed.",
  } as Record<string, string>,
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
