import { Agent, Document, init } from "copydesk";
import { runAgent } from "./agent.js";

export async function headless() {
  await init();
  const document = Document.fromHTML("<h2>A</h2><p>Old.</p>");
  return `${await runAgent(Agent, document)} ${document.toHTML()}`;
}
