import { assistant } from "../page.js";

const row = document.createElement("copydesk-tool-row");
row.assistant = assistant;
const called = new Promise((resolve) => {
  // The last call of the conversation, with all that becomes of it.
  assistant.subscribe(() => {
    const items = assistant.getSnapshot().runs.flatMap((run) => run.items);
    const last = items.findLast(({ type }) => type === "call");
    if (last) resolve((row.call = last.call));
  });
});
assistant.send("Make the tea older");
// A page would draw it when there is a call.
await called;
export default row;
