/** copydesk: a document agent that runs in the page. Await `init()` once, then use `Document` and `Agent`. */

export { Agent } from "./agent.js";
export { Document, type DocumentOptions, type NumberedOptions } from "./document.js";
export { CopydeskError } from "./error.js";
export { addLanguage, type Language } from "./languages.js";
export { init, type InitSource } from "./load.js";
export { loadMarkdown } from "./markdown.js";
export type { Build } from "./build.js";
export type { AgentOptions, AgentSettings, EditorWithCopydesk, RunOptions } from "./options.js";
export type * from "./types.js";
