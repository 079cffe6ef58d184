/** `copydesk/export`: a document or a whole book as Markdown, HTML, DOCX and EPUB, and on paper. */

export { toDOCX, type DOCXOptions } from "./export/docx.js";
export { embedImages } from "./export/embed-images.js";
export type { ImageReader } from "./export/embedded-nodes.js";
export { toEPUB, type EPUBOptions } from "./export/epub.js";
export { fileNameOf } from "./export/file-name.js";
export type { ImageLoader } from "./export/images.js";
export { pendingHTML } from "./export/pending-html.js";
export { pendingJSON, type Pending, type PendingOptions } from "./export/pending.js";
export { toMarkdown, type MarkdownExport } from "./export/markdown.js";
export { printPublication, toHTML } from "./export/page.js";
export type { Chapter, Exportable, ExportedFile, ExportLoss, Publication } from "./export/publication.js";
