import { book } from "../page.js";

const search = document.createElement("copydesk-search");
search.workspace = book;
export default search;
