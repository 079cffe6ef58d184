import { book } from "../page.js";

const versions = document.createElement("copydesk-versions");
Object.assign(versions, { workspace: book, path: "chapters/ch001.md" });
export default versions;
