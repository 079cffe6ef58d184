import { agent, newEditor } from "../page.js";
import { createAssistant } from "copydesk/assistant";

const editor = newEditor(document.createElement("div"));
const careful = createAssistant({ editor, agent });
careful.setMode("ask");
const approval = document.createElement("copydesk-approval");
approval.assistant = careful;
const called = new Promise((resolve) => {
  careful.subscribe(() => {
    const items = careful.getSnapshot().runs.flatMap((run) => run.items);
    const waiting = items.find(({ type, call }) => type === "call" && call.state === "approval");
    approval.hidden = !waiting;
    if (waiting) resolve((approval.call = waiting.call));
  });
});
careful.send("Make the tea older");
// A page would draw it when there is a call.
await called;
export default approval;
