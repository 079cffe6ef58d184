import { assistant } from "../page.js";

const rules = document.createElement("copydesk-rules");
rules.rules = [{ id: "british", text: "Write British English." }];
rules.addEventListener("rules-change", ({ detail }) => assistant.configure({ rules: [...detail.value] }));
export default rules;
