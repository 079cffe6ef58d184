import { assistant } from "../page.js";

const row = document.createElement("copydesk-tool-row");
row.assistant = assistant;
// The last call of the conversation, with all that becomes of it.
assistant.subscribe(() => {
  const items = assistant.getSnapshot().runs.flatMap((run) => run.items);
  row.call = items.findLast(({ type }) => type === "call")?.call;
});
assistant.send("Make the tea older");
export default row;
