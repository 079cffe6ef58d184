import { editor } from "../page.js";

// Select a word of the document.
const menu = document.createElement("copydesk-selection-menu");
menu.editor = editor;
export default menu;
