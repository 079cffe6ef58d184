/** English words about files. */

import { englishNumber as grouped } from "./numbers.js";

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
};
