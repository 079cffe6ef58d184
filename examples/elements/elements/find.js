import { Find } from "copydesk/find";
import { editor } from "../page.js";

const bar = document.createElement("copydesk-find");
bar.find = new Find(editor);
bar.open = true;
export default bar;
