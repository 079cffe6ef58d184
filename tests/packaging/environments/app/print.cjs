const { Agent, Document, init } = require("copydesk");

async function headless() {
  const { runAgent } = await import("./agent.js");
  await init();
  const document = Document.fromHTML("<h2>A</h2><p>Old.</p>");
  return `${await runAgent(Agent, document)} ${document.toHTML()}`;
}

headless().then(console.log);
