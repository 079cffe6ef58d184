/** English words of the panels. `panels-zh.ts` has the same keys. */
import { englishNumber as grouped } from "./numbers.js";

const plural = (n: number, one: string, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;

/** The reasons why a file was left out, by the code of the error. */
const reasons: Partial<Record<string, string>> = {
  file_exists: "exists already",
  instruction_skipped: "is an instruction for the assistant",
  not_text: "is not a text",
  not_encodable: "has characters that its encoding lacks",
  zip_is_document: "is a document, not a folder of texts",
  file_changed: "is changed by another program",
  file_too_large: "is too large",
  zip_too_large: "is too large",
  zip_damaged: "cannot be unpacked",
  invalid_path: "is not a valid name here",
  storage_full: "there is no storage left",
  permission_denied: "there is no permission",
};

const outline = {
  label: "Outline",
  introduction: "Introduction",
  noSections: "No sections yet.",
  words: (count: number) => plural(count, "word"),
  proposed: "suggested",
  deleted: "would be deleted",
};

const comments = {
  label: "Comments",
  new: "Comment on the selection",
  select: "Select a text to comment on it",
  add: "Comment",
  reply: "Reply",
  resolve: "Resolve",
  reopen: "Open again",
  resolved: (count: number) => `${grouped(count)} resolved`,
  noComments: "No comments yet.",
  textDeleted: "The text was deleted.",
  resolving: "It is resolved when the changes are accepted.",
  pending: "waits for the changes",
  withdrawn: "withdrawn with the changes",
  nobody: "Somebody",
};

const authorship = {
  label: "Written by",
  agent: "Assistant",
  people: "People",
  share: (characters: number, percent: number) => `${plural(characters, "character")}, ${percent} %`,
  noAgents: "No text of the assistant has been accepted yet.",
  show: "Show in the text",
  sources: (count: number) => plural(count, "source"),
};

const activities = { thinking: "is thinking", reading: "is reading", writing: "is writing" };
const room = {
  label: "Room",
  name: "Your name",
  others: "Also here",
  alone: "Nobody else is here.",
  activity: (name: string, activity: keyof typeof activities) => `${name} ${activities[activity]}`,
  local: "In this browser",
  connected: "Connected",
  offline: "Not connected",
  mode: "How you write",
  modes: { edit: "Edit", suggest: "Suggest" },
};

const settings = {
  model: "Model",
  provider: "Provider",
  custom: "Custom",
  modelId: "Model",
  baseUrl: "Base URL",
  apiKey: "API key",
  keyOptional: "API key (optional)",
  getKey: (provider: string) => `Get a key from ${provider}`,
  showKey: "Show key",
  keyHint: "This provider needs an API key. Models of your own computer (Ollama) need none.",
  linkHint: "This endpoint comes from the link that opened the page. Saved keys are not sent to it.",
  ollamaHint: (origin: string) =>
    `Ollama needs no key. It must allow this page: start it with OLLAMA_ORIGINS=${origin}`,
  format: "API format",
  more: "More",
  temperature: "Temperature",
  modelDefault: "Model default",
  thinkingLevel: "Thinking",
  thinkingLevels: {
    "": "Model default",
    off: "Off",
    minimal: "Minimal",
    low: "Low",
    medium: "Medium",
    high: "High",
    xhigh: "Very high",
  },
  priceIn: "Input price (US$ per 1M tokens)",
  priceOut: "Output price (US$ per 1M tokens)",
  priceHint: "Shows the cost of a run",
  estimatedPrice: (date: string) => `Estimated from list prices of ${date}`,
  connection: {
    test: "Test connection",
    testing: "Testing…",
    works: (models: number) =>
      `The connection works. The provider has ${plural(models, "model")}; the model field lists them.`,
    notListed: (model: string, models: number) =>
      `The connection works, but “${model}” is not one of its ${plural(models, "model")}. The model field lists them.`,
    key: (_status: number) => "The server does not accept the API key.",
    url: (_status: number) => "The server answers, but has no list of models at this base URL. Check the URL.",
    unusable: (status: number) => `The server answers with an error (${status}). Try again later.`,
    offline: (_status: number) => "You are offline. Reconnect and try again.",
    blocked: (_status: number) =>
      "The server is there, but this browser may not read its answer (CORS): it has to allow requests from this page.",
    unreachable: (_status: number) => "The server cannot be reached. Check the URL, and that the server is running.",
  },
  web: "Web search",
  images: "Image search",
  keyless: (name: string) => `${name} (no key needed)`,
  rememberKeys: "Remember API keys on this device",
  rememberKeysHint: "Otherwise keys are kept in memory until the page is closed.",
  problems: {
    required: "This field is required.",
    url: "Enter an http(s) URL, such as https://api.openai.com/v1",
    price: "Enter a number of 0 or more.",
    temperature: "Enter a number from 0 to 2.",
  },
};

const skills = {
  label: "Skills",
  hint: "Instructions for kinds of tasks. The assistant follows them when a task is of that kind.",
  add: "Add a skill",
  source: "URL, or folder in your files",
  sourceHint: "For example https://github.com/ann/tips or notes/skills",
  states: { loading: "Loading…", ready: "Ready", failed: "Not loaded", disabled: "Off" },
  found: (count: number) => plural(count, "skill"),
  limitedTrust: "Written by someone else: it counts only as far as it serves what you ask for.",
  files: "Its files",
  refresh: "Look for a newer version",
};

const servers = {
  label: "Servers",
  hint: "Tools of MCP servers, which the assistant can use beside its own.",
  add: "Add a server",
  states: { connecting: "Connecting…", ready: "Ready", failed: "Not connected", disabled: "Off" },
  name: "Name (optional)",
  url: "URL",
  urlHint: "For example https://tools.example.org/mcp",
  key: "Key (optional)",
  header: "Header of the key",
  keyIsSet: "Leave it empty to keep the key.",
  keysKept: "The key is kept in this browser, as the settings say.",
  keysForgotten: "The key is forgotten when you close the page. The settings can change that.",
  removeKey: "Remove the key",
  protocol: (version: string) => `Protocol ${version}`,
  tools: (count: number) => plural(count, "tool"),
  asksFirst: "asks first",
  notUsed: "not used",
  approval: "Ask me before",
  approvals: { annotations: "what may change something", always: "every call", never: "no call" },
  reconnect: "Connect again",
  edit: "Change",
  taken: (name: string) => `There is already something named ${name}.`,
  invalidUrl: "Enter a URL that begins with https:// or http://.",
  urlWithPassword: "Enter the URL without a user name and a password. The key has a field of its own.",
  invalidName: "A name has letters, digits, hyphens and underscores.",
  invalidHeader: "A header has letters, digits and hyphens.",
  invalidKey: "A key has letters, digits and signs of the English keyboard.",
};

const rules = {
  label: "Rules",
  hint: "The assistant follows each of them in everything it does, also in a run under way.",
  add: "Add a rule",
  rule: (number: number) => `Rule ${number}`,
  unused: (row: number) => `Row ${row}, not used`,
  placeholder: "For example: Write British English.",
  moveUp: "Move up",
  moveDown: "Move down",
  fromFiles: "Rules in your files",
  fromFilesHint: "They apply as well. Open a file to change it.",
  fromFolderHint: "They are in the folder that you opened. Use those whose author you trust.",
};

const workspace = {
  line: (line: number) => `line ${line}`,
  reading: "Reading the files",
  read: (read: number, files: number) => `${grouped(read)} of ${plural(files, "file")} read`,
  stale: "The files have changed since.",
  leftOut: (path: string, code: string) => `${path}: ${reasons[code] ?? `failed (${code})`}.`,
};

const checks = {
  label: "Checks",
  run: "Check the story",
  running: "Checking…",
  hint: "Finds days that jump or go back, dates that cannot be, and setups and references without each other.",
  timeline: "Days and dates",
  references: "Setups and references",
  noFindings: "Nothing was found.",
  error: "Error",
  warning: "Note",
  waived: "accepted in the file",
  summary: (errors: number, warnings: number, waived: number) =>
    [plural(errors, "error"), plural(warnings, "note"), waived && `${grouped(waived)} accepted`]
      .filter(Boolean)
      .join(", "),
  skipped: (count: number) => `${plural(count, "file was", "files were")} not checked`,
};

const search = {
  label: "Search",
  run: "Search",
  running: "Searching…",
  pattern: "Search in the files",
  caseSensitive: "Match case",
  regex: "Regular expression",
  glob: "Only in files such as",
  globHint: "chapters/*.md",
  matches: (count: number, files: number, isCut: boolean) =>
    count === 0
      ? "Nothing was found."
      : isCut
        ? `More than ${plural(count, "match", "matches")}; the first ones are shown.`
        : `${plural(count, "match", "matches")} in ${plural(files, "file")}`,
  skipped: (count: number) => `${plural(count, "file was", "files were")} not searched`,
};

const files = {
  label: "Files",
  create: "New file",
  import: "Import",
  export: "Export",
  importZip: "Import a zip file",
  importFolder: "Import a folder",
  exportZip: "Export as a zip file",
  exportFolder: "Export to a folder",
  none: "There are no files yet.",
  more: (count: number) => `${plural(count, "more file")}: find them by the search.`,
  root: "Files",
  actions: (path: string) => `Actions for ${path}`,
  rename: "Rename",
  versions: "Versions",
  remove: "Delete",
  removed: (path: string) => `${path} was deleted.`,
  takeBack: "Take back",
  ok: "OK",
  path: "Path",
  pathHint: "For example chapters/ch001.md",
  imported: (written: number, skipped: number) =>
    `${plural(written, "file was", "files were")} imported${skipped ? `, ${grouped(skipped)} not` : ""}.`,
  exported: (written: number, skipped: number) =>
    `${plural(written, "file was", "files were")} exported${skipped ? `, ${grouped(skipped)} not` : ""}.`,
  notInZip: "These files are not in the zip file:",
  replace: "Replace the existing files",
  addInstructions: (paths: readonly string[]) => `Import these instructions for the assistant: ${paths.join(", ")}`,
  noFolders: "This browser cannot open folders here. Use a zip file.",
};

const versions = {
  back: "Back to the files",
  of: (path: string) => `Versions of ${path}`,
  none: "This file has no versions yet.",
  authors: { agent: "Assistant", user: "You", outside: "Another program" },
  earlier: (count: number) => `${plural(count, "earlier save")} of these minutes`,
  deleted: "deleted",
  current: "current",
  restore: "Restore this version",
  restored: "The version was restored.",
  same: "The text is the same as now.",
  compared: "From this version to the file as it is now",
};

const diff = {
  label: "Differences",
  unchanged: (count: number) => plural(count, "unchanged line"),
};

const find = {
  label: "Find and replace",
  find: "Find",
  replacement: "Replace with",
  replace: "Replace",
  replaceAll: "Replace all",
  showReplace: "Show replace",
  caseSensitive: "Match case",
  wholeWord: "Whole words",
  next: "Next match",
  previous: "Previous match",
  close: "Close",
  nothing: "No matches",
  count: (current: number, total: number, proposed: number) =>
    `${grouped(current)} of ${grouped(total)}${proposed ? `, ${grouped(proposed)} in suggestions` : ""}`,
  isPending: "This match is in a suggested change. Accept or reject the change first.",
  replaced: (count: number, left: number) =>
    `Replaced ${grouped(count)}.${left ? ` ${plural(left, "match", "matches")} in suggested changes ${left === 1 ? "stays" : "stay"}: accept or reject them first.` : ""}`,
};

export const panels = {
  lang: "en" as string,
  add: "Add",
  remove: "Remove",
  more: "More",
  enable: (name: string) => `Use ${name}`,
  actionsFor: (name: string) => `Actions for ${name}`,
  cancel: "Cancel",
  save: "Save",
  outline,
  comments,
  authorship,
  room,
  settings,
  skills,
  servers,
  rules,
  workspace,
  checks,
  search,
  fileList: files,
  versions,
  diff,
  find,
};

export type PanelWords = typeof panels;
