import { editor } from "../page.js";

const bar = document.createElement("copydesk-review-bar");
bar.editor = editor;
export default bar;
