/** English words of the elements. `zh.ts` has the same keys. */
import { files } from "./files-en.js";
import { plugins } from "./plugins-en.js";
import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

function section(index: number | undefined, title?: string): string {
  if (index === undefined) return title ? `“${title}”` : "a section";
  if (index === 0) return title ? `the introduction “${title}”` : "the introduction";
  return title ? `section ${index} “${title}”` : `section ${index}`;
}

const position = (to?: number) => (to === undefined ? "" : ` to position ${to}`);

const lines = (first?: number, last = first) =>
  first === undefined ? "lines" : first === last ? `line ${first}` : `lines ${first}–${last}`;

export const en = {
  lang: "en" as string,
  loading: "Loading the assistant",
  engineFailed: "The assistant could not be loaded. You can go on writing.",
  tryAgain: "Try again",
  openSettings: "Open settings",
  close: "Close",
  files,
  plugins,

  assistant: "Assistant",
  you: "You",
  conversation: "Conversation",
  newConversation: "New conversation",
  conversations: "Conversations",
  deleteConversation: (title: string) => `Delete the conversation “${title}”`,
  offlineNotice: "You are offline. The document is safe, but remote models cannot be reached.",
  welcomeTitle: "What would you like to write?",
  welcomeText: {
    auto: "The assistant reads the document and edits it directly. Each edit is one undo step.",
    review: "The assistant reads the document and suggests changes. You accept or reject each one.",
    ask: "The assistant reads the document and asks before each edit.",
  },
  copy: "Copy",
  copied: "Copied",
  editMessage: "Edit",
  editField: "Edit the message",
  sendAgain: "Send again",
  editLater: "The assistant is working. You can send this when it has finished.",
  cancel: "Cancel",
  model: "Model",
  showEarlier: "Show earlier messages",
  storageProblems: {
    off: "This browser does not keep conversations. They are lost when you close the page.",
    full: "The browser has no storage left. The latest messages are not kept: delete conversations.",
    newer: "The kept conversations were written by a newer version of this page. Reload the page to see them.",
    unreadable:
      "Some kept conversations cannot be read by this version of the page. They stay as they are: reload the page.",
  },
  composer: "Message to the assistant",
  placeholderEmpty: "Ask for an article or an edit…",
  placeholderMore: "Ask for another edit…",
  placeholderWorking: "Add a message…",
  attach: "Attach",
  attached: "Attached",
  detailsFailed: "The details could not be shown: a part of this page could not be loaded.",
  attachFailed: "Nothing could be attached: a part of this page could not be loaded. Try again.",
  send: "Send",
  stop: "Stop",
  hintIdle: "Shift+Enter: new line",
  hintWorking: "Esc: stop",
  hintLater: "Enter: send after this step",
  sendLater: "Send after this step",
  queued: "After this step",
  removeQueued: (text: string) => `Remove: ${text}`,
  mode: "Edit mode",
  modes: { review: "Review changes", auto: "Apply directly", ask: "Ask before edits" },
  thinking: "Thinking…",
  thoughts: "Thought process",
  suggest: {
    write: "Write an article about tea with three sections and an image",
    writeOther: "Write an article about bicycles with four sections",
    help: "What can you do?",
    shorten: (n: number) => `Shorten section ${n}`,
    rewrite: (n: number) => `Rewrite section ${n} in plain language`,
    image: (n: number) => `Add an image to section ${n}`,
    insert: (n: number) => `Insert a section about water before section ${n}`,
    summarize: "Summarize the document",
  },
  working: {
    start: "Starting",
    model: "Waiting for the model",
    thinking: "Thinking",
    answering: "Answering",
    approval: "Waiting for your approval",
    reading: "Reading the document",
    writing: (index?: number, title?: string, length?: number) =>
      `Writing ${section(index, title)}${length ? ` · ${grouped(length)} characters` : ""}`,
    inserting: (title?: string) => `Inserting ${title ? `“${title}”` : "a section"}`,
    deleting: (index?: number, title?: string) => `Deleting ${section(index, title)}`,
    moving: (index?: number, title?: string) => `Moving ${section(index, title)}`,
    insertingImage: (index?: number) => `Inserting an image into ${section(index)}`,
    searchingImages: (query?: string) => (query ? `Searching images: ${query}` : "Searching images"),
    searchingWeb: (query?: string) => (query ? `Searching the web: ${query}` : "Searching the web"),
    readingLines: (first?: number, last?: number) => `Reading ${lines(first, last)}`,
    readingMore: "Reading more",
    editingLines: (first?: number, last?: number) => `Editing ${lines(first, last)}`,
    editingRanges: (ranges: number) => `Editing ${plural(ranges, "passage")}`,
    editingAll: "Editing the document",
    replacing: (old?: string, replacement?: string) =>
      old && replacement ? `Replacing “${old}” with “${replacement}”` : "Replacing text",
    tool: (name: string) => `Running ${name}`,
  },
  question: (action: string) => `${action}?`,
  requested: {
    write: (index?: number, title?: string) => `Write ${section(index, title)}`,
    insert: (title?: string) => `Insert ${title ? `“${title}”` : "a section"}`,
    delete: (index?: number, title?: string) => `Delete ${section(index, title)}`,
    move: (index?: number, title?: string, to?: number) => `Move ${section(index, title)}${position(to)}`,
    insertImage: (index?: number) => `Insert an image into ${section(index)}`,
    editLines: (first?: number, last?: number) => `Edit ${lines(first, last)}`,
    editRanges: (ranges: number) => `Edit ${plural(ranges, "passage")}`,
    editAll: "Edit the whole document",
    replace: (old?: string, replacement?: string) =>
      old && replacement ? `Replace “${old}” with “${replacement}”` : "Replace text",
    tool: (name: string) => `Run ${name}`,
  },
  done: {
    read: (sections?: number) =>
      !sections ? "Read the document" : `Read the document: ${plural(sections, "section")}`,
    readEmpty: "Read the document: empty",
    wrote: (index?: number, title?: string) => `Wrote ${section(index, title)}`,
    rewrote: (index?: number, title?: string) => `Rewrote ${section(index, title)}`,
    inserted: (index?: number, title?: string) => `Inserted ${section(index, title)}`,
    deleted: (index?: number, title?: string) => `Deleted ${section(index, title)}`,
    moved: (index?: number, title?: string, to?: number) => `Moved ${section(index, title)}${position(to)}`,
    insertedImage: (index?: number, title?: string) => `Inserted an image into ${section(index, title)}`,
    searchedImages: (query?: string, found?: number) =>
      `Searched images${query ? `: ${query}` : ""}${found === undefined ? "" : ` · ${plural(found, "result")}`}`,
    searchedWeb: (query?: string, found?: number) =>
      `Searched the web${query ? `: ${query}` : ""}${found === undefined ? "" : ` · ${plural(found, "result")}`}`,
    readLines: (first?: number, last?: number) => `Read ${lines(first, last)}`,
    readMore: "Read more",
    editedLines: (first?: number, last?: number) => `Edited ${lines(first, last)}`,
    editedRanges: (ranges: number) => `Edited ${plural(ranges, "passage")}`,
    editedAll: "Edited the document",
    replaced: (old?: string, replacement?: string) =>
      old && replacement ? `Replaced “${old}” with “${replacement}”` : "Replaced text",
    tool: (name: string) => `Ran ${name}`,
  },
  failed: {
    read: "Could not read the document",
    wrote: (index?: number, title?: string) => `Could not write ${section(index, title)}`,
    deleted: (index?: number) => `Could not delete ${section(index)}`,
    moved: (index?: number) => `Could not move ${section(index)}`,
    insertedImage: "Could not insert the image",
    searchedImages: (query?: string) => `Could not search images${query ? `: ${query}` : ""}`,
    searchedWeb: (query?: string) => `Could not search the web${query ? `: ${query}` : ""}`,
    readLines: "Could not read the lines",
    readMore: "Could not read more",
    editedLines: "Could not edit the lines",
    replaced: (old?: string) => (old ? `Could not replace “${old}”` : "Could not replace the text"),
    tool: (name: string) => `${name} failed`,
  },
  approvalNeeded: "Approval needed:",
  allow: "Allow",
  deny: "Deny",
  status: {
    approval: "waiting for your approval",
    waiting: "waiting",
    running: "running",
    done: "done",
    failed: "failed",
    stopped: "stopped",
    rejected: "denied",
  },
  retrying: (seconds: number, reason: string) => `Retrying ${seconds ? `in ${seconds} s` : "now"} (${reason})`,
  retryReasons: {
    rate_limited: "too many requests",
    overloaded: "the provider is overloaded",
    server_error: "server error",
    provider_error: "the provider reported an error",
    stream_cut: "the connection was cut",
    timeout: "timeout",
    offline: "no network",
    unreachable: "the server cannot be reached",
    call_missing: "the announced call is missing",
    text_was_thinking: "this was thinking",
  } as Record<string, string>,
  compacted: (before: number, after: number) =>
    `Earlier messages were summarized (${grouped(before)} → ${grouped(after)} tokens).`,
  ms: (ms: number) => (ms < 1 ? "<1 ms" : `${grouped(Math.round(ms))} ms`),
  seconds: (ms: number) => `${(ms / 1000).toFixed(1)} s`,
  details: "Details",
  newText: "Text",
  summary: (edits: number, time: string, cost: string) =>
    [edits ? plural(edits, "edit") : "No edits", time, cost].filter(Boolean).join(" · "),
  tokens: (tokens: number) => `${grouped(tokens)} tokens`,
  cost: (usd: number) => usd.toLocaleString("en", { style: "currency", currency: "USD", maximumSignificantDigits: 2 }),
  pending: (changes: number) => `${plural(changes, "change")} to review`,
  verdict: (accepted: number, rejected: number, partly: boolean) =>
    !partly && !rejected
      ? "Accepted"
      : !partly && !accepted
        ? "Rejected"
        : [accepted && `${grouped(accepted)} accepted`, rejected && `${grouped(rejected)} rejected`]
            .filter(Boolean)
            .join(", "),
  accept: "Accept",
  reject: "Reject",
  takeBack: "Take back",
  changedSince: "The text was changed since, so this stays.",
  actionOnCall: (action: string, call: string) => `${action}: ${call}`,
  undoRun: "Undo this run",
  undone: "The run was undone.",
  undoneExcept: (texts: string[]) =>
    `The run was undone, except text that was changed later: ${texts.map((text) => `“${text}”`).join(", ")}`,
  nothingToUndo: "There is nothing left to undo.",
  stopped: "Stopped. Completed edits are kept.",
  interrupted: "The assistant was interrupted while it was working. What it had done by then is kept.",
  continueRun: "Continue",
  announceStart: "The assistant is working.",
  announceDone: "Done.",
  estimated: (cost: string) => `about ${cost} (estimated)`,
};

export type Words = typeof en;
