import { book } from "../page.js";

const files = document.createElement("copydesk-files");
files.workspace = book;
files.addEventListener("open-file", ({ detail }) => (files.current = detail.path));
export default files;
