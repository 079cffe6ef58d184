import { editor } from "../page.js";

const outline = document.createElement("copydesk-outline");
outline.editor = editor;
outline.addEventListener("section-select", ({ detail }) => console.log(detail.title));
export default outline;
