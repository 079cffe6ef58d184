import { Agent, Document, init } from "copydesk/worker";
import { runAgent } from "./agent.js";

async function start() {
  await init();
  const document = Document.fromHTML("<h2>A</h2><p>Old.</p>");
  return `${await runAgent(Agent, document)} ${document.toHTML()}`;
}

start().then(postMessage, (error) => postMessage(String(error)));
