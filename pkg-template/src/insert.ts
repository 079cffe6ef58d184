/** `copydesk/insert`: the files, images, Markdown and links that users paste, drop and pick. */

export { dataURL } from "./base/data-url.js";
export { takeDroppedFiles } from "./insert/dropped-files.js";
export { FileError } from "./insert/file-error.js";
export {
  insertImages,
  sortFiles,
  type InsertImagesOptions,
  type KeepImage,
  type SortedFiles,
} from "./insert/images.js";
export { linkOf } from "./insert/links.js";
export { LocalImages, type LocalImagesOptions } from "./insert/local-images.js";
export { looksLikeMarkdown } from "./insert/markdown.js";
export { PasteAndDrop, type PasteAndDropOptions } from "./insert/paste-and-drop.js";
export { TEXT_FILES, textFormatOf, type TextFormat } from "./insert/text-format.js";
export { withWordLists } from "./insert/word-lists.js";
