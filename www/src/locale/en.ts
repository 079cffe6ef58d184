/** English messages of the page. `zh.ts` has the same keys. */
import type { Locale } from ".";
import { modKey } from "../dom";
import { words } from "copydesk/ui/words";
import { files } from "./files-en";
import { englishNumber as grouped } from "./numbers";
import { plugins } from "./plugins-en";
import { share } from "./share-en";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

export const en = {
  lang: "en" as Locale,
  language: "Language",
  otherLanguage: "中文",
  otherLanguageShort: "中",
  switchLanguage: "切换到中文",
  engineFailed: "The assistant could not be loaded. You can go on writing.",
  tryAgain: "Try again",
  openSettings: "Open settings",

  skipToPage: "Skip to the document",
  themeDark: "Dark theme",
  themeLight: "Light theme",
  settings: "Settings",
  shortcuts: "Keyboard shortcuts",
  close: "Close",

  panels: "Panels",
  panelFailed: "The panel could not be loaded. Choose it again.",
  outline: words.en.outline.label,
  showOutline: "Show the panels",
  hideOutline: "Hide the panels",
  showAssistant: "Show assistant",
  hideAssistant: "Hide assistant",
  intro:
    "copydesk is an editor with an assistant: it reads your document and suggests changes, and you accept or reject each one.",
  page: "Document",
  pagePlaceholder: "Start writing, type / for suggestions, or ask the assistant.",

  files,
  plugins,
  share,

  toolbar: "Formatting",
  undo: "Undo",
  redo: "Redo",
  textStyle: "Text style",
  styles: ["Text", "Title", "Section", "Subheading"],
  bold: "Bold",
  italic: "Italic",
  underline: "Underline",
  strike: "Strikethrough",
  code: "Code",
  quote: "Quote",
  codeBlock: "Code block",
  divider: "Divider",
  bullets: "Bulleted list",
  numbers: "Numbered list",
  tasks: "Task list",
  table: "Table",
  rowsAndColumns: "Rows and columns",
  rowAbove: "Insert row above",
  rowBelow: "Insert row below",
  columnBefore: "Insert column before",
  columnAfter: "Insert column after",
  headerRow: "Header row",
  deleteRow: "Delete row",
  deleteColumn: "Delete column",
  deleteTable: "Delete table",
  image: "Insert image",
  find: "Find and replace",
  findInDocument: "Find in the open document",
  openDocument: "Open a document",
  open: {
    oneFile: "Open one document at a time. To keep several, add them in the panel “Files”.",
    failed: (name: string, reason: string) => `“${name}” could not be opened. ${reason}`,
    replaces: (name: string) =>
      `“${name}” takes the place of the document that is shown, with your changes to it. Export it first if you need it. Your own document is kept.`,
    open: "Open it",
  },
  export: "Export",
  link: "Link",
  linkUrl: "Link URL",
  setLink: "Apply",
  removeLink: "Remove",
  invalidLink: "Enter a web or e-mail address, such as example.com.",

  saveRecording: "Save recording",
  openRecording: "Open recording",
  startRecording: "Record conversations",
  stopRecording: "Stop recording conversations",
  recordingHint: "A recording is a file that shows others what happened: document and conversation, without API keys.",
  replayed: "Replay of a recording. The result is the same as in the original run.",
  replayDiffers: (difference: string) =>
    `Replay of a recording. The result differs from the original run: ${difference}`,
  replayDifferences: {
    event: "the events are not the same.",
    document: "the document is not the same.",
    end: "it ended earlier.",
    answer: "it called a tool that was not called then.",
  } as Record<string, string>,
  replayRequest: (request: number) => `requests to the model differ from request ${request} on.`,
  newConversationWith: (name: string) => `New conversation with ${name}`,
  demoNotice: ["Demo model: recorded runs, not an AI. Choose a real model in ", "settings", "."] as [
    string,
    string,
    string,
  ],
  demoName: "the demo model",
  demo: {
    needsModel: "This needs a model: the demo model only plays recorded runs. “What can you do?” lists them.",
    denied: "You did not allow this change, so I stopped. Earlier edits are kept.",
    differs:
      "This step did not succeed, because the text is not as it was in the recorded run. Earlier edits are kept. From here on it needs a model.",
    searchFailed: "The search failed: the service cannot be reached.",
    nothingFound: "The search found nothing, so I stopped. Earlier edits are kept.",
    needsModelMenu: "Needs a model",
    needsModelItem: (label: string) => `${label} (needs a model)`,
  },
  assistant: words.en.assistant,
  openConversation: "Open the conversation",
  closeConversation: "Close the conversation",
  storage: {
    off: "This browser does not save data of this page. Your text is lost when you close the page.",
    full: "The browser has no storage left for this page. Your latest changes are not saved. Export the document, or delete conversations.",
    newer:
      "What is saved here was written by a newer version of this page. It stays as it is, and your changes are not saved. Reload the page to get the newer version.",
    replaced: "A newer version of this page is open in another tab. Your changes are no longer saved here.",
    unreadable:
      "The saved document cannot be read by this version of the page. It is kept as it is, and you start with an empty document.",
    download: "Download the saved document",
    reload: "Reload",
    elsewhere: "This document is open in another tab. You can read it here, but not change it.",
    moveHere: "Edit it here",
    recording: "This is the document of a recording.",
    opened: (name: string) => `“${name}” is open. The document from before is kept.`,
    backToDocument: "Back to your document",
    lostHunks: (count: number) =>
      `${plural(count, "suggested change")} could not be restored, because the document is not the same. The document is unchanged.`,
  },
  settingsTitle: "Settings",
  more: "More",
  custom: "Custom",
  keysForgotten: (names: string[]) =>
    `The API key for ${names.join(" and ")} was not remembered. Enter it again, or choose in the settings to remember keys.`,
  demoHint:
    "This provider needs an API key. Until you enter one, the demo model answers. Models of your own computer (Ollama) need none.",
  cancel: "Cancel",

  shortcutList: [
    ["Enter", "Send"],
    ["Shift Enter", "New line"],
    ["Enter", "While the assistant works: send after this step"],
    ["Esc", "Stop the assistant"],
    ["Mod /", "Switch between document and assistant"],
    ["Mod J", "Actions on the selection"],
    ["/", "On an empty line: let the assistant write"],
    ["Mod Z", "Undo one edit"],
    ["Mod Shift Z", "Redo"],
    ["Mod Alt ↓", "Next change"],
    ["Mod Alt ↑", "Previous change"],
    ["Mod Alt Enter", "Accept the change"],
    ["Mod Alt ⌫", "Reject the change"],
    ["Mod F", "Find in the document"],
    [modKey === "⌘" ? "Mod Alt F" : "Mod H", "Find and replace"],
    ["Mod K", "Link"],
    ["Mod B", "Bold"],
    ["Mod I", "Italic"],
    ["Mod U", "Underline"],
    ["Mod Alt 1–3", "Title, section, subheading"],
    ["↑", "Last message, in an empty composer"],
    ["?", "Show this list"],
  ] as [string, string][],
};

export type Messages = typeof en;
