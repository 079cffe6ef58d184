/** `copydesk/project`: the files of a user with an editor, in the browser's storage or in a folder of the computer. */

export { Project, type ProjectOptions, type ProjectProblem, type ProjectState } from "./project/project.js";
export { OpenFile, type FileState, type OpenFileOptions } from "./project/open-file.js";
export type { Access } from "./project/place.js";
export type { Chapter, Chapters } from "./project/chapters.js";
export type { StoredFolder } from "./project/folders.js";
export { goToLine } from "./project/go-to-line.js";
export { localItems, type Items } from "./base/items.js";
