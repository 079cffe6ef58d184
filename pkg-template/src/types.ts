/** Types of the public interface. Positions are UTF-16 code units, times are milliseconds. */

export type * from "./types/document.js";
export type * from "./types/edits.js";
export type * from "./types/review.js";
export type * from "./types/model.js";
export type * from "./types/messages.js";
export type * from "./types/tools.js";
export type * from "./types/agent.js";
export type * from "./types/workspace-host.js";
export type * from "./types/workspace.js";
export type * from "./types/plugins.js";
export type * from "./types/skills.js";
