import { editor } from "../page.js";

const authors = document.createElement("copydesk-authorship");
authors.editor = editor; // created with Authorship.configure({ user: { name: "Ada" } })
export default authors;
