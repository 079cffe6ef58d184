import { agent, editor } from "../page.js";
import { createAssistant } from "copydesk/assistant";

const careful = createAssistant({ editor, agent });
careful.setMode("ask");
const approval = document.createElement("copydesk-approval");
approval.assistant = careful;
careful.subscribe(() => {
  const items = careful.getSnapshot().runs.flatMap((run) => run.items);
  approval.call = items.find(({ type, call }) => type === "call" && call.state === "approval")?.call;
});
careful.send("Make the tea older");
export default approval;
