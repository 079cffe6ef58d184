import { agent, editor } from "../page.js";

const element = document.createElement("copydesk-assistant");
Object.assign(element, { editor, agent, suggestions: ["Make the tea older"] });
element.addEventListener("message", ({ detail }) => console.log(detail.text));
export default element;
