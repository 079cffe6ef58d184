/** copydesk: a document agent that runs in the page. Await `init()` once, then use `Document` and `Agent`. */

export { Agent } from "./agent/agent.js";
export { Document, type DocumentOptions, type NumberedOptions } from "./document/document.js";
export { CopydeskError } from "./base/error.js";
export { addLanguage, type Language } from "./languages/languages.js";
export { init, loadRest, type InitSource } from "./loading/load.js";
export { loadMarkdown } from "./markdown/markdown.js";
export type { Build } from "./loading/build.js";
export type { AgentOptions, AgentSettings, EditorWithCopydesk, RunOptions } from "./agent/options.js";
export type * from "./types/index.js";
