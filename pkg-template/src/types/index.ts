/** Types of the public interface. Positions are UTF-16 code units, times are milliseconds. */

export type * from "./document.js";
export type * from "./edits.js";
export type * from "./review.js";
export type * from "./model.js";
export type * from "./messages.js";
export type * from "./tools.js";
export type * from "./agent.js";
export type * from "./workspace-host.js";
export type * from "./workspace.js";
export type * from "./plugins.js";
export type * from "./skills.js";
