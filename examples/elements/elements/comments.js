import { editor } from "../page.js";

const comments = document.createElement("copydesk-comments");
comments.editor = editor; // created with Comments.configure({ user: { name: "Ada" } })
editor.storage.comments.create({ from: 14, to: 20 }, { text: "How old?" });
export default comments;
