/** `copydesk/parts`: the page build in two files, for pages that show documents before anything edits them. */

export { page } from "./loading/parts-build.js";
