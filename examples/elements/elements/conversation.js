import { assistant } from "../page.js";

const conversation = document.createElement("copydesk-conversation");
conversation.assistant = assistant;
export default conversation;
