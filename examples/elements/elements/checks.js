import { book } from "../page.js";

const story = document.createElement("copydesk-checks");
story.workspace = book;
story.addEventListener("open-file", ({ detail }) => console.log(detail.path, detail.line));
export default story;
